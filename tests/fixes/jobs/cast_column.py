from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("typed-orders").getOrCreate()


def main():
    spark = build_session()
    orders = spark.createDataFrame([("3",), ("three",)], "pieces string")
    typed = orders.select(F.col("pieces").cast("int").alias("pieces"))
    print(typed.collect())


main()
