/**
 * `npm run bench -w host`: measures the host on loopback beside a bare Fastify route in the same run, and prints a table. The database is
 * `DATABASE_URL` (empty), else a temporary PostgreSQL cluster, else the embedded database. `ZONES` (100,000) and `UNITS`
 * (2,000) set the size.
 */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startPostgres } from './postgres.mjs';

const AUTOCANNON = resolve(import.meta.dirname, '../../out/bench/node_modules/autocannon/autocannon.js');
const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const ZONES = Number(process.env['ZONES'] ?? 100_000);
const UNITS = Number(process.env['UNITS'] ?? 2_000);
const SECONDS = Number(process.env['SECONDS'] ?? 5);
const BATCH = 500;

const postgres = process.env['DATABASE_URL'] === undefined ? startPostgres() : null;
const { default: autocannon } = await import(AUTOCANNON);
const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
const say = (text) => process.stdout.write(`${text}\n`);

async function start(entry, env = {}) {
  const from = performance.now();
  const child = spawn(process.execPath, entry, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout)
    return { child, seconds: (performance.now() - from) / 1000, ...JSON.parse(String(chunk)) };
  throw new Error('expected a line of JSON, received none');
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

const run = (options) => autocannon({ connections: 20, duration: SECONDS, ...options });
const failed = ({ non2xx, errors }) => (non2xx + errors > 0 ? `, ${non2xx + errors} failed` : '');
const figures = (result) =>
  `${Math.round(result.requests.average)}/s, p99 ${result.latency.p99} ms${failed(result)}`;
const row = (name, goal, measured) => say(`| ${name} | ${goal} | ${measured} |`);

/** Runs `work` and sends a small request every 10 ms meanwhile. Returns the seconds, the result, and the p99 of the requests in milliseconds. */
async function beside(url, work) {
  const waits = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const from = performance.now();
      await (await fetch(url, { headers })).arrayBuffer();
      waits.push(performance.now() - from);
      await new Promise((done) => setTimeout(done, 10));
    }
  })();
  const from = performance.now();
  const result = await work();
  const seconds = (performance.now() - from) / 1000;
  isOver = true;
  await asking;
  waits.sort((a, b) => a - b);
  return { result, seconds, p99: waits[Math.floor(0.99 * waits.length)] };
}

/** Small squares at random places in a region of 10° × 10°. */
function geoJson(count) {
  let state = 1;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y, d] = [30 + 10 * random(), 50 + 10 * random(), 0.001 + 0.004 * random()];
    const ring = [
      [x, y],
      [x + d, y],
      [x + d, y + d],
      [x, y + d],
      [x, y],
    ].map((at) => at.map((n) => Number(n.toFixed(6))));
    return {
      type: 'Feature',
      properties: { name: `Zone ${i}` },
      geometry: { type: 'Polygon', coordinates: [ring] },
    };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const env = {
  DATA_DIR: join(folder, 'data'),
  TOKEN_SECRET: 'a secret of the bench, 32 bytes long.',
  PORT: String(await freePort()),
  POSITIONS_PER_MINUTE: '1000000000',
  ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
};
let host = await start([MAIN, '--demo', '--json'], env);
const headers = { authorization: `Bearer ${host.token}` };
const json = { ...headers, 'content-type': 'application/json' };
const at = `${host.url}/api_v1/positions/35.12345,55.12345/geozones`;
const post = (path, body) =>
  fetch(`${host.url}/api_v1${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
const timed = async (work) => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/** Returns a function that makes batches of current fixes of all units in turn. Units drive at about 13 m/s. */
async function fixBatches() {
  const units = [];
  for (let i = 0; i < UNITS; i++)
    units.push((await (await post('/units', { name: `U${i}`, device_key: randomUUID() })).json()).id);
  const begun = Date.now();
  let sent = 0;
  return () => {
    const time = Date.now();
    return JSON.stringify(
      Array.from({ length: BATCH }, () => {
        const unit = sent++ % UNITS;
        return {
          unit_id: units[unit],
          time,
          lon: 30 + (unit % 1000) / 100 + (time - begun) * 2e-7,
          lat: 55,
        };
      }),
    );
  };
}

try {
  say('| | goal | measured |\n|---|---|---|');
  row('first start, to the open port', '15 s', `${host.seconds.toFixed(1)} s`);
  const fixes = await fixBatches();
  const positions = await run({
    url: `${host.url}/api_v1/positions`,
    method: 'POST',
    headers: json,
    connections: 4,
    setupClient: (client) => client.on('response', () => client.setBody(fixes())),
    body: fixes(),
  });
  const rate = Math.round(positions.requests.average * BATCH);
  row(
    `positions in batches of ${BATCH}, ${UNITS} units`,
    '15,000 fixes/s',
    `${rate} fixes/s, p99 ${positions.latency.p99} ms${failed(positions)}`,
  );

  const text = geoJson(ZONES);
  const form = new FormData();
  form.set('file', new Blob([text]), 'zones.geojson');
  const importing = await beside(at, () =>
    fetch(`${host.url}/api_v1/geozones/import`, { method: 'POST', headers, body: form }).then((a) =>
      a.json(),
    ),
  );
  row(
    `import of ${importing.result.stored} zones (${(text.length / 1e6).toFixed(0)} MB)`,
    '12 s',
    `${importing.seconds.toFixed(1)} s`,
  );
  row('a small request meanwhile, p99', '50 ms', `${importing.p99.toFixed(0)} ms`);

  const bare = await start([
    '--input-type=module',
    '-e',
    `import Fastify from 'fastify'; const app = Fastify(); app.get('/', () => [{ id: 'a' }]);
     console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }));`,
  ]);
  const bareResult = await run({ url: bare.url });
  bare.child.kill();
  const saturated = await run({ url: at, headers });
  const share = saturated.requests.average / bareResult.requests.average;
  row('bare Fastify route', '', figures(bareResult));
  row(
    `zones of a position among ${ZONES}, saturated`,
    '0.7 of the bare route',
    `${share.toFixed(2)}: ${figures(saturated)}`,
  );
  row('the same at 4,000/s', 'p99 10 ms', figures(await run({ url: at, headers, overallRate: 4000 })));

  const page = (from) =>
    timed(async () => (await post('/geozones/filter', { from, count: 100, sortField: 'name' })).json());
  const first = await page(500);
  const later = [];
  for (let i = 0; i < 9; i++) later.push(await page(i * 100));
  later.sort((a, b) => a - b);
  row(
    'a page of the list, sorted by name',
    '60 ms',
    `${later[4].toFixed(0)} ms; the first ${first.toFixed(0)} ms`,
  );
  const all = await beside(at, async () => (await fetch(`${host.url}/api_v1/geozones`, { headers })).text());
  row('all zones in one answer', '', `${all.seconds.toFixed(1)} s; others p99 ${all.p99.toFixed(0)} ms`);
  const kml = await beside(at, async () => (await post('/geozones/export_kml', {})).text());
  row('all zones as KML', '', `${kml.seconds.toFixed(1)} s; others p99 ${kml.p99.toFixed(0)} ms`);

  if (env.DATABASE_URL !== undefined || process.env['DATABASE_URL'] !== undefined) {
    const own = { ...env, DATA_DIR: join(folder, 'second'), PORT: String(await freePort()) };
    const second = await start([MAIN, '--demo', '--json'], own);
    const waits = [];
    for (let i = -1; i < 200; i++) {
      const [lon, lat] = [-100 + i / 10, -40];
      const there = `${second.url}/api_v1/positions/${lon},${lat}/geozones`;
      await fetch(there, { headers });
      await post('/geozones', { name: `W${i}`, type: { key: 'circle' }, geometry: [[lon, lat]], width: 100 });
      const from = performance.now();
      while ((await (await fetch(there, { headers })).json()).length === 0);
      // The first request loads the company in the second process, so it does not count.
      if (i >= 0) waits.push(performance.now() - from);
    }
    waits.sort((a, b) => a - b);
    row(
      'time until another process sees a write',
      'p99 30 ms',
      `p50 ${waits[100].toFixed(0)} ms, p99 ${waits[198].toFixed(0)} ms`,
    );
    second.child.kill('SIGTERM');
    await new Promise((done) => second.child.once('exit', done));
  }

  host.child.kill('SIGTERM');
  await new Promise((done) => host.child.once('exit', done));
  host = await start([MAIN, '--demo', '--json'], env);
  const answer = await timed(() => fetch(at, { headers }));
  const total = (host.seconds + answer / 1000).toFixed(1);
  row(
    `start with ${ZONES} zones`,
    '2 s',
    `${host.seconds.toFixed(1)} s to the open port, ${total} s to the first answer`,
  );
} finally {
  host.child.kill('SIGTERM');
  await new Promise((done) => host.child.once('exit', done));
  postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
}
