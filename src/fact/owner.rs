//! In: the class or the file of a frame. Out: its [`Owner`].

use super::frame::Owner;
use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};
use std::sync::LazyLock;

/// Packages by owner; the first prefix that fits decides.
const JVM: [(&str, Owner); 126] = [
    ("org.apache.spark.", Owner::Spark),
    ("py4j.", Owner::Py4j),
    ("org.apache.hadoop.", Owner::Hadoop),
    ("scala.", Owner::Scala),
    ("java.", Owner::Jvm),
    ("javax.", Owner::Jvm),
    ("jdk.", Owner::Jvm),
    ("sun.", Owner::Jvm),
    ("com.sun.", Owner::Jvm),
    ("org.sparkproject.", Owner::Spark),
    ("com.databricks.", Owner::Spark),
    ("org.apache.", Owner::Library),
    ("io.netty.", Owner::Library),
    ("sparklyr.", Owner::Library),
    ("io.grpc.", Owner::Library),
    ("io.delta.", Owner::Library),
    ("io.kubernetes.", Owner::Library),
    ("io.fabric8.", Owner::Library),
    ("io.airlift.", Owner::Library),
    ("io.confluent.", Owner::Library),
    ("com.amazonaws.", Owner::Library),
    ("com.amazon.", Owner::Library),
    ("software.amazon.", Owner::Library),
    ("com.google.", Owner::Library),
    ("com.microsoft.", Owner::Library),
    ("com.azure.", Owner::Library),
    ("com.fasterxml.", Owner::Library),
    ("com.esotericsoftware.", Owner::Library),
    ("com.twitter.", Owner::Library),
    ("com.mysql.", Owner::Library),
    ("com.cloudera.", Owner::Library),
    ("com.uber.", Owner::Library),
    ("com.linkedin.", Owner::Library),
    ("com.github.", Owner::Library),
    ("com.typesafe.", Owner::Library),
    ("com.codahale.", Owner::Library),
    ("com.univocity.", Owner::Library),
    ("com.datastax.", Owner::Library),
    ("com.mongodb.", Owner::Library),
    ("com.snowflake.", Owner::Library),
    ("com.clickhouse.", Owner::Library),
    ("com.zaxxer.", Owner::Library),
    ("com.crealytics.", Owner::Library),
    ("com.nvidia.", Owner::Library),
    ("net.snowflake.", Owner::Library),
    ("net.jpountz.", Owner::Library),
    ("net.razorvine.", Owner::Spark),
    ("org.codehaus.", Owner::Library),
    ("org.postgresql.", Owner::Library),
    ("org.mariadb.", Owner::Library),
    ("org.datanucleus.", Owner::Library),
    ("org.eclipse.", Owner::Library),
    ("org.elasticsearch.", Owner::Library),
    ("org.glassfish.", Owner::Library),
    ("org.json4s.", Owner::Library),
    ("org.xerial.", Owner::Library),
    ("org.slf4j.", Owner::Library),
    ("oracle.", Owner::Library),
    ("akka.", Owner::Library),
    ("kafka.", Owner::Library),
    ("shaded.", Owner::Library),
    ("okhttp3.", Owner::Library),
    ("breeze.", Owner::Library),
    ("ai.rapids.", Owner::Library),
    ("ai.h2o.", Owner::Library),
    ("ml.dmlc.", Owner::Library),
    ("com.alibaba.", Owner::Library),
    ("com.aliyun.", Owner::Library),
    ("com.aerospike.", Owner::Library),
    ("com.couchbase.", Owner::Library),
    ("com.facebook.", Owner::Library),
    ("com.hortonworks.", Owner::Library),
    ("com.ibm.", Owner::Library),
    ("com.intel.", Owner::Library),
    ("com.johnsnowlabs.", Owner::Library),
    ("com.mapr.", Owner::Library),
    ("com.qubole.", Owner::Library),
    ("com.redislabs.", Owner::Library),
    ("com.sap.", Owner::Library),
    ("com.singlestore.", Owner::Library),
    ("com.teradata.", Owner::Library),
    ("com.vertica.", Owner::Library),
    ("org.bson.", Owner::Library),
    ("org.bouncycastle.", Owner::Library),
    ("org.jboss.", Owner::Library),
    ("org.jpmml.", Owner::Library),
    ("org.locationtech.", Owner::Library),
    ("org.neo4j.", Owner::Library),
    ("org.opensearch.", Owner::Library),
    ("org.springframework.", Owner::Library),
    ("org.tensorflow.", Owner::Library),
    ("org.spark_project.", Owner::Spark),
    ("ai.catboost.", Owner::Library),
    ("com.audienceproject.", Owner::Library),
    ("com.intellij.", Owner::Library),
    ("com.salesforce.", Owner::Library),
    ("datahub.", Owner::Library),
    ("geotrellis.", Owner::Library),
    ("htsjdk.", Owner::Library),
    ("hex.", Owner::Library),
    ("io.glutenproject.", Owner::Library),
    ("io.minio.", Owner::Library),
    ("io.openlineage.", Owner::Library),
    ("io.projectglow.", Owner::Library),
    ("is.hail.", Owner::Library),
    ("junit.", Owner::Library),
    ("ml.combust.", Owner::Library),
    ("org.bdgenomics.", Owner::Library),
    ("org.broadinstitute.", Owner::Library),
    ("org.datasyslab.", Owner::Library),
    ("org.geotools.", Owner::Library),
    ("org.gradle.", Owner::Library),
    ("org.janusgraph.", Owner::Library),
    ("org.junit.", Owner::Library),
    ("org.mlflow.", Owner::Library),
    ("org.scalatest.", Owner::Library),
    ("ru.yandex.clickhouse.", Owner::Library),
    ("sbt.", Owner::Library),
    ("water.", Owner::Library),
    ("za.co.absa.", Owner::Library),
    ("okio.", Owner::Library),
    ("reactor.", Owner::Library),
    ("redis.", Owner::Library),
    ("com.vividsolutions.", Owner::Library),
    ("shadeio.", Owner::Library),
    ("elastashade.", Owner::Library),
];

/// The prefixes of [`JVM`] in one automaton: asked for every frame, of which a log may hold millions.
static PREFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .start_kind(StartKind::Anchored)
        .build(JVM.iter().map(|(prefix, _)| prefix))
        .expect("a few short prefixes")
});

/// The owner of a JVM class.
pub fn of_class(class: &str) -> Owner {
    PREFIXES
        .find(Input::new(class).anchored(Anchored::Yes))
        .map_or(Owner::User, |found| JVM[found.pattern().as_usize()].1)
}

/// Folders of packages that jobs bring along outside of any `site-packages`: in a zip of theirs, or a folder of wheels.
const PACKAGES: &[&str] = &[
    "/pandas/core/",
    "/pandas/io/",
    "/pandas/_libs/",
    "/numpy/core/",
    "/numpy/_core/",
    "/numpy/lib/",
    "/numpy/ma/",
    "/pyarrow/",
    "/cloudpickle/",
    "/sklearn/",
    "/scipy/",
    "/torch/",
    "/urllib3/",
    "/botocore/",
    "/sqlalchemy/",
    "/grpc/_",
];

/// The owner of a Python file, by its path as printed.
pub(super) fn of_file(path: &str) -> Owner {
    let path = path.replace('\\', "/");
    let has = |part: &str| path.contains(part);
    // PySpark's own folder may hold the zip of Py4J.
    if has("/py4j/") || has("py4j-") {
        Owner::Py4j
    } else if has("/pyspark/")
        || has("pyspark.zip")
        || path.starts_with("pyspark/")
        || has("/pyspark.py")
    {
        Owner::Spark
    } else if has("site-packages/")
        || has("dist-packages/")
        || has("/databricks/python_shell/")
        || has(".jar/")
        || has("/spark/python/lib/")
        || path.ends_with("/delta/tables.py")
        || PACKAGES.iter().any(|package| has(package))
        || has_extension(&path, &["pxi", "pyx"])
    {
        Owner::Library
    } else if path.starts_with("<frozen") || is_standard_library(&path) {
        Owner::Python
    } else {
        Owner::User
    }
}

fn has_extension(path: &str, known: &[&str]) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| known.contains(&extension))
}

/// `/usr/lib/python3.11/threading.py`, `…/envs/x/lib/python3.8/concurrent/…`, `C:/Python310/Lib/…`.
fn is_standard_library(path: &str) -> bool {
    let Some(at) = path
        .find("/lib/python3")
        .or_else(|| path.find("/lib/python2"))
    else {
        let lower = path.to_ascii_lowercase();
        return lower.contains("/python3") && lower.contains("/lib/") && lower.contains(":/");
    };
    path[at + "/lib/python".len()..].contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_classes_have_owners() {
        assert_eq!(
            of_file("/opt/venv/lib/python3.11/site-packages/pyspark/sql/dataframe.py"),
            Owner::Spark
        );
        assert_eq!(
            of_file("/opt/venv/lib/python3.11/site-packages/pandas/core/frame.py"),
            Owner::Library
        );
        assert_eq!(
            of_file("./deps.zip/pandas/core/indexes/base.py"),
            Owner::Library
        );
        assert_eq!(of_file("/usr/lib/python3.11/threading.py"), Owner::Python);
        assert_eq!(of_file("/home/etl/run/orders.py"), Owner::User);
        assert_eq!(of_file("<ipython-input-8-11aa22bb33cc>"), Owner::User);
        assert_eq!(of_class("org.apache.spark.SparkContext"), Owner::Spark);
        assert_eq!(of_class("org.acme.LinkJob$"), Owner::User);
    }
}
