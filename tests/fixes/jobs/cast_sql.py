from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("typed-orders-sql").getOrCreate()


def main():
    spark = build_session()
    spark.createDataFrame([("3",), ("three",)], "pieces string").createOrReplaceTempView("orders")
    print(spark.sql("SELECT CAST(pieces AS INT) AS pieces FROM orders").collect())


main()
