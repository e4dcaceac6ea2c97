import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LocatePool } from '../../src/cli/commands/locate/locatePool.js';
import { PlaceColumns } from '../../src/cli/commands/locate/placeColumns.js';
import { streamPlaces } from '../../src/cli/commands/locate/streamPlaces.js';
import { ZoneIndex } from '../../src/index.js';
import { seeded } from '../volume.js';
import { testFolder, wayzone } from './wayzone.js';

const WORKER = new URL('../../dist/cli/commands/locate/locateWorker.js', import.meta.url);
const ZONES = Array.from({ length: 30 }, (_, i) => ({
  id: `zone "${i}"`,
  type: { key: 'circle' as const },
  width: 20_000,
  geometry: [[37 + (i % 6) / 5, 55 + Math.floor(i / 6) / 5]] as [number, number][],
}));

/** Part of a quoted name that looks like rows. It makes pieces contain few rows and puts a quoted line end near each cut. */
const LONG = '\nu,2026-03-01T00:00:00Z,55,37'.repeat(8);

const { put: file } = testFolder('pool');

function fill(places: PlaceColumns, count: number, random: () => number): void {
  for (let i = 0; i < count; i++) places.push(`u${i % 7}`, i, 37 + random(), 55 + random());
}

/** A worker script that accepts the zones and runs `action` at its second batch. */
function broken(name: string, action: string): URL {
  const text = `import { parentPort } from 'node:worker_threads';
    let batches = 0;
    parentPort.on('message', (message) => {
      if (message.kind === 'order' || message.kind === 'file') return;
      if (++batches === 2) { ${action} }
      const { batch, bytes, columns = null } = message;
      const piece = bytes && { bytes, lines: 1, end: bytes.length, issues: { detailed: [], counts: [] } };
      parentPort.postMessage({ batch, rows: new TextEncoder().encode('row\\n'), columns, piece: piece ?? null, length: 1 });
    });`;
  return pathToFileURL(file(name, text));
}

test('several threads reading pieces of CSV give the rows and issues of one thread', async () => {
  const features = ZONES.slice(0, 4).map(({ id, type, width, geometry }) => ({
    type: 'Feature',
    id,
    properties: { type: type.key, width },
    geometry: { type: 'Point', coordinates: geometry[0] },
  }));
  const zones = file('zones.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  const random = seeded(9);
  const rows = (from: number, to: number, name: string = LONG): string[] =>
    Array.from({ length: to - from }, (_, i) => {
      const time = new Date(1_772_000_000_000 + from + i).toISOString();
      const lat = (from + i) % 2011 === 7 ? '"x\ny"' : (55 + random()).toFixed(6);
      return `"unit\n ""${i % 31}""${name}",${time},${lat},${(37 + random()).toFixed(6)}`;
    });
  const header = 'unit,time,lat,lon';
  const sound = [header, ...rows(0, 5500), ''].join('\n');
  // The row with CR LF, and all rows after it, can be read by csv-parse only.
  const mixed = [header, ...rows(0, 5000), `${rows(1, 2)[0]!}\r`, ...rows(5001, 5300)].join('\n');
  const few = file('few.csv', [header, ...rows(0, 40, '')].join('\n').slice(0, 2000));
  const packed = gzipSync(mixed);
  const inputs = [
    ['csv', '3', file('sound one.csv', sound), few],
    ['json', '2', file('mixed.csv', mixed), few],
    ['ndjson', '2', few, file('cut.csv.gz', packed.subarray(0, 0.97 * packed.length))],
  ] as const;
  for (const [format, threads, ...files] of inputs) {
    const argv = ['locate', zones, '--positions', ...files, '--format', format, '--workers'];
    const one = await wayzone(...argv, '1');
    const two = await wayzone(...argv, threads);
    expect([one.code, two.code]).toEqual([1, 1]);
    expect(one.out.length).toBeGreaterThan(1_300_000);
    expect(two.out === one.out, format).toBe(true);
    expect(two.err).toBe(one.err);
    if (format === 'json') expect(JSON.parse(two.out)).toHaveLength(one.out.split('\n').length - 3);
  }
});

test('rows stay correct when names are cleared between batches and batches grow', async () => {
  const index = new ZoneIndex(ZONES);
  const places = new PlaceColumns(10, false);
  let text = '';
  const write = (rows: Uint8Array): Promise<void> => {
    text += Buffer.from(rows).toString();
    return Promise.resolve();
  };
  const pool = new LocatePool(2, write, WORKER);
  try {
    pool.open(index, 'ndjson');
    for (const count of [3, 50, 1, 4000]) {
      fill(places, count, seeded(count));
      await pool.ask(places);
    }
    for (let i = 0; i < 100_001; i++) places.push(`point ${i}`, null, 37, 55);
    await pool.ask(places);
    places.clear();
    expect(places.names).toEqual([]);
    fill(places, 20, seeded(1));
    await pool.ask(places);
    await pool.end();
  } finally {
    await pool.close();
  }
  const rows = text.trimEnd().split('\n');
  expect(rows.length).toBe(3 + 50 + 1 + 4000 + 100_001 + 20);
  expect(JSON.parse(rows[0]!)).toMatchObject({ unitId: 'u0', time: 0, lon: 37 + seeded(3)() });
  const zones = index.at([37, 55]);
  expect(zones.length).toBeGreaterThan(0);
  expect(JSON.parse(rows[4054]!)).toEqual({ unitId: 'point 0', time: null, lon: 37, lat: 55, zones });
  expect(JSON.parse(rows.at(-1)!)).toMatchObject({ unitId: 'u5', time: 19 });
});

test.each([
  ['throws', "throw new Error('no more memory');", 'no more memory'],
  ['ends', 'process.exit(3);', 'its end with code 3'],
])(
  'a thread that %s ends the job with an error and without rows out of order',
  async (name, action, what) => {
    const places = new PlaceColumns(10, false);
    const written: Uint8Array[] = [];
    const write = (rows: Uint8Array): Promise<void> => {
      written.push(rows);
      return Promise.resolve();
    };
    const pool = new LocatePool(2, write, broken(`${name}.mjs`, action));
    const work = async (): Promise<void> => {
      pool.open(new ZoneIndex(ZONES), 'ndjson');
      for (let batch = 0; batch < 20; batch++) {
        fill(places, 5, seeded(batch));
        await pool.ask(places);
      }
      await pool.end();
    };
    await expect(work()).rejects.toMatchObject({
      code: 'worker-failed',
      field: 'workers',
      message: expect.stringContaining(what) as string,
    });
    await pool.close();
    expect(written.length).toBeLessThanOrEqual(2);
  },
);

test.each([
  ['throws', "throw new Error('no more memory');"],
  ['ends', 'process.exit(3);'],
])('a thread that %s while it reads CSV ends the job with an error', async (name, action) => {
  const path = file('many.csv', `unit,time,lat,lon\n${'u,2026-03-01T00:00:00Z,55,37\n'.repeat(300_000)}`);
  const places = new PlaceColumns(10, false);
  let written = 0;
  const write = (): Promise<void> => Promise.resolve(void written++);
  const pool = new LocatePool(2, write, broken(`csv-${name}.mjs`, action));
  const work = async (): Promise<void> => {
    const options = { axisOrder: 'lonlat', columns: {} } as const;
    const answer = (): Promise<void> => pool.ask(places);
    pool.open(new ZoneIndex(ZONES), 'ndjson');
    await streamPlaces(path, options, places, 10_000, answer, () => undefined, pool);
    await pool.end();
  };
  await expect(work()).rejects.toMatchObject({ code: 'worker-failed' });
  await pool.close();
  expect(written).toBeLessThanOrEqual(3);
});

test('an error while writing ends the job', async () => {
  const places = new PlaceColumns(10, false);
  const full = new Error('no room');
  const pool = new LocatePool(1, () => Promise.reject(full), WORKER);
  pool.open(new ZoneIndex(ZONES), 'csv');
  fill(places, 5, seeded(1));
  await pool.ask(places);
  await expect(pool.end()).rejects.toBe(full);
  await pool.close();
});
