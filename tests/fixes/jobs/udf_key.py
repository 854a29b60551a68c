from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("regions").getOrCreate()

REGIONS = {"DE": "central", "FR": "west"}


def region(country):
    return REGIONS[country]


def main():
    spark = build_session()
    orders = spark.createDataFrame([("DE",), ("SE",)], "country string")
    print(orders.select(F.udf(region, "string")("country")).collect())


main()
