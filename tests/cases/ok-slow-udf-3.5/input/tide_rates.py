"""Rates of stations: what a slow UDF looks like in Spark's own profiles."""
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("tide-rates").getOrCreate()


def smooth(level):
    total = 0.0
    for i in range(200):
        total += (level * i) % 7
    return total


@F.udf("double")
def corrected(level):
    window = [level + i for i in range(30)]
    return smooth(level) + sum(window)


@F.udf("string")
def rate_of(station):
    time.sleep(0.01)
    return f"rate {station % 7}"


df = spark.range(60000).withColumn("level", F.col("id") * 0.5)
df.withColumn("c", corrected("level")).selectExpr("sum(c)").show()
spark.range(150).withColumn("rate", rate_of("id")).groupBy("rate").count().show()
print(spark.sparkContext.parallelize(range(5000), 2).map(lambda x: smooth(x)).sum())
print("rates written")
if len(sys.argv) > 1:
    spark.profile.show(type=sys.argv[1])
spark.stop()
