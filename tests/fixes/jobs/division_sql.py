from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("shares-sql").getOrCreate()


def main():
    spark = build_session()
    spark.createDataFrame([(3, 4), (1, 0)], "returned int, sold int").createOrReplaceTempView("days")
    print(spark.sql("SELECT returned / sold AS share FROM days").collect())


main()
