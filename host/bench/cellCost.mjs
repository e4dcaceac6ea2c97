// node cost.mjs VARIANT(new|old) SEND(single|gate) FIXES RATE : processor time a fix
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { postgres, cpuOf, cpuOfServer } from '/tmp/cb/lib.mjs';
import pg from '/work/w/cells/node_modules/pg/lib/index.js';
import http from 'node:http';
const [variant, send, count, rate] = process.argv.slice(2);
const ROOT = variant === 'new' ? '/work/w/cells' : '/tmp/oldc/old';
const { signToken } = await import(ROOT + '/host/dist/auth/tokens.js'); const { readSettings } = await import(ROOT + '/host/dist/settings.js');
const SECRET = 'a secret of the tests, 32 bytes long', UNITS = Number(process.env.UNITS ?? 4000), N = Number(count), RATE = Number(rate);
process.env.SCRATCH = '/tmp/cb/out'; const server = postgres({ fsync: 'on' });
const kids = [];
const run = (args, env) => new Promise((done) => { const c = spawn(process.execPath, [ROOT + '/host/dist/main.js', ...args, '--json'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] }); kids.push(c); c.stdout.once('data', (d) => done({ c, ...JSON.parse(String(d).split('\n')[0]) })); });
try {
  const nport = 20000 + Math.floor(Math.random() * 20000), nfolder = mkdtempSync('/tmp/cb/nats-');
  const nats = variant === 'old' ? spawn('nats-server', ['-a', '127.0.0.1', '-p', String(nport), '-js', '-sd', nfolder], { stdio: 'ignore' }) : null; if (nats) { kids.push(nats); await sleep(1000); }
  const env = { TOKEN_SECRET: SECRET, DATABASE_URL: server.DB, PORT: '0', POSITIONS_PER_MINUTE: '1000000000', LOG_LEVEL: 'warn', LATENESS_SECONDS: '5', ...(variant === 'new' ? { FOLLOW: 'no' } : { NATS_URL: `nats://127.0.0.1:${nport}`, LOG_MEGABYTES: '16', PARTITIONS: '16' }) };
  const api = await run([], env);
  const db = new pg.Client({ connectionString: server.DB }); await db.connect();
  await db.query(`insert into companies (id, name, time_zone, zones_version, properties) values ('c','c','UTC',0,'{}')`);
  await db.query(`insert into units (id, company_id, name, device_key, settings) select 'unit-' || i, 'c', 'u' || i, 'unit-' || i, '{}' from generate_series(0, ${UNITS - 1}) i`);
  const token = await signToken(new TextEncoder().encode(SECRET), readSettings({ TOKEN_SECRET: SECRET }), { companyId: 'c', userId: 'u', role: 'ADMIN' }, Date.now() + 86400000);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 }); const url = new URL(api.url);
  const call = (path, body) => new Promise((done, fail) => { const text = JSON.stringify(body); const r = http.request({ port: url.port, host: url.hostname, method: 'POST', path: '/api_v1' + path, agent, headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } }, (res) => { let t = ''; res.on('data', (d) => { t += d; }).on('end', () => { if (res.statusCode !== 200) console.error(res.statusCode, t.slice(0, 200)); done(res.statusCode); }); }); r.on('error', fail); r.end(text); });
  const zones = []; for (let i = 0; i < 200; i++) { const row = Math.floor(i / 40); zones.push({ name: 'z' + i, type: { key: 'circle' }, geometry: [[44 + ((i % 40) * 300) / 62250, row === 0 ? 56 : 56 + (row - 12) * 0.01 + 0.005]], width: 60 }); }
  for (let i = 0; i < 200; i += 20) await Promise.all(zones.slice(i, i + 20).map((z) => call('/geozones', z)));
  console.error('zones', Date.now()); const worker = await run(['worker'], env); await sleep(3000); console.error('worker', Date.now());
  const M = 111320 * Math.cos((56 * Math.PI) / 180);
  const fixAt = (u, t) => { const s = t / 1000 + u * 7, rest = [0, 12, 35, 12, 35][u % 5], round = Math.floor(s / (40 + rest)), within = s - round * (40 + rest), v = 10 + (u % 17), way = (u * 733 + (round * 40 + Math.min(within, 40)) * v) % 24000, m = way < 12000 ? way : 24000 - way; return { time: Math.round(t), lon: 44 + m / M, lat: 56 + (u % 5) * 0.0001, ...(u % 6 === 1 ? {} : { speedKph: within < 40 ? v * 3.6 : 0 }), ...(u % 3 === 0 ? { accuracyMeters: 5 } : {}) }; };
  const waiting = async () => Number((await db.query(variant === 'new' ? 'select coalesce(sum(head - position),0) c from cells join cell_positions using (cell)' : 'select count(*) c from received')).rows[0].c);
  const drained = async () => { if (variant === 'new') { const { rows } = await db.query('select cell, head from cells'); for (;;) { const { rows: p } = await db.query('select cell, position from cell_positions'); const m = new Map(p.map((x) => [x.cell, Number(x.position)])); if (rows.every((r) => m.get(r.cell) >= Number(r.head))) return; await sleep(50); } } for (let z = 0; z < 3; ) { z = (await waiting()) <= (variant === 'new' ? 3 : 0) ? z + 1 : 0; await sleep(100); } };
  const STEP = 1000; const lasts = new Float64Array(UNITS).fill(Date.now() - 3600_000); let unit = 0;
  const next = () => { const u = unit; unit = (unit + 1) % UNITS; return { unit_id: 'unit-' + u, ...fixAt(u, (lasts[u] += STEP)) }; };
  for (let i = 0; i < UNITS * 6; i += 500) { await call('/positions', Array.from({ length: 500 }, next)); } console.error('sent', Date.now()); await drained(); console.error('drained', Date.now());
  const size = send === 'gate' ? 500 : 1, cpu = () => ({ api: cpuOf(api.c.pid), worker: cpuOf(worker.c.pid), nats: nats ? cpuOf(nats.pid) : 0, pg: cpuOfServer(server.pidOf()) });
  const wal0 = (await db.query('select pg_current_wal_lsn() l')).rows[0].l, c0 = cpu(), began = performance.now(); let sent = 0, inFlight = 0, bad = 0; const lat = [];
  const e0 = Number((await db.query('select count(*) c from events')).rows[0].c);
  while (sent < N) { const due = Math.min(N, ((performance.now() - began) / 1000) * RATE); while (sent < due && inFlight < (size === 1 ? 200 : 8)) { const b = Array.from({ length: size }, next); sent += size; inFlight++; const at = performance.now(); void call('/positions', b).then((s) => { if (s !== 200) bad++; lat.push(performance.now() - at); }).finally(() => inFlight--); } await sleep(1); }
  while (inFlight > 0) await sleep(2); const sending = (performance.now() - began) / 1000; await drained(); const c1 = cpu();
  const wal = Number((await db.query(`select pg_current_wal_lsn() - '${wal0}'::pg_lsn b`)).rows[0].b); const e1 = Number((await db.query('select count(*) c from events')).rows[0].c);
  lat.sort((a, b) => a - b); const us = (k) => +(((c1[k] - c0[k]) * 1e6) / sent).toFixed(1); const all = ['api', 'worker', 'nats', 'pg'].reduce((s, k) => s + us(k), 0);
  console.log(JSON.stringify({ variant, send, fixes: sent, perS: Math.round(sent / sending), us: { api: us('api'), worker: us('worker'), nats: us('nats'), pg: us('pg'), all: +all.toFixed(1) }, wal: Math.round(wal / sent), events: +((e1 - e0) / sent).toFixed(3), bad, p50: +lat[lat.length >> 1].toFixed(0), p99: +lat[Math.floor(lat.length * 0.99)].toFixed(0), load: readFileSync('/proc/loadavg', 'utf8').slice(0, 4) }));
  await db.end();
} finally { for (const k of kids) try { k.kill('SIGKILL'); } catch {} server.stop(); }
process.exit();
