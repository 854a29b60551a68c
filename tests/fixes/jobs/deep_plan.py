from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("deep-plan").getOrCreate()


def main():
    spark = build_session()
    total = F.lit(0)
    for i in range(3000):
        total = total + F.col("id") * i
    print(spark.range(3).select(total.alias("total")).collect())


main()
