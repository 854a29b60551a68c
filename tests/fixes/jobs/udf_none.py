from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("mail-domains").getOrCreate()


def domain(address):
    return address.split("@")[1].lower()


def main():
    spark = build_session()
    people = spark.createDataFrame([("a@shop.example",), (None,)], "mail string")
    print(people.select(F.udf(domain, "string")("mail")).collect())


main()
