from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
r = spark.sparkContext.parallelize([(1, "a"), (None, "b"), ("x", "c")], 2)
print(r.sortByKey().collect())
