//! In: an incident that no rule knows. Out: the bucket that its class, or the code that threw it, tells by itself.

use super::fix::Bucket;
use super::scene::Scene;
use crate::fact::Owner;
use crate::incident::{Evidence, Phase, Side};

/// Classes that mean the same kind of fault wherever they are thrown.
const BY_CLASS: &[(Bucket, &[&str])] = &[
    (Bucket::Sql, &["ParseException", "AnalysisException"]),
    (
        Bucket::Data,
        &[
            "NumberFormatException",
            "SparkNumberFormatException",
            "DateTimeException",
            "SparkDateTimeException",
            "DateTimeParseException",
            "ArithmeticException",
            "SparkArithmeticException",
            "ParquetDecodingException",
            "JsonParseException",
            "InvalidProtocolBufferException",
            "JsonMappingException",
            "MalformedInputException",
            "MismatchedInputException",
            "AvroTypeException",
            "SchemaParseException",
            "ZipException",
            "SerializationException",
            "MysqlDataTruncation",
        ],
    ),
    (
        Bucket::Io,
        &[
            "SQLException",
            "BatchUpdateException",
            "IOException",
            "FileNotFoundException",
            "NoSuchFileException",
            "FileSystemException",
            "FileAlreadyExistsException",
            "AccessDeniedException",
            "AccessControlException",
            "ConnectException",
            "SocketTimeoutException",
            "UnknownHostException",
            "SSLException",
            "SSLHandshakeException",
            "HiveException",
            "TTransportException",
            "TException",
            "KafkaException",
            "KeeperException",
            "MetaException",
            "NoRouteToHostException",
            "NoHttpResponseException",
            "RemoteException",
            "SocketException",
            "StatusRuntimeException",
            "UncheckedIOException",
            "ProtocolException",
            "MalformedURLException",
            "ConnectionRefusedError",
            "ConnectionResetError",
            "TimeoutError",
        ],
    ),
    (
        Bucket::Packaging,
        &[
            "ClassNotFoundException",
            "NoClassDefFoundError",
            "NoSuchMethodError",
            "NoSuchFieldError",
            "AbstractMethodError",
            "IllegalAccessError",
            "IncompatibleClassChangeError",
            "UnsupportedClassVersionError",
            "ServiceConfigurationError",
            "VerifyError",
            "UnsatisfiedLinkError",
            "MissingResourceException",
            "InstantiationError",
            "ExceptionInInitializerError",
            "InvalidProtocolVersionException",
            "ModuleNotFoundError",
            "ImportError",
            "BootstrapMethodError",
            "ClassFormatError",
            "InvalidClassException",
            "LinkageError",
            "NoSuchMethodException",
            "DistributionNotFound",
            "PackageNotFoundError",
            "FileLoadException",
            "MissingMethodException",
            "TypeLoadException",
        ],
    ),
    (
        Bucket::Resource,
        &[
            "OutOfMemoryError",
            "SparkOutOfMemoryError",
            "StackOverflowError",
            "MemoryError",
        ],
    ),
    (
        Bucket::Cluster,
        &[
            "ApplicationNotFoundException",
            "InvalidResourceRequestException",
            "KubernetesClientException",
            "YarnException",
        ],
    ),
    (
        Bucket::Py4j,
        &["Py4JError", "Py4JNetworkError", "Py4JException"],
    ),
];

/// Packages whose exceptions, or whose code at the bottom of a trace, are of one kind: stores and services outside of
/// Spark, readers of file formats.
const BY_PACKAGE: &[(Bucket, &[&str])] = &[
    (
        Bucket::Data,
        &[
            "com.google.protobuf.",
            "org.apache.avro.",
            "org.apache.orc.",
            "org.apache.parquet.",
            "com.fasterxml.jackson.core.",
            "com.vividsolutions.jts.",
            "org.locationtech.jts.",
        ],
    ),
    (
        Bucket::Io,
        &[
            "com.amazonaws.",
            "com.azure.",
            "com.clickhouse.",
            "com.couchbase.",
            "com.datastax.",
            "com.google.cloud.",
            "com.microsoft.azure.",
            "com.microsoft.sqlserver.",
            "com.mongodb.",
            "com.mysql.",
            "com.singlestore.",
            "com.teradata.",
            "com.uber.hoodie.",
            "com.vertica.",
            "io.confluent.",
            "io.delta.",
            "io.grpc.",
            "io.minio.",
            "net.snowflake.",
            "oracle.jdbc.",
            "org.apache.hadoop.fs.",
            "org.apache.hadoop.hbase.",
            "org.apache.hadoop.hdfs.",
            "org.apache.hadoop.hive.",
            "org.apache.spark.sql.hive.client.",
            "org.apache.hadoop.ipc.",
            "org.apache.hadoop.security.",
            "org.apache.hudi.",
            "org.apache.iceberg.",
            "org.apache.http.",
            "org.apache.kafka.",
            "org.apache.kudu.",
            "org.apache.phoenix.",
            "org.apache.pulsar.",
            "org.apache.solr.",
            "org.apache.zookeeper.",
            "org.apache.spark.sql.delta.",
            "org.apache.thrift.",
            "org.bson.",
            "org.elasticsearch.",
            "org.mariadb.",
            "org.mongodb.",
            "org.neo4j.",
            "org.opensearch.",
            "org.postgresql.",
            "redis.clients.",
            "software.amazon.",
        ],
    ),
    (
        Bucket::Cluster,
        &[
            "io.fabric8.kubernetes.",
            "org.apache.hadoop.yarn.",
            "org.apache.spark.storage.",
        ],
    ),
];

/// Families of classes with one ending: each database and store has its own.
const BY_ENDING: &[(Bucket, &str)] = &[
    (Bucket::Io, "SQLException"),
    (Bucket::Io, "IOException"),
    (Bucket::Io, "ServiceException"),
    (Bucket::Io, "StorageException"),
];

/// The bucket that an incident's root tells without any rule.
pub(super) fn of(scene: &Scene<'_>) -> Option<Bucket> {
    let incident = scene.incident;
    let root = incident.root();
    let python = matches!(incident.side, Some(Side::PythonDriver | Side::PythonWorker));
    // A traceback that was cut tells nothing of its end.
    if root.class.is_empty() && root.message.is_empty() {
        return None;
    }
    // Where the cause stands elsewhere, the line that waited for it is not at fault.
    if scene.owner() == Some(Owner::User) && incident.evidence != Evidence::SymptomOnly {
        return Some(Bucket::UserCode);
    }
    // The Scala shell's compiler.
    if root.text.starts_with("<console>:") || root.text.starts_with("error: not found: ") {
        return Some(Bucket::UserCode);
    }
    let class = root.short_class();
    // Java's parsers of dates and numbers have a class of this name, too.
    if root.class.starts_with("java.text.") {
        return Some(Bucket::Data);
    }
    // Readers of files have an exception of the name that Spark's parser of SQL has for its own.
    let of_another = class == "ParseException"
        && root.class.contains('.')
        && !["org.apache.spark.", "pyspark."]
            .iter()
            .any(|of| root.class.starts_with(of));
    if of_another {
        return Some(Bucket::Data);
    }
    let named = BY_CLASS
        .iter()
        .find(|(_, classes)| classes.contains(&class))
        .map(|(bucket, _)| *bucket);
    // A server in front of Spark names its own so.
    let ends = BY_ENDING
        .iter()
        .filter(|_| class != "KyuubiSQLException")
        .find(|(_, ending)| class.ends_with(ending))
        .map(|(bucket, _)| *bucket);
    // Java's and Scala's own classes throw for whoever called them.
    let innermost = root
        .frames
        .iter()
        .find(|frame| !matches!(frame.owner, Owner::Jvm | Owner::Scala))
        .map(|frame| &*frame.class);
    let packed = packed(&root.class).or_else(|| match innermost {
        Some(innermost) => packed(innermost),
        // Where Java's own classes threw for somebody that is not shown, whoever handed it on.
        None => incident.chain[..incident.root]
            .iter()
            .rev()
            .find_map(|cause| packed(&cause.class)),
    });
    named.or(packed).or(ends).or_else(|| {
        // What a context refuses before it is up, was set for it.
        let refused = class.ends_with("IllegalArgumentException");
        if refused && incident.phase == Some(Phase::Startup) {
            return Some(Bucket::Config);
        }
        // What a model refuses while it looks at rows, they hold.
        let model = innermost.is_some_and(|class| class.starts_with("org.apache.spark.ml"));
        if refused && model && incident.side == Some(Side::JvmExecutor) {
            return Some(Bucket::Data);
        }
        // A library's complaint about how the job's own Python called it, or about what the job's own line asked Spark for.
        let own = incident.user_frame.is_some() || incident.action_frame.is_some();
        let called = python && !root.class.starts_with("py4j.");
        (own && (called || refused)).then_some(Bucket::UserCode)
    })
}

fn packed(class: &str) -> Option<Bucket> {
    let of = |packages: &[&str]| packages.iter().any(|package| class.starts_with(package));
    BY_PACKAGE
        .iter()
        .find(|(_, packages)| of(packages))
        .map(|(bucket, _)| *bucket)
}
