from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("small-driver").getOrCreate()


def main():
    spark = build_session()
    print(spark.range(10).count())


main()
