// The script that a user would write: `node naiveLocate.mjs ZONES.geojson FIXES.csv > OUT.ndjson`. It checks nothing.
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import Flatbush from 'flatbush';
import inside from 'point-in-polygon-hao';

const { features } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const boxes = new Flatbush(features.length);
for (const { geometry } of features) {
  const [lons, lats] = [0, 1].map((axis) => geometry.coordinates[0].map((pair) => pair[axis]));
  boxes.add(Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats));
}
boxes.finish();
let out = [];
let header = true;
for await (const line of createInterface({ input: createReadStream(process.argv[3]) })) {
  if (header) {
    header = false;
    continue;
  }
  const [unitId, time, x, y] = line.split(',');
  const [lon, lat] = [Number(x), Number(y)];
  const zones = boxes
    .search(lon, lat, lon, lat)
    .filter((i) => inside([lon, lat], features[i].geometry.coordinates) !== false)
    .sort((a, b) => a - b)
    .map((i) => features[i].id);
  out.push(JSON.stringify({ unitId, time: Date.parse(time), lon, lat, zones }));
  if (out.length < 4096) continue;
  process.stdout.write(`${out.join('\n')}\n`);
  out = [];
}
if (out.length > 0) process.stdout.write(`${out.join('\n')}\n`);
