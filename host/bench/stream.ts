/**
 * `npm run bench:stream -w host`: measures the stream over NATS and PostgreSQL (its own servers, fsync off, including the generator), with the processor time
 * a fix of the API, the broker, the worker and the database, then positions over HTTP without a broker. `UNITS` (20,000), `BACKLOG` (400,000 fixes), `WORKERS` (1), `SECONDS` (10), `GROWTH` (0:
 * fixes of a run that only measures growth).
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { UnitFix } from '../src/live/unitFix.js';
import { encodeFixes } from '../src/stream/message.js';
import { natsLog } from '../src/stream/natsLog.js';
import { partitionOf } from '../src/stream/partitionOf.js';
import { addCompany } from '../test/addCompany.js';
import { adminHeaders } from '../test/crash/adminHeaders.js';
import { type Cluster, startCluster } from '../test/crash/cluster.js';
import { fixAt, idZones } from '../test/crash/fleet.js';

const UNITS = Number(process.env['UNITS'] ?? 20_000);
const BACKLOG = Number(process.env['BACKLOG'] ?? 400_000);
const WORKERS = Number(process.env['WORKERS'] ?? 1);
const SECONDS = Number(process.env['SECONDS'] ?? 10);
/** Fixes of the run that measures growth; 0 for no such run. */
const GROWTH = Number(process.env['GROWTH'] ?? 0);
const PARTITIONS = 64;
const TICKS_PER_SECOND = 100;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const unitIds = Array.from({ length: UNITS }, (_, i) => `unit-${i}`);
/** Current fixes of all units in turn. */
let sentFixes = 0;
function nextFixes(count: number): Map<number, UnitFix[]> {
  const parts = new Map<number, UnitFix[]>();
  for (let i = 0; i < count; i++) {
    const unit = sentFixes % UNITS;
    sentFixes++;
    const one = { unitId: unitIds[unit]!, fix: fixAt(unit, Date.now()) };
    const partition = partitionOf(one.unitId, PARTITIONS);
    const part = parts.get(partition);
    if (part === undefined) parts.set(partition, [one]);
    else part.push(one);
  }
  return parts;
}
const messagesOf = (parts: Map<number, UnitFix[]>): { partition: number; payload: Uint8Array }[] =>
  [...parts].map(([partition, fixes]) => ({ partition, payload: encodeFixes('c', fixes) }));

/** Seconds of processor time by kind of process. */
function processorTimes(): Record<string, number> {
  const times: Record<string, number> = {
    postgres: 0,
    nats: 0,
    worker: 0,
    api: 0,
    generator: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const kind =
        args.startsWith('postgres') || args.includes('bin/postgres')
          ? 'postgres'
          : args.startsWith('nats-server')
            ? 'nats'
            : args.includes('main.js worker')
              ? 'worker'
              : args.includes('dist/main.js')
                ? 'api'
                : null;
      if (kind === null) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      // Processes of other runs do not count. PostgreSQL runs as a daemon, so its parent does not identify it.
      if (kind !== 'postgres' && Number(fields[1]) !== process.pid) continue;
      times[kind]! += (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      // The process has ended.
    }
  }
  return times;
}
const spent = (before: Record<string, number>, fixes: number): string =>
  Object.entries(processorTimes())
    .map(([kind, seconds]) => `${kind} ${(((seconds - before[kind]!) * 1e6) / fixes).toFixed(1)}`)
    .join(', ');

/** Messages that are published but not committed. */
async function uncommitted({ database }: Cluster, last: ReadonlyMap<number, number>): Promise<number> {
  const rows = await database.storage.db.selectFrom('partitions').select(['partition', 'position']).execute();
  return rows.reduce(
    (sum, { partition, position }) => sum + Math.max(0, (last.get(partition) ?? 0) - Number(position)),
    0,
  );
}

/** Collects arrival times (epoch milliseconds) of events by their ids, `n` and a number. */
async function listen(url: string): Promise<{ readonly times: Map<string, number>; stop(): void }> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/api_v1/events`, {
    headers: await adminHeaders('c'),
    signal: stop.signal,
  });
  const times = new Map<string, number>();
  const seen = new Set<string>();
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const now = Date.now();
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith('id: ')) continue;
        for (const id of line.slice(4).split(',')) {
          if (seen.has(id)) continue;
          seen.add(id);
          times.set(id, now);
        }
      }
    }
  };
  void read().catch(() => {});
  return { times, stop: () => stop.abort() };
}

/** The log's times of messages after these sequences, by `partition.seq`. */
async function stampsOf(after: ReadonlyMap<number, number>): Promise<Map<string, number>> {
  const stamps = new Map<string, number>();
  for (const [partition, from] of after) {
    const { last: to } = (await log.state(partition))!;
    const stop = new AbortController();
    for await (const messages of log.read(partition, from + 1, stop.signal)) {
      for (const { seq, stamp } of messages) stamps.set(`${partition}.${seq}`, stamp);
      if (messages.at(-1)!.seq >= to) break;
    }
    stop.abort();
  }
  return stamps;
}

/** The longest time in milliseconds without a commit of a partition, while messages arrive and `work` runs. */
async function longestPause(work: () => Promise<void>): Promise<number> {
  const since = new Map<number, { position: string; at: number }>();
  let longest = 0;
  let isDone = false;
  const ended = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await publish(nextFixes(500));
    const now = performance.now();
    for (const { partition, position } of await cluster.database.storage.db
      .selectFrom('partitions')
      .select(['partition', 'position'])
      .execute()) {
      const known = since.get(partition);
      if (known !== undefined && known.position === position) longest = Math.max(longest, now - known.at);
      else since.set(partition, { position, at: now });
    }
    await sleep(50);
  }
  await ended;
  return longest;
}

/** Sizes that must not grow with the fixes: bytes in the streams, memory of the workers, rows of state. */
async function sizes(): Promise<string> {
  const { rows } = await sql<{ states: number; bytes: number; fixes: string }>`
    select (select count(*)::int from unit_states) as states, (select pg_total_relation_size('unit_states')) as bytes,
      (select count(*) from fixes) as fixes`.execute(cluster.database.storage.db);
  let messages = 0;
  for (let i = 0; i < PARTITIONS; i++) {
    const { first, last: to } = (await log.state(i))!;
    messages += to - first + 1;
  }
  const memory = readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`main.js\0worker`)) return [];
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (Number(parent) !== process.pid) return [];
      return [Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024];
    } catch {
      return [];
    }
  });
  const { states, bytes, fixes } = rows[0]!;
  return `${fixes} fixes: ${states} rows of state (${(Number(bytes) / 2 ** 20).toFixed(0)} MB with what is dead), ${messages} messages in the log, workers ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB`;
}

const cluster = await startCluster({
  workers: WORKERS,
  apis: 1,
  // An event becomes final after the lateness.
  environment: {
    PARTITIONS: String(PARTITIONS),
    LOG_MEGABYTES: '64',
    LATENESS_SECONDS: '3',
    ...(GROWTH > 0 ? { STATE_SECONDS: '10' } : { LOG_KEEP_SECONDS: '60' }),
  },
  prepare: ({ storage }) =>
    addCompany(storage, 'c', { zones: idZones(), units: unitIds.map((id) => ({ id })) }),
});
const log = await natsLog(cluster.natsUrl, { maxBytes: 64 * 2 ** 20 });
const last = new Map<number, number>();
const publish = async (parts: Map<number, UnitFix[]>): Promise<void> => {
  const messages = messagesOf(parts);
  const seqs = await log.publish(messages);
  messages.forEach(
    ({ partition }, i) => void last.set(partition, Math.max(last.get(partition) ?? 0, seqs[i]!)),
  );
};
async function grow(): Promise<void> {
  for (let sent = 0, next = 0; sent < GROWTH; sent += 4000) {
    await publish(nextFixes(4000));
    if (sent % 20_000 === 0) while ((await uncommitted(cluster, last)) > 0) await sleep(5);
    if (sent < next) continue;
    say(await sizes());
    next += GROWTH / 20;
  }
  say(await sizes());
}

/** The whole way of fixes: POST /positions in batches of 500 until they are committed, with the costs of each process. */
async function measureApi(): Promise<void> {
  const headers = { ...(await adminHeaders('c')), 'content-type': 'application/json' };
  const url = `${cluster.apis[0]!.url}/api_v1/positions`;
  const from = performance.now();
  const before = processorTimes();
  let sent = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - from < SECONDS * 1000) {
      const body = Array.from({ length: 500 }, () => {
        const unit = sent++ % UNITS;
        return { unit_id: unitIds[unit], ...fixAt(unit, Date.now()) };
      });
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.status !== 200)
        throw new Error(`expected 200, received ${answer.status} ${await answer.text()}`);
      const { taken } = (await answer.json()) as { taken: number };
      if (taken !== body.length)
        throw new Error(`expected ${body.length} fixes to be taken, received ${taken}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, client));
  for (let i = 0; i < PARTITIONS; i++) last.set(i, (await log.state(i))!.last);
  while ((await uncommitted(cluster, last)) > 0) await sleep(10);
  const rate = Math.round((sent * 1000) / (performance.now() - from));
  say(
    `POST /positions over the broker to committed, in batches of 500: ${rate} fixes/s; µs of processor time a fix: ${spent(before, sent)}`,
  );
}

async function measure(): Promise<void> {
  // Throughput from publication to commit.
  let from = performance.now();
  let before = processorTimes();
  let sent = 0;
  while (performance.now() - from < SECONDS * 1000) {
    await publish(nextFixes(4000));
    sent += 4000;
    // Each publication is one message per partition.
    while ((await uncommitted(cluster, last)) > 3 * PARTITIONS) await sleep(5);
  }
  while ((await uncommitted(cluster, last)) > 0) await sleep(10);
  let seconds = (performance.now() - from) / 1000;
  say(
    `published to committed, ${UNITS} units, ${WORKERS} workers: ${Math.round(sent / seconds)} fixes/s; µs of processor time a fix: ${spent(before, sent)}`,
  );

  await measureApi();

  // Latency at 5,000 fixes/s.
  const delivered = await listen(cluster.apis[0]!.url);
  const before5000 = new Map<number, number>();
  for (let i = 0; i < PARTITIONS; i++) before5000.set(i, (await log.state(i))!.last);
  const rate = 5000;
  const begin = performance.now();
  for (let i = 0; i < SECONDS * TICKS_PER_SECOND; i++) {
    await publish(nextFixes(rate / TICKS_PER_SECOND));
    const wait = begin + ((i + 1) * 1000) / TICKS_PER_SECOND - performance.now();
    if (wait > 0) await sleep(wait);
  }
  await sleep(1500);
  delivered.stop();
  const stamps = await stampsOf(before5000);
  const { rows: places } = await sql<{ id: string; place: string }>`
    select 'n' || number as id, partition || '.' || seq as place from events where company_id = 'c'`.execute(
    cluster.database.storage.db,
  );
  // Events without a stamp belong to messages from before.
  const latencies = places.flatMap(({ id, place }) => {
    const [stamp, at] = [stamps.get(place), delivered.times.get(id)];
    return stamp === undefined || at === undefined ? [] : [at - stamp];
  });
  latencies.sort((one, other) => one - other);
  const quantile = (q: number): string =>
    (latencies[Math.floor(q * (latencies.length - 1))] ?? Number.NaN).toFixed(0);
  say(
    `from the message that makes an event final (time of the log) to GET /events, at ${rate} fixes/s (${latencies.length} events): p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`,
  );

  // A backlog.
  for (const node of cluster.workers) await node.stop();
  for (let sentNow = 0; sentNow < BACKLOG; sentNow += 10_000) await publish(nextFixes(10_000));
  const node = await cluster.addWorker();
  // The worker handles messages while it takes over the other partitions, so the takeover counts.
  from = performance.now();
  before = processorTimes();
  while ((await uncommitted(cluster, last)) > 0) await sleep(10);
  seconds = (performance.now() - from) / 1000;
  say(
    `a backlog of ${BACKLOG} fixes, takeover included: ${Math.round(BACKLOG / seconds)} fixes/s; µs of processor time a fix: ${spent(before, BACKLOG)}`,
  );
  const { rows } = await sql<{
    bytes: number;
  }>`select avg(length(state))::int as bytes from unit_states`.execute(cluster.database.storage.db);
  say(`state of a unit: ${rows[0]!.bytes} bytes`);

  // Takeover: two workers share the partitions, one is killed.
  const second = await cluster.addWorker();
  await sleep(4000);
  const owners = await cluster.database.storage.db
    .selectFrom('partitions')
    .select(['partition', 'epoch'])
    .execute();
  const killedAt = performance.now();
  await node.stop();
  for (;;) {
    const now = await cluster.database.storage.db
      .selectFrom('partitions')
      .select(['partition', 'epoch', 'unproven'])
      .execute();
    const epochs = new Map(owners.map(({ partition, epoch }) => [partition, epoch]));
    const moved = now.filter(({ partition, epoch }) => epoch !== epochs.get(partition));
    if (moved.length >= PARTITIONS / 2 && moved.every(({ unproven }) => unproven === 0)) break;
    await sleep(20);
  }
  say(
    `takeover of ${PARTITIONS / 2} partitions: ${((performance.now() - killedAt) / 1000).toFixed(1)} s to their first commits`,
  );

  // A rolling restart of two workers, one after the other.
  await node.restart();
  await sleep(6000);
  const pause = await longestPause(async () => {
    await sleep(2000);
    for (const one of [node, second]) {
      await one.restart();
      await sleep(5000);
    }
  });
  say(`rolling restart of 2 workers: the longest pause of a partition ${(pause / 1000).toFixed(1)} s`);
}

try {
  const first = new Map(Array.from({ length: PARTITIONS }, (_, i) => [i, 1]));
  while ((await uncommitted(cluster, first)) > 0) await sleep(100);

  await (GROWTH > 0 ? grow() : measure());
} finally {
  await log.close();
  await cluster.close();
}

if (GROWTH > 0) process.exit(0);
// Without a broker, over HTTP.
const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
const child = spawn(process.execPath, [resolve(import.meta.dirname, '../dist/main.js'), '--demo', '--json'], {
  env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', POSITIONS_PER_MINUTE: '1000000000' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  let line = '';
  for await (const chunk of child.stdout) {
    line = String(chunk);
    break;
  }
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const post = async (path: string, body: unknown): Promise<{ id: string; taken: number }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api_v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200)
      throw new Error(`expected 200, received ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string; taken: number };
  };
  const units: string[] = [];
  for (let i = 0; i < 2000; i += 20)
    units.push(
      ...(
        await Promise.all(
          Array.from({ length: 20 }, (_, k) =>
            post('/units', { name: `U${i + k}`, device_key: `bench-${i + k}` }),
          ),
        )
      ).map(({ id }) => id),
    );
  const begin = Date.now();
  let next = 0;
  let taken = 0;
  const client = async (): Promise<void> => {
    while (Date.now() - begin < SECONDS * 1000) {
      const body = Array.from({ length: 500 }, () => {
        const unit = next++ % units.length;
        return { unit_id: units[unit], ...fixAt(unit, Date.now() + (next % 500)) };
      });
      taken += (await post('/positions', body)).taken;
    }
  };
  await Promise.all(Array.from({ length: 4 }, client));
  say(
    `POST /positions without a broker, 2,000 units in batches of 500: ${Math.round((taken * 1000) / (Date.now() - begin))} fixes/s`,
  );
} finally {
  child.kill();
  await new Promise((done) => child.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
}
