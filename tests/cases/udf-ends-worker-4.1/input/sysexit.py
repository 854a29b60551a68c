from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
import sys
@F.udf("string")
def norm(s):
    if s is None:
        sys.exit("no name given")
    return s.strip()
spark.createDataFrame([("a",), (None,)], "s string").repartition(1).select(norm("s")).show()
