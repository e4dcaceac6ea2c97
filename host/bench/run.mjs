/**
 * `npm run bench -w host`: the host on loopback beside a bare Fastify route in the same run. `DATABASE_URL` names an empty PostgreSQL
 * database; without it the embedded one in a temporary folder. `ZONES` (100,000) and `UNITS` (2,000) say how much there is.
 */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const AUTOCANNON = resolve(import.meta.dirname, '../../out/bench/node_modules/autocannon/autocannon.js');
const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const ZONES = Number(process.env['ZONES'] ?? 100_000);
const UNITS = Number(process.env['UNITS'] ?? 2_000);
const SECONDS = Number(process.env['SECONDS'] ?? 5);
const BATCH = 500;

const { default: autocannon } = await import(AUTOCANNON);
const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
const say = (name, figures) => process.stdout.write(`${name}: ${figures}\n`);

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
const figures = ({ requests, latency, non2xx, errors }) =>
  `${Math.round(requests.average)}/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms${non2xx + errors > 0 ? `, ${non2xx + errors} failed` : ''}`;

/** Small squares at random places of a region of 10° × 10°. */
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
};
let host = await start([MAIN, '--json'], env);
const headers = { authorization: `Bearer ${host.token}` };
const json = { ...headers, 'content-type': 'application/json' };
const post = (path, body) =>
  fetch(`${host.url}/api_v1${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) }).then(
    (a) => a.json(),
  );
try {
  const bare = await start([
    '--input-type=module',
    '-e',
    `import Fastify from 'fastify'; const app = Fastify(); app.get('/', () => [{ id: 'a' }]);
     console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }));`,
  ]);
  const bareResult = await run({ url: bare.url });
  bare.child.kill();
  say('bare Fastify route', figures(bareResult));

  const text = geoJson(ZONES);
  const form = new FormData();
  form.set('file', new Blob([text]), 'zones.geojson');
  const units = [];
  for (let i = 0; i < UNITS; i++)
    units.push((await post('/units', { name: `U${i}`, device_key: randomUUID() })).id);
  let tick = 0;
  const fixes = () => {
    const time = Date.now() - 3_600_000 + ++tick * 1000;
    return JSON.stringify(
      Array.from({ length: BATCH }, (_, i) => ({
        unit_id: units[(tick * BATCH + i) % UNITS],
        time,
        lon: 30 + ((tick * 7 + i) % 1000) / 100,
        lat: 55,
      })),
    );
  };
  const positions = (options) =>
    run({
      url: `${host.url}/api_v1/positions`,
      method: 'POST',
      headers: json,
      connections: 4,
      setupClient: (client) => client.on('response', () => client.setBody(fixes())),
      body: fixes(),
      ...options,
    });

  const alone = await positions();
  say(
    `positions in batches of ${BATCH}, ${UNITS} units`,
    `${Math.round(alone.requests.average * BATCH)} fixes/s, p99 ${alone.latency.p99} ms`,
  );

  let from = performance.now();
  const [imported, during] = await Promise.all([
    fetch(`${host.url}/api_v1/geozones/import`, { method: 'POST', headers, body: form })
      .then((a) => a.json())
      .then((a) => {
        const seconds = (performance.now() - from) / 1000;
        return { ...a, seconds };
      }),
    positions({ connections: 1, overallRate: 5, duration: 12 }),
  ]);
  say(
    `import of ${imported.stored} zones (${(text.length / 1e6).toFixed(0)} MB)`,
    `${imported.seconds.toFixed(1)} s`,
  );
  say(
    'positions during the import (5 batches/s)',
    `p50 ${during.latency.p50} ms, p99 ${during.latency.p99} ms`,
  );

  const at = `${host.url}/api_v1/positions/35.12345,55.12345/geozones`;
  say(`zones of a position among ${ZONES}, saturated`, figures(await run({ url: at, headers })));
  say('the same at 4,000/s', figures(await run({ url: at, headers, overallRate: 4000 })));
  from = performance.now();
  await post('/geozones/filter', { from: 500, count: 100, sortField: 'name' });
  const first = performance.now() - from;
  from = performance.now();
  for (let i = 0; i < 5; i++)
    await post('/geozones/filter', { from: i * 100, count: 100, sortField: 'name' });
  say(
    'a page of the list',
    `first ${first.toFixed(0)} ms, then ${((performance.now() - from) / 5).toFixed(0)} ms`,
  );

  host.child.kill('SIGTERM');
  await new Promise((done) => host.child.once('exit', done));
  host = await start([MAIN, '--json'], env);
  from = performance.now();
  await fetch(at, { headers });
  say(
    'start',
    `${host.seconds.toFixed(1)} s to the open port, ${((performance.now() - from) / 1000).toFixed(1)} s more to the first answer from the company's zones`,
  );
} finally {
  host.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
