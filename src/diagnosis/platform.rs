//! In: a run and one of its incidents. Out: the [`Platform`] that its processes ran on, where something tells; and what of a
//! piece of advice can do anything there.
//!
//! In local mode there is no executor that could be given memory, a standalone worker has no container with a limit, YARN has
//! folders of its own, and `kubectl` says nothing of a YARN container.

use crate::incident::{Incident, Story};

/// What starts executors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Platform {
    /// Driver and executor are one process.
    Local,
    Standalone,
    Yarn,
    Kubernetes,
    /// A service that runs driver and executors on machines that nobody else gets at: Databricks, Glue, EMR Serverless.
    Service,
}

/// What settings begin with there; those of Delta, in spark.databricks.delta, are set anywhere.
const SERVICES_KEYS: [&str; 3] = [
    "spark.databricks.clusterUsageTags.",
    "spark.glue.",
    "spark.emr-serverless.",
];

/// What classes or files of frames begin with there; the connectors in com.databricks.spark run anywhere.
const SERVICES_FRAMES: [&str; 6] = [
    "com.databricks.backend.",
    "com.databricks.sql.",
    "com.databricks.unity.",
    "com.amazonaws.services.glue.",
    "/databricks/",
    "/opt/amazon/",
];

/// Causes, and frames of each, that are looked at for that.
const MOST_LOOKED_AT: (usize, usize) = (8, 200);

/// Keys by their beginnings, and where they do nothing.
const WITHOUT_EFFECT: [(&str, &[Platform]); 16] = {
    use Platform::{Kubernetes, Local, Service, Standalone, Yarn};
    [
        ("spark.executor.memory", &[Local]),
        ("spark.executor.memoryOverhead", &[Local, Standalone]),
        ("spark.executor.cores", &[Local]),
        ("spark.executor.instances", &[Local]),
        ("spark.executor.extraJavaOptions", &[Local]),
        ("spark.driver.memoryOverhead", &[Local, Standalone]),
        ("spark.dynamicAllocation.", &[Local]),
        ("spark.decommission.", &[Local]),
        ("spark.storage.decommission.", &[Local]),
        ("spark.speculation", &[Local]),
        ("spark.task.maxFailures", &[Local]),
        ("spark.shuffle.service.", &[Local]),
        ("spark.local.dir", &[Yarn, Service]),
        ("spark.kubernetes.", &[Local, Standalone, Yarn, Service]),
        ("spark.yarn.", &[Local, Standalone, Kubernetes, Service]),
        ("yarn.", &[Local, Standalone, Kubernetes, Service]),
    ]
};

/// What a line of a shell may hold, and where it makes no sense.
const NO_COMMANDS: [(&str, &[Platform]); 6] = {
    use Platform::{Kubernetes, Local, Service, Standalone, Yarn};
    [
        ("yarn ", &[Local, Standalone, Kubernetes, Service]),
        ("kubectl ", &[Local, Standalone, Yarn, Service]),
        ("spark-submit --executor-cores ", &[Local]),
        ("spark-submit --num-executors ", &[Local]),
        (
            "spark-submit --conf \"spark.executor.memoryOverhead=",
            &[Local, Standalone],
        ),
        (
            "spark-submit --master yarn ",
            &[Local, Standalone, Kubernetes, Service],
        ),
    ]
};

impl Platform {
    /// The one that the master, the application's id, the executor of a task or the words of the failure tell.
    pub(super) fn of(story: &Story, incident: &Incident) -> Option<Self> {
        if is_service(story, incident) {
            return Some(Self::Service);
        }
        let spark = &story.spark;
        let begins = |text: &Option<String>, with: &str| {
            text.as_deref().is_some_and(|text| text.starts_with(with))
        };
        let said = || incident.chain.iter().map(|cause| &*cause.text);
        let reasons = || story.executors.iter().filter_map(|e| e.reason.as_deref());
        let any = |word: &str| said().chain(reasons()).any(|text| text.contains(word));
        let on_driver = incident
            .attempts
            .iter()
            .any(|attempt| attempt.executor.as_deref() == Some("driver"));
        for (platform, master, id) in [
            (Self::Local, "local", "local-"),
            (Self::Yarn, "yarn", "application_"),
            (Self::Kubernetes, "k8s://", "spark-"),
            (Self::Standalone, "spark://", "app-"),
        ] {
            // A cluster of processes on one machine is a standalone cluster.
            if begins(&spark.master, "local-cluster") {
                return Some(Self::Standalone);
            }
            if begins(&spark.master, master) || begins(&spark.app_id, id) {
                return Some(platform);
            }
        }
        if on_driver || spark.in_driver {
            Some(Self::Local)
        } else if any("by YARN") || any("container_") || any("YarnScheduler") {
            Some(Self::Yarn)
        } else if any("The executor with id") || any("OOMKilled") {
            Some(Self::Kubernetes)
        } else if any("Command exited with code") {
            Some(Self::Standalone)
        } else {
            None
        }
    }

    /// Whether a line of a configuration does anything.
    pub(super) fn heeds(self, line: &str) -> bool {
        let key = line.split(['=', ' ']).next().unwrap_or(line);
        !WITHOUT_EFFECT.iter().any(|(known, nowhere)| {
            let named = if known.ends_with('.') {
                key.starts_with(known)
            } else {
                key == *known
            };
            named && nowhere.contains(&self)
        })
    }

    /// Whether a line of a shell can be run.
    pub(super) fn runs(self, line: &str) -> bool {
        !NO_COMMANDS
            .iter()
            .any(|(begins, nowhere)| line.starts_with(begins) && nowhere.contains(&self))
    }
}

/// Whether settings or frames are those of a service.
fn is_service(story: &Story, incident: &Incident) -> bool {
    let (causes, frames) = MOST_LOOKED_AT;
    let looked_at = incident.chain.iter().take(causes);
    let mut frames = looked_at.flat_map(|cause| cause.frames.iter().take(frames));
    let of_service = |text: &str| SERVICES_FRAMES.iter().any(|with| text.starts_with(with));
    has_services_key(story)
        || frames.any(|frame| of_service(&frame.class) || of_service(&frame.file))
}

fn has_services_key(story: &Story) -> bool {
    let of_service = |key: &String| SERVICES_KEYS.iter().any(|with| key.starts_with(with));
    story.settings.keys().any(of_service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_heeded_where_it_has_an_effect() {
        for (line, platform, heeds) in [
            ("spark.executor.memory=4g", Platform::Local, false),
            ("spark.executor.memory=4g", Platform::Standalone, true),
            (
                "spark.executor.memoryOverhead=1g",
                Platform::Standalone,
                false,
            ),
            (
                "spark.executor.memoryOverhead=1g",
                Platform::Kubernetes,
                true,
            ),
            ("spark.executor.pyspark.memory=1g", Platform::Local, true),
            ("spark.local.dir=/mnt/1", Platform::Yarn, false),
            ("spark.kubernetes.container.image=x", Platform::Yarn, false),
            ("spark.sql.shuffle.partitions=8", Platform::Local, true),
            (
                "yarn.log-aggregation-enable=true",
                Platform::Kubernetes,
                false,
            ),
        ] {
            assert_eq!(platform.heeds(line), heeds, "{line} {platform:?}");
        }
        let set = |key: &str| {
            let mut story = Story::default();
            story.settings.insert(key.to_owned(), "true".to_owned());
            has_services_key(&story)
        };
        assert!(set("spark.databricks.clusterUsageTags.clusterName"));
        assert!(!set("spark.databricks.delta.schema.autoMerge.enabled"));
        assert!(!Platform::Service.heeds("spark.local.dir=/mnt/1"));
        assert!(!Platform::Service.runs("kubectl get pods"));
        assert!(!Platform::Kubernetes.runs("yarn logs -applicationId x"));
        assert!(Platform::Yarn.runs("yarn logs -applicationId x"));
        assert!(!Platform::Local.runs("spark-submit --executor-cores 1 job.py"));
        assert!(Platform::Local.runs("spark-submit --master \"local[2]\" job.py"));
    }
}
