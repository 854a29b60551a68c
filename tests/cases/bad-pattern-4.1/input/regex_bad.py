from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
spark.createDataFrame([("a(b",)], "s string").select(F.regexp_extract("s", "(unclosed", 1)).show()
