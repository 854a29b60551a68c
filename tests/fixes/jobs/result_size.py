from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("pulled-rows").getOrCreate()


def main():
    spark = build_session()
    rows = spark.range(0, 40, 1, 4).select(F.expr("concat_ws('', transform(sequence(1, 2000), i -> uuid()))").alias("text"))
    print(len(rows.collect()))


main()
