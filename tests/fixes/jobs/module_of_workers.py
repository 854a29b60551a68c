from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("price-rules").getOrCreate()

import price_rules


def main():
    spark = build_session()
    orders = spark.range(3)
    print(orders.select(F.udf(price_rules.with_tax, "double")("id")).collect())


main()
