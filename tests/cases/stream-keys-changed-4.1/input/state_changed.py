from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
import os
os.makedirs("/data/lake/in/s", exist_ok=True)
open("/data/lake/in/s/1.json", "w").write('{"k": "a", "r": "x", "v": 1}')
src = spark.readStream.schema("k string, r string, v int").json("/data/lake/in/s")
def go(keys):
    q = src.groupBy(*keys).agg(F.sum("v")).writeStream.outputMode("complete").format("memory").queryName("m").option("checkpointLocation", "/data/lake/ck").trigger(availableNow=True).start()
    q.awaitTermination()
go(["k"])
open("/data/lake/in/s/2.json", "w").write('{"k": "b", "r": "y", "v": 1}')
go(["k", "r"])
