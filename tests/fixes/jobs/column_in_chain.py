from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("orders-weekly").getOrCreate()


def weekly(orders):
    return (
        orders.filter("amount > 0")
        .select("customer_id", "amuont")
        .groupBy("customer_id")
        .count()
    )


def main():
    spark = build_session()
    orders = spark.createDataFrame([(1, 3.5), (2, 1.0)], "customer_id long, amount double")
    print(weekly(orders).collect())


main()
