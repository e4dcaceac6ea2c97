/**
 * `npm run bench:million -w host`: start to the first answer, pages of a list of a million geozones, and the first page after their import. The database
 * is a temporary PostgreSQL cluster; `EMBEDDED=1` takes the embedded one. `ZONES` (1,000,000) sets the size. Prints a table: wall time, and the
 * processor time of the host, its processes and PostgreSQL.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startPostgres } from './postgres.mjs';

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const ZONES = Number(process.env['ZONES'] ?? 1_000_000);
/** Zones of one file. */
const FILE = 250_000;

const postgres = process.env['EMBEDDED'] === '1' ? null : startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
const say = (text) => process.stdout.write(`${text}\n`);
const inSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** Milliseconds of a unit of time of /proc. */
const TICK_MS = 10;

/** Processor time of the bench's children and of PostgreSQL so far, ms. What ended counts with its parent. */
function processorMs() {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
        const ticks = [11, 12, 13, 14].map((i) => Number(fields[i]));
        return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
  const own = new Map(
    rows.filter(({ pid }) => pid === process.pid || pid === postgres?.pid).map((one) => [one.pid, one]),
  );
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const one of rows) if (own.has(one.parent)) own.set(one.pid, one);
  }
  const sum = (list) => list.reduce((total, ticks) => total + ticks, 0);
  return (
    TICK_MS *
    sum([...own.values()].map(({ pid, ticks }) => sum(pid === process.pid ? ticks.slice(2) : ticks)))
  );
}

/** Wall and processor time of some work. */
async function timed(work) {
  const [from, used] = [performance.now(), processorMs()];
  await work();
  return { wall: performance.now() - from, processor: processorMs() - used };
}

/** The times in the middle of some runs. */
const median = (list) => {
  const middle = (name) => list.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
  return { wall: middle('wall'), processor: middle('processor') };
};
const row = (name, goal, { wall, processor }) =>
  say(`| ${name} | ${goal} | ${inSeconds(wall)} | ${inSeconds(processor)} |`);

const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  TOKEN_SECRET: 'a secret of the bench, 32 bytes long.',
  PORT: '0',
  MAX_BODY_BYTES: '1000000000',
  LOG_LEVEL: 'warn',
  ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
};

/** The line of JSON that the host prints when its port is open. */
async function start() {
  const child = spawn(process.execPath, [MAIN, '--demo', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) return { child, ...JSON.parse(String(chunk)) };
  throw new Error('expected a line of JSON, received none');
}

async function stop({ child }) {
  child.kill('SIGTERM');
  if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
}

async function answer({ url, token }, path, body) {
  const headers = { authorization: `Bearer ${token}` };
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(`${url}/api_v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: isJson ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`expected an answer to ${path}, received ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Squares at random places in a region of 10° × 10°. */
function geoJson(count, first) {
  let state = first + 1;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y, d] = [30 + 10 * random(), 50 + 10 * random(), 0.001 + 0.004 * random()].map((n) =>
      Number(n.toFixed(6)),
    );
    const [east, north] = [x + d, y + d].map((n) => Number(n.toFixed(6)));
    return `{"type":"Feature","properties":{"name":"Zone ${((first + i) * 7919) % 1_000_003}"},"geometry":{"type":"Polygon","coordinates":[[[${x},${y}],[${east},${y}],[${east},${north}],[${x},${north}],[${x},${y}]]]}}`;
  });
  return `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
}

const HERE = '/positions/35.12345,55.12345/geozones';
const page = (host, from, more = {}) =>
  timed(async () => {
    const { max, list } = await answer(host, '/geozones/filter', {
      from,
      count: 100,
      sortField: 'name',
      ...more,
    });
    if (list.length !== 100) throw new Error(`expected 100 of ${max} geozones, received ${list.length}`);
  });

async function startTimes(rounds) {
  const list = [];
  for (let i = 0; i < rounds; i++) {
    let host;
    list.push(
      await timed(async () => {
        host = await start();
        await answer(host, HERE);
      }),
    );
    await stop(host);
  }
  return median(list);
}

let host;
try {
  say('| | goal | wall | processor |\n|---|---|---|---|');
  row(
    'the very first start, tables made',
    '',
    await timed(async () => {
      host = await start();
    }),
  );
  await stop(host);
  row('start to the first answer, the example zones', '0.8 s', await startTimes(5));
  host = await start();
  const files = [];
  for (let first = 0; first < ZONES; first += FILE) {
    const form = new FormData();
    form.set('file', new Blob([geoJson(Math.min(FILE, ZONES - first), first)]), 'zones.geojson');
    files.push(await timed(() => answer(host, '/geozones/import', form)));
  }
  const spent = (name) => files.reduce((sum, one) => sum + one[name], 0);
  row(`import of ${ZONES.toLocaleString('en')} zones in files of ${FILE.toLocaleString('en')}`, '', {
    wall: spent('wall'),
    processor: spent('processor'),
  });
  row('the first page after the import, sorted by name', '5 s', await page(host, 500));
  const later = [];
  for (let i = 0; i < 9; i++) later.push(await page(host, i * 1000));
  row('a page afterwards', '1 s', median(later));
  row('the first page by another field', '1 s', await page(host, 0, { sortField: 'created' }));
  row(
    'the first page of a search',
    '1 s',
    await page(host, 0, { conditions: [{ field: 'name', value: '77' }] }),
  );
  await answer(host, HERE);
  await stop(host);
  row('start to the first answer', '', await startTimes(3));
  host = await start();
  row('the first page after a start', '1 s', await page(host, 500));
} finally {
  if (host !== undefined) await stop(host);
  postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
}
