//! In: the chain of a trace. Out: the same, with the frames of a connector told apart from the user's own code.
//!
//! No list of packages is ever whole: what Spark's data source interfaces call is a connector, whoever wrote it.

use crate::fact::frame::{Frame, Owner};
use crate::fact::throwable::Throwable;
use crate::text::Symbol;

/// Classes that call nothing but a data source's own code, or Spark's.
const CALLERS: &[&str] = &[
    "org.apache.spark.sql.connector.",
    "org.apache.spark.sql.execution.datasources.DataSource",
    "org.apache.spark.sql.execution.datasources.SaveIntoDataSourceCommand",
    "org.apache.spark.sql.execution.datasources.v2.",
    "org.apache.spark.sql.execution.streaming.StreamExecution",
    "org.apache.spark.sql.execution.streaming.MicroBatchExecution",
];

/// Gives the frames of the packages that Spark calls as data sources to a library, but for those that hold the program, too.
pub(super) fn claim(chain: &mut [Throwable]) {
    let mut packages: Vec<String> = Vec::new();
    for frames in chain.iter().map(|throwable| &throwable.frames) {
        let called = frames.windows(2).filter(|pair| {
            pair[0].owner == Owner::User && CALLERS.iter().any(|c| pair[1].class.starts_with(c))
        });
        packages.extend(called.filter_map(|pair| package(&pair[0].class)));
    }
    if packages.is_empty() {
        return;
    }
    let programs: Vec<Symbol> = (chain.iter().flat_map(|throwable| &throwable.frames))
        .filter(|frame| &*frame.function == "main" && frame.owner == Owner::User)
        .map(|frame| frame.class.clone())
        .collect();
    packages.retain(|p| !programs.iter().any(|class| class.starts_with(p.as_str())));
    let of_connector = |frame: &Frame| {
        frame.owner == Owner::User && packages.iter().any(|p| frame.class.starts_with(p.as_str()))
    };
    for frame in chain.iter_mut().flat_map(|throwable| &mut throwable.frames) {
        if of_connector(frame) {
            frame.owner = Owner::Library;
        }
    }
}

/// The first two parts of a class's package, which stand for whoever made it; `None` where it has fewer.
fn package(class: &str) -> Option<String> {
    let mut parts = class.split('.');
    let (first, second) = (parts.next()?, parts.next()?);
    parts.next()?;
    Some(format!("{first}.{second}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Language;
    use crate::fact::jvm_frame::parse;
    use crate::fact::throwable::Relation;
    use crate::text::Place;

    #[test]
    fn what_a_writer_of_spark_calls_is_a_connector_and_what_a_closure_calls_is_not() {
        let frame = |text| parse(text, Place::NOWHERE).expect("a frame");
        let thrown = |frames| Throwable {
            relation: Relation::Top,
            language: Language::Jvm,
            class: Symbol::new("tides.connector.SinkException"),
            message: String::new(),
            own: 0,
            place: Place::NOWHERE,
            text: "".into(),
            frames,
        };
        let mut chain = [thrown(vec![
            frame("at tides.connector.client.Node.insert(Node.scala:7)"),
            frame("at scala.util.Try$.apply(Try.scala:213)"),
            frame("at tides.connector.write.Writer.commit(Writer.scala:9)"),
            frame(
                "at org.apache.spark.sql.execution.datasources.v2.DataWritingSparkTask$.run(WriteToDataSourceV2Exec.scala:480)",
            ),
            frame("at org.acme.job.Main.main(Main.scala:3)"),
        ])];
        claim(&mut chain);
        let owners = |chain: &[Throwable]| -> Vec<Owner> {
            chain[0].frames.iter().map(|f| f.owner).collect()
        };
        let (library, user) = (Owner::Library, Owner::User);
        assert_eq!(
            owners(&chain),
            [library, Owner::Scala, library, Owner::Spark, user]
        );
        // Who writes a source and the program that reads from it has written all of it.
        let mut own = [thrown(vec![
            frame("at org.acme.source.Reader.get(Reader.scala:7)"),
            frame(
                "at org.apache.spark.sql.execution.datasources.v2.DataSourceRDD$$anon$1.hasNext(DataSourceRDD.scala:80)",
            ),
            frame("at org.acme.job.Main.main(Main.scala:3)"),
        ])];
        claim(&mut own);
        assert_eq!(owners(&own), [user, Owner::Spark, user]);
    }
}
