from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("all-orders").getOrCreate()


def main():
    spark = build_session()
    shop = spark.createDataFrame([(1, 3.5)], "id long, amount double")
    web = spark.createDataFrame([(2, 1.0, "SE")], "id long, amount double, country string")
    both = shop.union(web)
    print(both.collect())


main()
