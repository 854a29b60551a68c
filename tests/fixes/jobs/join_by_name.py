from pyspark.sql import SparkSession


def main():
    spark = SparkSession.builder.getOrCreate()
    orders = spark.createDataFrame([(1, 10), (2, 20)], ["id", "amount"])
    people = spark.createDataFrame([(1, "Ada"), (2, "Grace")], ["id", "name"])
    joined = orders.join(people, orders.id == people.id).select("id", "amount", "name")
    assert joined.count() == 2


main()
