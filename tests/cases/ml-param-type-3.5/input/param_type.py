from pyspark.sql import SparkSession, functions as F, types as T
spark = SparkSession.builder.appName("job").getOrCreate()
from pyspark.ml.classification import RandomForestClassifier
rf = RandomForestClassifier(numTrees="many")
