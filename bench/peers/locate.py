"""The zones of positions by libraries of Python. `locate.py NAME ZONES.geojson FIXES.csv > OUT.ndjson`: the rows of naiveLocate.mjs.
Exit code 3: the library is not installed."""

import csv
import json
import sys
from datetime import datetime

name, zone_file, fix_file = sys.argv[1:4]


def by_shapely():
    import numpy as np
    import shapely

    with open(zone_file) as file:
        features = json.load(file)["features"]
    tree = shapely.STRtree([shapely.Polygon(*f["geometry"]["coordinates"]) for f in features])
    with open(fix_file) as file:
        rows = [(row[0], row[1], float(row[2]), float(row[3])) for row in list(csv.reader(file))[1:]]
    points = shapely.points(np.array([row[2:4] for row in rows]))
    found = [[] for _ in rows]
    for row, zone in sorted(tree.query(points, predicate="intersects").T.tolist()):
        found[row].append(features[zone]["id"])
    return rows, found


def by_geopandas():
    import geopandas as gpd
    import pandas as pd

    zones = gpd.read_file(zone_file)
    fixes = pd.read_csv(fix_file)
    points = gpd.GeoDataFrame(fixes, geometry=gpd.points_from_xy(fixes.lon, fixes.lat), crs=zones.crs)
    pairs = points[["geometry"]].sjoin(zones[["id", "geometry"]], predicate="intersects")
    found = [[] for _ in range(len(fixes))]
    for row, _, zone in sorted(zip(pairs.index, pairs.index_right, pairs.id)):
        found[row].append(zone)
    return zip(fixes.unit, fixes.time, fixes.lon, fixes.lat), found


def number(value):
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


try:
    fixes, zones_of = {"shapely": by_shapely, "geopandas": by_geopandas}[name]()
except ImportError:
    sys.exit(3)
out = []
for (unit, time, lon, lat), zones in zip(fixes, zones_of):
    at = round(datetime.fromisoformat(time).timestamp() * 1000)
    ids = ",".join(f'"{zone}"' for zone in zones)
    out.append(f'{{"unitId":"{unit}","time":{at},"lon":{number(lon)},"lat":{number(lat)},"zones":[{ids}]}}\n')
    if len(out) == 4096:
        sys.stdout.write("".join(out))
        out = []
sys.stdout.write("".join(out))
