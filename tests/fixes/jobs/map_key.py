from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("attributes").getOrCreate()


def main():
    spark = build_session()
    events = spark.createDataFrame([("mail", "a"), ("mail", "b")], "kind string, value string")
    rows = events.agg(F.map_from_entries(F.collect_list(F.struct("kind", "value"))).alias("attributes"))
    print(rows.collect())


main()
