from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("old-dates").getOrCreate()


def main():
    spark = build_session()
    days = spark.createDataFrame([("2024-1-5",)], "day string")
    print(days.select(F.to_date("day", "yyyy-MM-dd")).collect())


main()
