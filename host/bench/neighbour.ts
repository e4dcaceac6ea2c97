/**
 * `npm run bench:neighbour -w host`: how long positions of a company take from the request to the history, alone, beside `UNITS` (30,000) units of another company that
 * come at once, and beside `LATE` (60,000) late fixes of 20 units. Over NATS and PostgreSQL, its own servers.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { addCompany } from '../test/addCompany.js';
import { adminHeaders } from '../test/crash/adminHeaders.js';
import { startCluster } from '../test/crash/cluster.js';
import { idZones } from '../test/crash/fleet.js';

const UNITS = Number(process.env['UNITS'] ?? 30_000);
const LATE = Number(process.env['LATE'] ?? 60_000);
const LATE_UNITS = 20;
const WEEK_MS = 7 * 86_400_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const small = Array.from({ length: 20 }, (_, i) => `small-${i}`);
const big = Array.from({ length: UNITS }, (_, i) => `big-${i}`);
const late = Array.from({ length: LATE_UNITS }, (_, i) => `late-${i}`);
const cluster = await startCluster({
  workers: 1,
  apis: 1,
  environment: { POSITIONS_BODY_BYTES: '100000000', LOG_LEVEL: 'silent' },
  async prepare({ storage }) {
    const rows = (ids: readonly string[]) => ({ zones: idZones(), units: ids.map((id) => ({ id })) });
    await addCompany(storage, 'small', rows(small));
    await addCompany(storage, 'big', { units: [...big, ...late].map((id) => ({ id })) });
  },
});
const { db } = cluster.database.storage;
const send = async (company: string, fixes: readonly object[]): Promise<number> => {
  const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/positions`, {
    method: 'POST',
    headers: { ...(await adminHeaders(company)), 'content-type': 'application/json' },
    body: JSON.stringify(fixes),
  });
  await answer.body?.cancel();
  return answer.status;
};
const sent = async (company: string, fixes: readonly object[]): Promise<void> => {
  while ((await send(company, fixes)) !== 200) await sleep(100);
};
const fixOf = (unit_id: string, time: number, lon = 30): object => ({ unit_id, time, lon, lat: 60 });

/** Sends a fix of the small company ten times a second until `work` has ended and all are stored. */
async function beside(name: string, work: () => Promise<unknown>): Promise<void> {
  const pending = new Map<number, number>();
  const took: number[] = [];
  const state = { hasEnded: false };
  const from = performance.now();
  const ended = work().finally(() => {
    state.hasEnded = true;
  });
  const watcher = (async () => {
    while (!state.hasEnded || pending.size > 0) {
      const times = [...pending.keys()];
      if (times.length > 0) {
        const { rows } = await sql<{ time: string }>`select time from fixes
          where unit_id = any(${small}::text[]) and time = any(${times}::bigint[])`.execute(db);
        for (const { time } of rows) {
          took.push(performance.now() - pending.get(Number(time))!);
          pending.delete(Number(time));
        }
      }
      await sleep(10);
    }
  })();
  for (let i = 0; !state.hasEnded || i < 50; i++) {
    const time = Date.now();
    pending.set(time, performance.now());
    void sent('small', [fixOf(small[i % small.length]!, time)]);
    await sleep(100);
  }
  await Promise.all([ended, watcher]);
  took.sort((a, b) => a - b);
  const at = (q: number): string => `${took[Math.floor(q * (took.length - 1))]!.toFixed(0)} ms`;
  say(
    `${name}: ${took.length} fixes, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}; ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
}
const stored = async (which: string, count: number): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from fixes where unit_id like ${which}`.execute(db);
    if (rows[0]!.n >= count) return;
    await sleep(200);
  }
};
try {
  await sent(
    'small',
    small.map((id) => fixOf(id, Date.now())),
  );
  await stored('small-%', 20);
  await beside('alone', () => sleep(5000));
  await beside(`beside ${UNITS} units at once`, async () => {
    const time = Date.now();
    for (let i = 0; i < UNITS; i += 50_000)
      await sent(
        'big',
        big.slice(i, i + 50_000).map((id) => fixOf(id, time)),
      );
    await stored('big-%', UNITS);
  });
  const now = Date.now();
  await sent(
    'big',
    late.map((id) => fixOf(id, now)),
  );
  await beside(`beside ${LATE} late fixes of ${LATE_UNITS} units`, async () => {
    const own = LATE / LATE_UNITS;
    for (const id of late)
      await sent(
        'big',
        Array.from({ length: own }, (_, i) =>
          fixOf(
            id,
            Math.round(now - WEEK_MS + (i * (WEEK_MS - 3_600_000)) / own),
            30 + 0.1 * Math.sin(i / 40),
          ),
        ),
      );
    await stored('late-%', LATE);
  });
} finally {
  await cluster.close();
}
