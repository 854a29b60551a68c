from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
sc = spark.sparkContext
b = sc.broadcast({"a": 1})
r = sc.parallelize(["a", "b"], 2).map(lambda k: b.value.get(k))
print(r.collect())
b.destroy()
print(r.count())
