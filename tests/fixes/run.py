"""Runs jobs one after the other on one JVM, as if each were submitted with its own settings.

In: on standard input, a JSON list of jobs: their name, file and settings. Out: on standard output what the jobs and Spark
print, in a file that is open for appending; beside it, in the file that the first argument names, a line of JSON for each
job: its name, whether it ended well, and where its part of the log begins and ends.
"""

import json
import os
import runpy
import sys
import traceback

from pyspark import SparkContext
from pyspark.sql import SparkSession


def end_of_log():
    sys.stdout.flush()
    sys.stderr.flush()
    return os.lseek(1, 0, os.SEEK_END)


def run(job):
    """Runs it as a script; its traceback begins in its own file, as it would without this one."""
    folder = os.path.dirname(job)
    os.chdir(folder)
    sys.path.insert(0, folder)
    try:
        runpy.run_path(job, run_name="__main__")
        return True
    except BaseException as error:
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename != job:
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        return False
    finally:
        sys.path.remove(folder)
        for name in [n for n, m in sys.modules.items() if getattr(m, "__file__", None) and m.__file__.startswith(folder)]:
            del sys.modules[name]


def main():
    jobs = json.load(sys.stdin)
    SparkContext._ensure_initialized()
    system = SparkContext._jvm.java.lang.System
    with open(sys.argv[1], "w") as ends:
        for job in jobs:
            begin = end_of_log()
            before = {key: system.getProperty(key) for key in job["settings"]}
            for key, value in job["settings"].items():
                system.setProperty(key, value)
            ok = run(job["file"])
            if len(jobs) > 1 and SparkSession.getActiveSession():
                SparkSession.getActiveSession().stop()
            print(json.dumps({"name": job["name"], "ok": ok, "begin": begin, "end": end_of_log()}), file=ends, flush=True)
            if len(jobs) > 1:
                for key, value in before.items():
                    system.clearProperty(key) if value is None else system.setProperty(key, value)


main()
