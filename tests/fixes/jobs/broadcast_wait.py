from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("slow-lookup").getOrCreate()

import time


def looked_up(code):
    time.sleep(3)
    return code


def main():
    spark = build_session()
    orders = spark.createDataFrame([("SE",), ("NO",)], "code string")
    names = spark.createDataFrame([("SE",), ("NO",)], "code string").select(F.udf(looked_up, "string")("code").alias("code"))
    print(orders.join(F.broadcast(names), "code").count())


main()
