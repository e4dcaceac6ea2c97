/**
 * `npm run bench:neighbour -w host`: how long positions of a company take from the request until a worker has followed them, alone, beside `UNITS` (30,000) units of another company that
 * come at once, and beside `LATE` (60,000) late fixes of 20 units. Over its own PostgreSQL.
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
  const pending = new Map<number, { readonly from: number; isAnswered: boolean }>();
  const took: number[] = [];
  const state = { hasEnded: false };
  const from = performance.now();
  const ended = work().finally(() => {
    state.hasEnded = true;
  });
  const hasFollowed = async (): Promise<boolean> => {
    const { rows } = await sql<{ left: string }>`
      select sum(head - position) as left from cells join cell_positions using (cell) where company_id = 'small'`.execute(
      db,
    );
    return rows[0]!.left === '0';
  };
  const watcher = (async () => {
    while (!state.hasEnded || pending.size > 0) {
      const answered = [...pending].filter(([, { isAnswered }]) => isAnswered);
      if (answered.length > 0 && (await hasFollowed()))
        for (const [time, { from }] of answered) {
          took.push(performance.now() - from);
          pending.delete(time);
        }
      await sleep(10);
    }
  })();
  for (let i = 0; !state.hasEnded || i < 50; i++) {
    const time = Date.now();
    const one = { from: performance.now(), isAnswered: false };
    pending.set(time, one);
    void sent('small', [fixOf(small[i % small.length]!, time)]).then(() => {
      one.isAnswered = true;
    });
    await sleep(100);
  }
  await Promise.all([ended, watcher]);
  took.sort((a, b) => a - b);
  const at = (q: number): string => `${took[Math.floor(q * (took.length - 1))]!.toFixed(0)} ms`;
  say(
    `${name}: ${took.length} fixes, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}; ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
}
/** Waits until no message of the company waits. */
const followed = async (company: string): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ left: string | null }>`
      select sum(head - position) as left from cells join cell_positions using (cell) where company_id = ${company}`.execute(
      db,
    );
    if (rows[0]!.left === '0') return;
    await sleep(200);
  }
};
try {
  await sent(
    'small',
    small.map((id) => fixOf(id, Date.now())),
  );
  await followed('small');
  await beside('alone', () => sleep(5000));
  await beside(`beside ${UNITS} units at once`, async () => {
    const time = Date.now();
    for (let i = 0; i < UNITS; i += 50_000)
      await sent(
        'big',
        big.slice(i, i + 50_000).map((id) => fixOf(id, time)),
      );
    await followed('big');
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
    await followed('big');
  });
} finally {
  await cluster.close();
}
