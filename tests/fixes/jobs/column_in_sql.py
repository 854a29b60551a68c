from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("revenue-report").getOrCreate()


def main():
    spark = build_session()
    spark.createDataFrame([("SE", 3.5), ("NO", 1.0)], "country string, revenue double").createOrReplaceTempView("daily")
    report = spark.sql("""
        SELECT country, sum(revenu) AS total
          FROM daily
         GROUP BY country
    """)
    print(report.collect())


main()
