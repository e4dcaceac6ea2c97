"""A year of archives with Spark: reads fixes from Parquet, runs `worker.mjs` once for each partition of units, writes a folder of Parquet for each table.

spark-submit archive.py --fixes FOLDER --job job.json --out FOLDER [--partitions N] [--worker PATH]

The columns of the fixes are those of `Fix` with `unit_id` (text) and `time` (epoch milliseconds or a timestamp): lon, lat, and as far as they are there
speedKph, courseDegrees, accuracyMeters, altitudeMeters, satellites, ignition, mileageMeters, mileageDeltaMeters.
"""

import argparse
import json
import os
import subprocess
import sys
import threading

from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import StringType, StructField, StructType, TimestampNTZType, TimestampType

FIELDS = ["lon", "lat", "speedKph", "courseDegrees", "accuracyMeters", "altitudeMeters", "satellites", "ignition", "mileageMeters", "mileageDeltaMeters"]
TABLES = ["visits", "movement", "ledger", "trips", "issues", "rejected"]
ROW = StructType([StructField(name, StringType(), False) for name in ("table", "unit_id", "row")])


def worker(command, job):
    """A function of a partition's rows: pipes them through one process of the library."""

    def run(rows):
        process = subprocess.Popen([*command, job], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def feed():
            try:
                with process.stdin as pipe:
                    for row in rows:
                        pipe.write(json.dumps(row.asDict()) + "\n")
            except BrokenPipeError:
                pass  # The exit code says why.

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        for line in process.stdout:
            answer = json.loads(line)
            yield (answer["table"], answer["unit_id"], answer["row"])
        feeder.join()
        if process.wait() != 0:
            raise RuntimeError(f"expected the worker to end with 0, received {process.returncode}")

    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fixes", required=True)
    parser.add_argument("--job", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--partitions", type=int, default=200)
    parser.add_argument("--worker", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.mjs"))
    given = parser.parse_args()

    spark = SparkSession.builder.appName("wayzone").getOrCreate()
    fixes = spark.read.parquet(given.fixes)
    missing = [name for name in ("unit_id", "time", "lon", "lat") if name not in fixes.columns]
    if missing:
        sys.exit(f"expected columns unit_id, time, lon and lat, received none named {', '.join(missing)}")
    if isinstance(fixes.schema["time"].dataType, (TimestampType, TimestampNTZType)):
        fixes = fixes.withColumn("time", f.unix_millis(f.col("time").cast("timestamp")))
    fixes = fixes.select("unit_id", "time", *[name for name in FIELDS if name in fixes.columns])
    # All fixes of a unit are in one partition, in a row and in order of time.
    units = fixes.repartition(given.partitions, "unit_id").sortWithinPartitions("unit_id", "time")
    rows = spark.createDataFrame(units.rdd.mapPartitions(worker(["node", given.worker], given.job)), ROW)
    # One pass of the library for all tables; the rows of a lost executor are computed again.
    rows.write.mode("overwrite").partitionBy("table").parquet(os.path.join(given.out, "rows"))
    for table in TABLES:
        own = spark.read.schema(ROW).parquet(os.path.join(given.out, "rows")).where(f.col("table") == table)
        texts = own.select("unit_id", "row")
        sample = texts.limit(1).collect()
        if not sample:
            continue
        schema = spark.read.json(texts.rdd.map(lambda one: one.row)).schema
        texts.select("unit_id", f.from_json("row", schema).alias("row")).select("unit_id", "row.*").write.mode("overwrite").parquet(
            os.path.join(given.out, table)
        )
    spark.stop()


if __name__ == "__main__":
    main()
