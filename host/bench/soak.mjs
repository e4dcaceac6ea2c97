/**
 * `npm run bench:soak -w host`: 19 companies send a mixed load at a fixed rate, first alone, then beside a hostile company that sends the
 * dearest requests as fast as it can. Prints the latencies of the 19 in both runs, in turns, and exits with 1 if the p99 beside it is more than 1.5 times
 * the p99 alone. Between the two the same attack goes to a second host on this machine: what that costs the 19 are the processors, not the host.
 * `SECONDS` (20) is the length of a run, `ROUNDS` (3) their number, `RATE` (80) the requests per second of all.
 */

import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import pg from 'pg';
import { driveOf } from './drive.mjs';
import { startPostgres } from './postgres.mjs';

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const SECONDS = Number(process.env['SECONDS'] ?? 20);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const RATE = Number(process.env['RATE'] ?? 80);
const COMPANIES = 20;
const MOST_RATIO = 1.5;
const SECRET = 'a secret of the bench, 32 bytes long.';

const postgres = process.env['DATABASE_URL'] === undefined ? startPostgres() : null;
const databaseUrl = process.env['DATABASE_URL'] ?? postgres?.url;
if (databaseUrl === undefined) throw new Error('expected PostgreSQL or DATABASE_URL, received neither');
const folder = mkdtempSync(join(tmpdir(), 'wayzone-soak-'));

/** The first output of a process, whose stream stays open. */
function lineOf(child) {
  return new Promise((done, fail) => {
    child.stdout.once('data', (chunk) => done(String(chunk)));
    child.once('exit', (code) => fail(new Error(`expected a line, received exit ${code}`)));
  });
}

const hosts = [];
async function startHost(name, address) {
  const env = {
    ...process.env,
    DATA_DIR: join(folder, name),
    TOKEN_SECRET: SECRET,
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: address,
  };
  const child = spawn(process.execPath, [MAIN, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const database = new pg.Client({ connectionString: address });
  hosts.push({ child, database });
  const { url } = JSON.parse(await lineOf(child));
  await database.connect();
  return { url, database };
}

/** The address of an empty database beside the first. */
async function secondDatabase() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = `soak_${randomUUID().slice(0, 8)}`;
  await client.query(`create database ${name}`);
  await client.end();
  const address = new URL(databaseUrl);
  address.pathname = `/${name}`;
  return String(address);
}

async function companyOf({ url, database }, i) {
  const id = randomUUID();
  await database.query('insert into companies (id, name, time_zone) values ($1, $2, $3)', [
    id,
    `Company ${i}`,
    'UTC',
  ]);
  const token = await new SignJWT({ company_id: id, role: 'ADMIN' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('wayzone-host')
    .setAudience('wayzone')
    .setSubject('soak')
    .setExpirationTime('1d')
    .sign(new TextEncoder().encode(SECRET));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method, path, body) => {
    const answer = await fetch(`${url}/api_v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  };
  const zones = [];
  for (let k = 0; k < 10; k++) zones.push((await send('POST', '/geozones', zoneAt(k))).body.id);
  const { body: unit } = await send('POST', '/units', { name: 'Van' });
  const { body: route } = await send('POST', '/routes', { name: 'Round', points: [zoneAt(0), zoneAt(5)] });
  return {
    url,
    headers,
    send,
    zones,
    unitId: unit.id,
    routeId: route.id,
    clock: Date.now() - 86_400_000,
    turn: i,
  };
}

function zoneAt(k) {
  return { name: `Yard ${k}`, type: { key: 'circle' }, geometry: [[30 + k / 50, 60]], width: 500 };
}

/** A day of work in small: reads, lists, writes, positions. */
const WORK = [
  ({ send }) => send('GET', '/positions/30.1,60/geozones'),
  ({ send, zones }) => send('GET', `/geozones?ids=${zones[0]}`),
  ({ send }) => send('POST', '/geozones/filter', { from: 0, count: 10, sortField: 'name' }),
  ({ send, unitId, ...own }) =>
    send(
      'POST',
      '/positions',
      driveOf(10, own.clock, 2000).map((fix) => ({ ...fix, unit_id: unitId })),
    ),
  ({ send, zones }) => send('PUT', `/geozones/${zones[1]}`, zoneAt(1)),
  ({ send }) => send('POST', '/tracks/ledger', { fixes: driveOf(60, 0, 10_000) }),
  ({ send }) => send('GET', '/units'),
];

process.on('SIGTERM', () => process.exit(1));
process.on('exit', () => {
  for (const { child } of hosts) child.kill();
});
const measured = await startHost('data', databaseUrl);
const companies = [];
for (let i = 0; i < COMPANIES; i++) companies.push(await companyOf(measured, i));
const [hostile, ...others] = companies;
const elsewhere = await companyOf(await startHost('second', await secondDatabase()), 0);

/** Sends at the fixed rate. A request that starts late counts from when it should have started. */
async function load() {
  const waits = [];
  const statuses = new Map();
  const open = [];
  const begun = performance.now();
  for (let n = 0; n < RATE * SECONDS; n++) {
    const due = begun + (1000 * n) / RATE;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const own = others[n % others.length];
    own.clock += 30_000;
    const work = WORK[own.turn++ % WORK.length];
    open.push(
      work(own).then(({ status }) => {
        waits.push(performance.now() - due);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(open);
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))];
  return { p50: at(0.5), p99: at(0.99), most: waits.at(-1), statuses: Object.fromEntries(statuses) };
}

/** Runs the load while a company attacks its host. */
async function loadBeside({ url, headers, unitId, routeId }) {
  const attacker = fork(new URL('./attacker.mjs', import.meta.url));
  // A real one would not share the processors with the host.
  setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
  const begun = once(attacker, 'message');
  attacker.send({ url, headers, unitId, routeId });
  await begun;
  await sleep(2000);
  const found = await load();
  const counts = once(attacker, 'message');
  attacker.send('stop');
  return { ...found, hostile: (await counts)[0] };
}

const ms = (value) => `${value.toFixed(1)} ms`;
/** Prints a row of the table. */
function say(name, { p50, p99, most, statuses, hostile: own = {} }) {
  const cells = [name, ms(p50), ms(p99), ms(most), JSON.stringify(statuses), JSON.stringify(own)];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
const ratios = [];
try {
  process.stdout.write(
    '| run | p50 | p99 | longest | statuses | of the hostile company |\n|---|---|---|---|---|---|\n',
  );
  await load();
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await load();
    const busy = await loadBeside(elsewhere);
    const beside = await loadBeside(hostile);
    ratios.push({ all: beside.p99 / alone.p99, own: beside.p99 / busy.p99 });
    say('alone', alone);
    say('the attack on a second host', busy);
    say('the attack on this host', beside);
  }
  const median = (name) =>
    ratios.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  process.stdout.write(
    `p99 beside the hostile company, medians of ${ROUNDS}: ${median('all').toFixed(2)} of that alone, ${median('own').toFixed(2)} of that beside a second host\n`,
  );
  process.exitCode = median('all') <= MOST_RATIO ? 0 : 1;
} finally {
  for (const { child, database } of hosts) {
    await database.end();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
}
