"""A column that adds to itself hundreds of times: its expression is as deep as that."""

from pyspark.sql import SparkSession, functions as F


def totals(spark):
    total = F.col("id")
    for _ in range(700):
        total = total + F.col("id")
    return spark.range(3).select(total.alias("total")).collect()


if __name__ == "__main__":
    spark = SparkSession.builder.appName("deep-plan").getOrCreate()
    print(totals(spark))
