//! Advice listens to the situation: the steps of one rule differ by what failed, and none is for another job than this one.

use crate::rules::{cause, incident, story};
use causedby::diagnosis::{Fix, Rulebook};
use causedby::fact::{Frame, Owner};
use causedby::incident::Relation;
use causedby::text::Symbol;

/// The first fix for a failure that ran through these frames, of class and file.
fn first_fix(class: &str, message: &str, side: &str, frames: &[(&str, &str)]) -> Fix {
    let mut top = cause(Relation::Top, class, message);
    top.frames = frames
        .iter()
        .map(|(class, file)| Frame {
            class: Symbol::new(class),
            function: Symbol::new("run"),
            file: Symbol::new(file),
            line: Some(7),
            code: None,
            owner: Owner::Spark,
            place: top.place,
        })
        .collect();
    let story = story(incident(vec![top], side, "execution"), "3.5.1");
    let mut said = Rulebook::built_in().diagnose(&story, &[]).remove(0);
    assert!(!said.fixes.is_empty(), "{class}: {message}");
    said.fixes.remove(0)
}

/// All that a fix says and shows.
fn told(fix: &Fix) -> String {
    let steps = fix.steps.iter();
    let steps = steps.map(|step| format!("{}\n{}", step.text, step.code.as_deref().unwrap_or("")));
    steps.collect::<Vec<_>>().join("\n")
}

#[test]
fn steps_fit_what_failed() {
    let worker: &[(&str, &str)] = &[("", "/opt/spark/python/lib/pyspark.zip/pyspark/worker.py")];
    let rdd: &[(&str, &str)] = &[("", "/opt/spark/python/lib/pyspark.zip/pyspark/rdd.py")];
    let jvm: &[(&str, &str)] = &[];
    let shell: &[(&str, &str)] = &[(
        "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver",
        "SparkSQLCLIDriver.scala",
    )];
    #[rustfmt::skip]
    let rows = [
        // Class, message, side, frames; what is said of it, and what is for another job.
        ("java.io.FileNotFoundException", "/data/in.csv (Permission denied)", "jvm-executor", jvm, "namei -l \"/data/in.csv\"", "hdfs dfs"),
        ("org.apache.spark.SparkNumberFormatException", "[CAST_INVALID_INPUT] The value 'x' of the type \"STRING\" cannot be cast to \"INT\" because it is malformed.", "jvm-driver", shell, "INSERT INTO <quarantine table>", "F.expr"),
        ("org.apache.spark.SparkException", "Could not execute broadcast in 300 secs.", "jvm-driver", shell, "SET spark.sql.autoBroadcastJoinThreshold = -1;", "spark.conf.set"),
        ("io.fabric8.kubernetes.client.KubernetesClientException", "pods is forbidden: User \"system:serviceaccount:etl:tides\" cannot create resource \"pods\" in API group \"\" in the namespace \"etl\".", "cluster", jvm, "--serviceaccount=\"etl:tides\"", "hdfs dfs"),
        ("com.google.api.client.googleapis.json.GoogleJsonResponseException", "404 Not Found: The specified bucket does not exist.", "jvm-driver", jvm, "gcloud storage buckets list", "aws "),
        ("com.amazonaws.services.s3.model.AmazonS3Exception", "The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error Code: NoSuchBucket)", "jvm-driver", jvm, "aws s3 ls", "gcloud"),
        ("java.lang.IllegalArgumentException", "Error parsing ' 5 secnds' to interval, invalid unit 'secnds'", "jvm-driver", jvm, "SELECT INTERVAL '5 secnds'", "env |"),
        ("org.apache.hudi.exception.HoodieException", "Config conflict(key\tcurrent value\texisting value):\nRecordKey:\ttide_id\tid", "jvm-driver", jvm, "recordkey.field\", \"id\")", "env |"),
        ("org.elasticsearch.hadoop.EsHadoopNoNodesLeftException", "Connection error (check network and/or proxy settings)- all nodes failed; tried [[192.0.2.5:9200, 192.0.2.6:9200]]", "jvm-executor", jvm, "nc -vz \"192.0.2.5\" \"9200\"", "443"),
        ("org.apache.spark.sql.AnalysisException", "[DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE] Cannot resolve \"explode(tags)\" due to data type mismatch: Parameter 1 requires the (\"ARRAY\" or \"MAP\") type, however \"tags\" has the type \"STRING\".", "jvm-driver", jvm, "selectExpr(\"explode(tags)\")", "AS ARRAY"),
        ("PermissionError", "[Errno 13] Permission denied: '/var/lib/x'", "python-worker", worker, "setfacl -m \"u:", "hdfs dfs"),
        ("org.apache.hadoop.security.AccessControlException", "Permission denied: user=etl, access=WRITE, inode=\"/lake\":hdfs:hdfs:drwxr-xr-x", "jvm-driver", jvm, "hdfs dfs -setfacl -R -m \"user:etl:rwx\" \"/lake\"", "namei"),
        ("org.apache.hadoop.security.token.SecretManager$InvalidToken", "token (HDFS_DELEGATION_TOKEN token 7 for etl) is expired", "jvm-executor", jvm, "--keytab", "aws "),
        ("com.amazonaws.AmazonClientException", "No AWS Credentials provided by SimpleAWSCredentialsProvider", "jvm-driver", jvm, "fs.s3a.aws.credentials.provider", "klist"),
        ("javax.net.ssl.SSLHandshakeException", "PKIX path building failed: unable to find valid certification path to requested target", "jvm-driver", jvm, "keytool -importcert", "klist"),
        ("com.amazonaws.services.glue.model.AccessDeniedException", "User: arn:aws:sts::1:assumed-role/etl/Run is not authorized to perform: glue:GetTable on resource: arn:aws:glue:eu:1:catalog (Status Code: 400)", "jvm-driver", jvm, "role/etl\" --action-names \"glue:GetTable\"", "hadoop fs"),
        ("io.grpc.StatusRuntimeException", "UNAVAILABLE: Transport closed for unknown reason", "jvm-executor", jvm, "keepAliveTime", "fs.s3a"),
        ("IndexError", "list index out of range", "python-worker", rdd, "rdd.flatMap(guarded)", "df.filter"),
        ("IndexError", "list index out of range", "python-worker", worker, "return None", "rdd"),
        ("ValueError", "could not convert string to float: '1.012,50'", "python-worker", worker, "replace(\",\", \".\")", "try_cast(`<column>` AS DOUBLE)\"))"),
        ("java.lang.NoSuchMethodError", "'double com.acme.util.Money.round(double, int)'", "jvm-executor", jvm, "jar with com.acme.util.Money", "spark.jars.packages"),
        ("java.lang.NoSuchMethodError", "'scala.collection.immutable.Seq org.apache.spark.sql.X.of(int)'", "jvm-executor", jvm, "spark.jars.packages", "userClassPathFirst"),
        ("org.apache.spark.SparkException", "Unseen label: SE. To handle unseen labels, set Param handleInvalid to keep.", "jvm-executor", jvm, "setHandleInvalid(\"keep\")", "isin('SE')"),
        ("org.apache.spark.sql.AnalysisException", "[INVALID_WHERE_CONDITION] The WHERE condition contains invalid expressions: sum(x).", "jvm-driver", jvm, "GROUP BY day) WHERE total", "LEFT SEMI"),
        ("org.apache.spark.sql.AnalysisException", "[UNSUPPORTED_FEATURE.TABLE_OPERATION] Table `c`.`d`.`t` does not support UPDATE TABLE.", "jvm-driver", jvm, "spark.table(\"c.d.t\")", "LEFT SEMI"),
        ("org.apache.spark.sql.AnalysisException", "Queries with streaming sources must be executed with writeStream.start()", "jvm-driver", jvm, "writeStream.option", "withWatermark"),
        ("java.lang.IllegalArgumentException", "Data type string of column country is not supported.", "jvm-driver", jvm, "StringIndexer(inputCol=\"country\"", "try_cast"),
        ("PySparkTypeError", "field age: LongType() can not accept object '29' in type <class 'str'>", "python-driver", jvm, "schema[\"age\"].dataType", "`age` <"),
        ("PySparkRuntimeError", "[RESULT_COLUMN_NAMES_MISMATCH] Column names of the returned data do not match specified schema. Missing: id. Unexpected: ident.", "python-worker", worker, "\"ident\": \"id\"", ".item()"),
        ("pyarrow.lib.ArrowInvalid", "Could not convert 'low' with type str: tried to convert to int64", "python-worker", worker, "pd.to_numeric", "@F.udf(\"double\")"),
        ("RuntimeError", "rate limit exceeded, retry after 180s", "python-worker", worker, "longest=180", "tries=6"),
    ];
    for (class, message, side, frames, has, lacks) in rows {
        let fix = first_fix(class, message, side, frames);
        let told = told(&fix);
        assert!(
            told.contains(has),
            "{class}: {message}\nno {has} in\n{told}"
        );
        assert!(
            !told.contains(lacks),
            "{class}: {message}\n{lacks} in\n{told}"
        );
    }
}
