"""Levels of tides by station, with a slow UDF."""
import os, sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf, col, pandas_udf
from pyspark.sql.types import DoubleType
import pandas as pd

mode = sys.argv[1]
b = SparkSession.builder.appName("tide-levels").master("local[2]")
if "cprofile" in mode:
    b = b.config("spark.python.profile", "true")
if "memory" in mode and "spark4" not in mode:
    b = b.config("spark.python.profile.memory", "true")
spark = b.getOrCreate()
if "spark4perf" in mode:
    spark.conf.set("spark.sql.pyspark.udf.profiler", "perf")
if "spark4mem" in mode:
    spark.conf.set("spark.sql.pyspark.udf.profiler", "memory")
sc = spark.sparkContext


def smooth(level):
    total = 0.0
    for i in range(60):
        total += (level * i) % 7
    return total


@udf("double")
def corrected(level):
    if level is None:
        return None
    window = [level + i for i in range(30)]
    return smooth(level) + sum(window)


@pandas_udf("double")
def scaled(levels: pd.Series) -> pd.Series:
    big = pd.concat([levels] * 20)
    spread = big.max() - big.min()
    return levels / (spread or 1.0)


df = spark.range(20000).withColumn("level", col("id") * 0.5)
out = df.withColumn("c", corrected("level")).withColumn("s", scaled("level"))
out.selectExpr("sum(c)", "sum(s)").show()
df.withColumn("c", corrected(col("id").cast("double"))).selectExpr("max(c)").collect()
if "rdd" in mode:
    print(sc.parallelize(range(5000), 2).map(lambda x: smooth(x)).sum())
if "show" in mode:
    if "spark4" in mode:
        spark.profile.show()
        if "spark4perf" in mode:
            spark.showPerfProfiles()
        else:
            spark.showMemoryProfiles()
    else:
        sc.show_profiles()
print("levels written")
spark.stop()
