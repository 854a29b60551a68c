from pyspark.sql import SparkSession, functions as F, types as T


def build_session():
    return SparkSession.builder.appName("age-bands").getOrCreate()


def parse_age(text):
    return int(text.strip())


def band_of(age):
    return age // 10 * 10


def age_band(text):
    return band_of(parse_age(text))


def main():
    spark = build_session()
    people = spark.createDataFrame([("31",), ("unknown",), ("45",)], "age string")
    print(people.select(F.udf(age_band, "int")("age")).collect())


main()
