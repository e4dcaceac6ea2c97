"""Parkings that libraries of Python find. `stays.py NAME FOLDER`: reads the tracks *.csv (time in ms, lon, lat), prints JSON:
{"version", "seconds", "tracks": {file: [[from, to], ...]}}. Every library gets places of 50 m and 300 s; `seconds` is the processor time of its
detection, its own tables are made before. Exit code 3: the library is not installed."""

import glob
import json
import os
import sys
import time
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")
name, folder = sys.argv[1:3]


def trackintel_stays():
    import geopandas as gpd
    import pandas as pd
    import trackintel as ti

    def table(rows):
        frame = gpd.GeoDataFrame({"user_id": 0, "tracked_at": pd.to_datetime(rows.time, unit="ms", utc=True)}, geometry=gpd.points_from_xy(rows.lon, rows.lat), crs="EPSG:4326")
        frame.index.name = "id"
        return ti.Positionfixes(frame)

    def stays(fixes):
        _, found = fixes.generate_staypoints(method="sliding", dist_threshold=50, time_threshold=5, gap_threshold=1e6, include_last=True)
        return [(a.timestamp(), b.timestamp()) for a, b in zip(found.started_at, found.finished_at)]

    return table, stays


def movingpandas_stays():
    from datetime import timedelta

    import geopandas as gpd
    import movingpandas as mpd
    import pandas as pd

    def table(rows):
        frame = gpd.GeoDataFrame(index=pd.to_datetime(rows.time, unit="ms"), geometry=gpd.points_from_xy(rows.lon, rows.lat), crs="EPSG:4326")
        return mpd.Trajectory(frame, "unit")

    def stays(fixes):
        found = mpd.TrajectoryStopDetector(fixes).get_stop_segments(max_diameter=100, min_duration=timedelta(minutes=5))
        utc = lambda at: at.tz_localize("UTC").timestamp()
        return [(utc(one.df.index[0]), utc(one.df.index[-1])) for one in found]

    return table, stays


def skmob_stays():
    import pandas as pd
    import skmob
    from skmob.preprocessing import detection

    def table(rows):
        frame = pd.DataFrame({"lat": rows.lat, "lng": rows.lon, "datetime": pd.to_datetime(rows.time, unit="ms"), "uid": 0})
        return skmob.TrajDataFrame(frame)

    def stays(fixes):
        found = detection.stay_locations(fixes, stop_radius_factor=0.5, minutes_for_a_stop=5.0, spatial_radius_km=0.05, leaving_time=True)
        utc = lambda at: at.tz_localize("UTC").timestamp()
        return [(utc(a), utc(b)) for a, b in zip(found.datetime, found.leaving_datetime)]

    return table, stays


LIBRARIES = {
    "trackintel": ("trackintel", trackintel_stays),
    "MovingPandas": ("movingpandas", movingpandas_stays),
    "scikit-mobility": ("scikit-mobility", skmob_stays),
}
package, make = LIBRARIES[name]
try:
    table, stays = make()
except ImportError:
    sys.exit(3)
import pandas as pd  # noqa: E402  after the library, whose absence is no failure

tracks, seconds = {}, 0.0
for file in sorted(glob.glob(os.path.join(folder, "*.csv"))):
    fixes = table(pd.read_csv(file))
    begin = time.process_time()
    tracks[os.path.basename(file)] = stays(fixes)
    seconds += time.process_time() - begin
json.dump({"version": version(package), "seconds": seconds, "tracks": tracks}, sys.stdout)
