from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("nightly-export").getOrCreate()


def main():
    spark = build_session()
    rows = spark.range(3)
    rows.write.mode("overwrite").parquet("export")
    rows.write.parquet("export")
    print("exported")


main()
