from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
df = spark.range(10).withColumn("pct", F.col("id") * 20)
checked = df.withColumn("_", F.assert_true(F.col("pct") <= 100, "pct above 100"))
print(checked.count(), checked.agg(F.max("_")).first())
