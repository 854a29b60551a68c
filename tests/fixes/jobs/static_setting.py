from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("memory-tune").getOrCreate()


def main():
    spark = build_session()
    spark.conf.set("spark.executor.memory", "2g")
    print(spark.range(10).count())


main()
