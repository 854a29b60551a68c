from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("orders-daily").getOrCreate()


def main():
    spark = build_session()
    orders = spark.createDataFrame([(1, 3.5), (2, 1.0)], "customer_id long, amount double")
    daily = orders.groupBy("custmer_id").agg(F.sum("amount").alias("amount"))
    print(daily.collect())


main()
