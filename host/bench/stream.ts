/**
 * `npm run bench:stream -w host`: processor time a fix of the API, the worker and PostgreSQL (its own server), write-ahead log, and how long requests take. Requests of
 * `SIZE` fixes (500; 1: each alone), `RATE` fixes a second (5000), `FIXES` (50,000) of `UNITS` (4000). `LATENCY=1`: also how long it takes from a request to its
 * event at a client of `/events`, by 20 further units a second that enter or leave a zone; their cost counts too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { addCompany } from '../test/addCompany.js';
import { adminHeaders } from '../test/crash/adminHeaders.js';
import { startCluster } from '../test/crash/cluster.js';
import { fixAt, idZones, LAT, LON } from '../test/crash/fleet.js';

const SIZE = Number(process.env['SIZE'] ?? 500);
const RATE = Number(process.env['RATE'] ?? 5000);
const FIXES = Number(process.env['FIXES'] ?? 50_000);
const UNITS = Number(process.env['UNITS'] ?? 4000);
/** Requests at a time. */
const MOST_REQUESTS = SIZE === 1 ? 200 : 8;
/** Processor time of /proc is in ticks of 10 ms. */
const TICK_SECONDS = 0.01;

/** Units that tell the latency, each in turn. */
const PROBES = process.env['LATENCY'] === '1' ? 200 : 0;
const PROBE_MS = 50;

const unitIds = Array.from({ length: UNITS }, (_, i) => `unit-${i}`);
const probeIds = Array.from({ length: PROBES }, (_, i) => `probe-${i}`);
const cluster = await startCluster({
  workers: 1,
  apis: 1,
  environment: { LOG_LEVEL: 'silent', LATENESS_SECONDS: '5' },
  prepare: ({ storage }) =>
    addCompany(storage, 'c', { zones: idZones(), units: [...unitIds, ...probeIds].map((id) => ({ id })) }),
});
const { db } = cluster.database.storage;
const one = async (query: ReturnType<typeof sql<{ value: string }>>): Promise<string> =>
  (await query.execute(db)).rows[0]!.value;

/** Fields of /proc/PID/stat from the state on; none of a process that has ended. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return [];
  }
}
const secondsOf = (stat: readonly string[], from: number, to: number): number =>
  stat.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_SECONDS;
/** Of the server with its sessions: those that ended, and those that live. */
function secondsOfServer(pid: number): number {
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : [];
    return Number(stat[1]) === pid ? [secondsOf(stat, 11, 13)] : [];
  });
  return children.reduce((sum, seconds) => sum + seconds, secondsOf(statOf(pid), 11, 15));
}
const server = Number((await one(sql`select pg_read_file('postmaster.pid') as value`)).split('\n')[0]);
const processorTimes = (): Record<string, number> => ({
  api: secondsOf(statOf(cluster.apis[0]!.pid), 11, 13),
  worker: secondsOf(statOf(cluster.workers[0]!.pid), 11, 13),
  postgres: secondsOfServer(server),
});

let next = 0;
/** The last fix of each unit. Fixes are of the present, or a second apart, so that none is late. */
const times = new Array<number>(UNITS).fill(0);
const someFixes = (count: number): object[] =>
  Array.from({ length: count }, () => {
    const unit = next++ % UNITS;
    times[unit] = Math.max(times[unit]! + 1000, Date.now());
    return { unit_id: unitIds[unit]!, ...fixAt(unit, times[unit]!) };
  });
const headers = { ...(await adminHeaders('c')), 'content-type': 'application/json' };
const send = async (fixes: readonly object[]): Promise<void> => {
  const body = JSON.stringify(fixes);
  const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/positions`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`expected 200, received ${answer.status}`);
  await answer.body?.cancel();
};
/** Waits until the worker has followed all fixes. */
const followed = async (): Promise<void> => {
  while (
    (await one(
      sql`select coalesce(sum(head - position), 0) as value from cells join cell_positions using (cell)`,
    )) !== '0'
  )
    await sleep(10);
};

/** When the request of a unit began whose event has not come. */
const asked = new Map<string, number>();
const latencies: number[] = [];
const reader = new AbortController();
const readEvents = async (): Promise<void> => {
  const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/events`, { headers, signal: reader.signal });
  let text = '';
  for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
    const lines = `${text}${part}`.split('\n');
    text = lines.pop()!;
    for (const [, unitId] of lines.map((line) => /"unitId":"(probe-\d+)"/.exec(line) ?? [])) {
      const begin = asked.get(unitId ?? '');
      if (begin === undefined) continue;
      latencies.push(performance.now() - begin);
      asked.delete(unitId!);
    }
  }
};
/** Two fixes at a zone, or 250 m from it. The second is later by more than the lateness, so that the first has its event at once. */
const probe = async (turn: number): Promise<void> => {
  const unitId = probeIds[turn % PROBES]!;
  const isInside = Math.floor(turn / PROBES) % 2 === 1;
  const time = Date.now();
  if (turn >= PROBES) asked.set(unitId, performance.now());
  await send(
    [time, time + 6000].map((at) => ({
      unit_id: unitId,
      time: at,
      lon: LON - (isInside ? 0 : 250 / 62_000),
      lat: LAT,
    })),
  );
};

try {
  if (PROBES > 0) void readEvents().catch(() => {});
  times.fill(Date.now());
  for (let i = 0; i < 4 * UNITS; i += 500) await send(someFixes(500));
  await followed();
  let turn = 0;
  const probing = setInterval(() => void probe(turn++), PROBES > 0 ? PROBE_MS : 2 ** 30);
  const wal = await one(sql`select pg_current_wal_lsn()::text as value`);
  const before = processorTimes();
  const from = performance.now();
  const took: number[] = [];
  let sent = 0;
  let open = 0;
  while (sent < FIXES) {
    for (
      ;
      sent < Math.min(FIXES, ((performance.now() - from) / 1000) * RATE) && open < MOST_REQUESTS;
      sent += SIZE
    ) {
      const begin = performance.now();
      open++;
      void send(someFixes(SIZE)).then(() => {
        took.push(performance.now() - begin);
        open--;
      });
    }
    await sleep(1);
  }
  clearInterval(probing);
  while (open > 0) await sleep(1);
  await followed();
  const seconds = (performance.now() - from) / 1000;
  const after = processorTimes();
  const bytes = await one(sql`select pg_current_wal_lsn() - ${wal}::pg_lsn as value`);
  for (const list of [took, latencies]) list.sort((a, b) => a - b);
  reader.abort();
  const costs = Object.entries(after).map(
    ([name, value]) => [name, ((value - before[name]!) * 1e6) / sent] as const,
  );
  const at = (list: readonly number[]): string => {
    const [half, most] = [0.5, 0.99].map((q) => list[Math.floor(q * (list.length - 1))]!.toFixed(0));
    return `p50 ${half}, p99 ${most} ms`;
  };
  process.stdout.write(
    `${sent} fixes, ${SIZE} a request, ${(sent / seconds).toFixed(0)} a second; processor time a fix: ${costs.map(([name, cost]) => `${name} ${cost.toFixed(0)} µs`).join(', ')}, all ${costs.reduce((sum, [, cost]) => sum + cost, 0).toFixed(0)} µs; ${(Number(bytes) / sent).toFixed(0)} bytes of write-ahead log a fix; requests ${at(took)}${latencies.length > 0 ? `; ${latencies.length} events after their requests ${at(latencies)}` : ''}\n`,
  );
} finally {
  await cluster.close();
}
