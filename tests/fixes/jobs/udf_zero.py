from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("unit-price").getOrCreate()


def unit_price(amount, pieces):
    return float(amount) / int(pieces)


unit_price_udf = F.udf(unit_price, T.DoubleType())


def main():
    spark = build_session()
    orders = spark.createDataFrame([("9.0", "3"), ("4.0", "0")], "amount string, pieces string")
    print(orders.select(unit_price_udf("amount", "pieces")).collect())


main()
