// `node jobProbe.mjs KIND FILE [OUT]`: makes one library call on one file. bench/jobs.ts measures the process.
import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { parse } from 'csv-parse';
import {
  fromGeoJson,
  fromKml,
  readCsv,
  readGeoJson,
  readParquet,
  toParquet,
} from '../dist/interchange/index.js';

const [, , kind, file, out] = process.argv;
const chunks = () => createReadStream(file, { highWaterMark: 262_144 });
const options = { limits: { maxBytes: Number.POSITIVE_INFINITY } };
let seen = 0;
const onFixes = ({ length }) => {
  seen += length;
};

async function csv(more) {
  const second = openSync(file, 'r');
  const bytes = Buffer.alloc(300);
  readSync(second, bytes);
  closeSync(second);
  const head = bytes.toString('latin1').split(/\r?\n/)[1] ?? '';
  const timeFormat = /\d{4}-\d\d-\d\dT/.test(head) ? 'iso' : 'epoch-milliseconds';
  return readCsv(chunks(), { ...options, timeFormat, ...more });
}

const KINDS = {
  nothing: () => undefined,
  'csv-columns': () => csv({ onFixes }),
  'csv-fixes': async () => {
    const { value } = await csv({});
    for (const { fixes } of value.tracks) seen += fixes.length;
  },
  'csv-parse': async () => {
    for await (const _ of chunks().pipe(parse())) seen++;
  },
  'to-parquet': async () => {
    const rows = [];
    await csv({
      onFixes: (batch) => {
        for (let i = 0; i < batch.length; i++) {
          rows.push([
            batch.unitIds[batch.unit[i]],
            batch.time[i],
            batch.lon[i],
            batch.lat[i],
            batch.speedKph[i],
            batch.courseDegrees[i],
          ]);
        }
      },
    });
    const columns = {
      unit: 'text',
      time: 'time',
      lon: 'number',
      lat: 'number',
      speed_kph: 'number',
      course: 'number',
    };
    writeFileSync(out, await toParquet(columns, rows));
    seen = rows.length;
  },
  parquet: () => readParquet(readFileSync(file), { onFixes }),
  geojson: () => {
    seen = fromGeoJson(readFileSync(file)).value.zones.length;
  },
  // The reader of `locate` and `visits`. No subpath exports it; the command line imports it from a chunk.
  'geojson-flat': async () => {
    const chunks = new URL('../src/cli/dist/chunks/', import.meta.url);
    const name = readdirSync(chunks).find((chunk) => chunk.startsWith('fromGeoJson-'));
    const { flatReadGeoJson } = await import(new URL(name, chunks));
    seen = (await flatReadGeoJson([readFileSync(file)], {}, 'index')).value.zones.length;
  },
  kml: () => {
    seen = fromKml(readFileSync(file)).value.zones.length;
  },
  'geojson-chunks': async () => {
    seen = (await readGeoJson(chunks(), options)).value.zones.length;
  },
  json: () => {
    seen = JSON.parse(readFileSync(file, 'utf8')).features.length;
  },
};
await KINDS[kind]();
if (kind !== 'nothing' && seen === 0) throw new Error(`expected ${kind} to read ${file}, received nothing`);
