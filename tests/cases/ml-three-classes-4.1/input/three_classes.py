from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.linalg import Vectors
df = spark.createDataFrame([(float(i % 3), Vectors.dense(float(i), 1.0)) for i in range(30)], ["label", "features"])
LogisticRegression(family="binomial").fit(df)
