export const HELP = `wayzone: geozones and the visits that a fleet pays to them

Usage
  wayzone report --zones FILE... --tracks FILE... --out DIR [options]

Reads zones (.geojson, .json, .kml) and tracks (.gpx, .csv, .csv.gz, .kml), finds every unit's visits,
and writes into DIR: index.html (opens offline), visits.csv, zones.geojson, zones.kml, summary.json.
Without --zones and --tracks it reads the example city that comes with the package.

Files
  --zones FILE...         zones; may be given more than once
  --tracks FILE...        tracks; may be given more than once; the same unit in several files is joined
  --out DIR               made if it is not there
  --title TEXT            of the page (default: Visits to geozones)

Reading tracks
  --speed-unit UNIT       kph, mps or mph: what a column "speed" counts
  --unit-column NAME      and --time-column, --lat-column, --lon-column, --speed-column:
                          the names of CSV columns, where they are not the common ones
  --max-speed KPH         a fix faster than this to both neighbours is left out (default 300)

Reading zones
  --id-property NAME      the GeoJSON property that holds the id
  --name-property NAME    the GeoJSON property that holds the name
  --axis-order ORDER      lonlat (default) or latlon: the order of pairs in zones of the platform's own form
  --line-width HOW        total (default) or each-side: how a line's width counts
  --default-width METERS  for circles, points and lines without a width

Visits
  --exit-buffer METERS    a zone is left only this far outside (default 0)
  --min-inside SECONDS    a shorter stay is no visit (default 0)
  --min-outside SECONDS   a shorter absence ends no visit (default 0)
  --max-gap SECONDS       a longer silence is not bridged (default 3600)

  --help, --version

Exit code: 0 all was read, 1 something could not be read or written (the rest is in the report), 2 wrong use.

Examples
  wayzone report --out out/demo
  wayzone report --zones depots.geojson yards.kml --tracks monday.csv.gz --speed-unit mps --out out/monday
  wayzone report --zones taxi_zones.geojson --id-property LocationID --tracks a.gpx --tracks b.gpx --out out/taxi
`;
