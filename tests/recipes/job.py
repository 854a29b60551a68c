"""Runs pieces of code that recipes give, and prints what is seen before and after each of them.

In: a JSON object of code by name on standard input. Out: lines `== name: before` and `== name: after`, each with what was seen.
"""

import json
import sys

from pyspark.sql import SparkSession, functions as F

code = json.load(sys.stdin)
spark = SparkSession.builder.master("local[1]").getOrCreate()
df = spark.createDataFrame([("1",), ("x",)], "`<column>` string")


@F.udf("int")
def my_udf(text):
    return len(text)


@F.udf("int")
def broken(text):
    return int(text)


@F.udf("int")
def crashing(text):
    import ctypes

    return ctypes.string_at(0)


def failure_of(call):
    try:
        call()
    except Exception as error:
        return str(error)
    return "nothing failed"


def seen(name, look):
    print(f"== {name}: before", flush=True)
    print(look(), flush=True)
    print(f"== {name}: after", flush=True)
    exec(code[name], globals())
    print(look(), flush=True)


seen("full-worker-trace", lambda: failure_of(lambda: df.select(broken("<column>")).collect()))
seen("jvm-trace", lambda: failure_of(lambda: df.select("nowhere")))
seen("worker-crash-trace", lambda: failure_of(lambda: df.select(crashing("<column>")).collect()))
for name in ["profile-worker perf", "profile-worker memory"]:
    seen(name, lambda: "")
