// The script that a user would write: `node naiveToKml.mjs ZONES.geojson OUT.kml`. It writes names and properties without styles.
import { readFileSync, writeFileSync } from 'node:fs';
import { toKML } from '@placemarkio/tokml';

writeFileSync(process.argv[3], toKML(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
