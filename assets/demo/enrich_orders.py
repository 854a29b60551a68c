"""Joins the day's orders with their customers, converts them to euros and writes them to the lake."""

import argparse
import json
import urllib.request
from datetime import date

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

RATES_URL = "http://rates.internal.shop.example:8085/v1/rates"
BASE_CURRENCY = "EUR"

ORDERS = T.StructType(
    [
        T.StructField("order_id", T.LongType()),
        T.StructField("customer_id", T.LongType()),
        T.StructField("currency", T.StringType()),
        T.StructField("amount", T.DoubleType()),
        T.StructField("ordered_at", T.TimestampType()),
    ]
)

CUSTOMERS = T.StructType(
    [
        T.StructField("customer_id", T.LongType()),
        T.StructField("country", T.StringType()),
        T.StructField("age", T.StringType()),
    ]
)


def build_session() -> SparkSession:
    return (
        SparkSession.builder.appName("enrich-orders")
        .config("spark.sql.adaptive.enabled", "false")
        .getOrCreate()
    )


def fetch_rates(day: str) -> dict:
    with urllib.request.urlopen(f"{RATES_URL}?day={day}", timeout=10) as answer:
        return json.load(answer)


def load_rates(spark: SparkSession, day: str) -> DataFrame:
    """One row a currency; the service is asked from an executor, the driver may not reach it."""

    def rows(days):
        for one in days:
            for currency, rate in fetch_rates(one).items():
                yield currency, float(rate)

    return spark.sparkContext.parallelize([day], 1).mapPartitions(rows).toDF(["currency", "rate"])


def load_orders(spark: SparkSession, root: str, day: str) -> DataFrame:
    return spark.read.schema(ORDERS).option("header", True).csv(f"{root}/orders/day={day}")


def load_customers(spark: SparkSession, root: str) -> DataFrame:
    return spark.read.schema(CUSTOMERS).option("header", True).csv(f"{root}/customers")


def to_base_currency(orders: DataFrame, rates: DataFrame) -> DataFrame:
    converted = orders.join(F.broadcast(rates), "currency", "left")
    return converted.withColumn(
        "amount_eur",
        F.when(F.col("currency") == BASE_CURRENCY, F.col("amount")).otherwise(
            F.col("amount") * F.col("rate")
        ),
    )


AGE_BANDS = ((18, "minor"), (30, "18-29"), (45, "30-44"), (65, "45-64"))


def band_of(age: int) -> str:
    for limit, name in AGE_BANDS:
        if age < limit:
            return name
    return "65+"


def parse_age(text: str) -> int:
    return int(text.strip())


@F.udf(T.StringType())
def age_band(text: str) -> str:
    return band_of(parse_age(text))


def enrich(orders: DataFrame, customers: DataFrame) -> DataFrame:
    return (
        orders.join(customers, "customer_id")
        .withColumn("age_band", age_band("age"))
        .drop("age")
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--root", required=True)
    arguments.add_argument("--day", default=date.today().isoformat())
    options = arguments.parse_args()

    spark = build_session()
    spark.sparkContext.setLogLevel("INFO")
    rates = load_rates(spark, options.day)
    print(f"rates for {options.day}: {rates.count()} currencies")

    orders = to_base_currency(load_orders(spark, options.root, options.day), rates)
    customers = load_customers(spark, options.root)
    enriched = enrich(orders, customers)
    (
        enriched.repartition("country")
        .write.mode("overwrite")
        .parquet(f"{options.root}/enriched/day={options.day}")
    )
    spark.stop()


if __name__ == "__main__":
    main()
