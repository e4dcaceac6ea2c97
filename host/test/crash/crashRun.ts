/** Kills workers, API processes and the database during a stream of fixes, and compares the tables with their expected content. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ZoneIndex } from 'wayzone';
import { seeded } from '../../../test/volume.js';
import type { UnitFix } from '../../src/live/fixes.js';
import { divideCell } from '../../src/stream/divideCell.js';
import { addCompany } from '../addCompany.js';
import type { Database } from '../testHost.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, type Node, startCluster } from './cluster.js';
import { endStream } from './endStream.js';
import { type Sending, sendings, settingsOf, tripOf, ZONES, zoneAt } from './fleet.js';
import {
  bestOf,
  type Difference,
  differenceOf,
  itemsOf,
  storedEvents,
  storedFixes,
  tripsOf,
} from './oracle.js';
import { positionsOf } from './positionsOf.js';

export interface CrashOptions {
  readonly kills: number;
  readonly units: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const LATENESS_SECONDS = 10;
/** Milliseconds between two fixes of a unit. */
const EVERY_MS = 5000;
/** Fixes per request, and concurrent requests per company. */
const REQUEST_FIXES = 300;
const SENDERS = 2;
/** Minimum duration of the stream of fixes. */
const LEAST_MS = 20_000;
/** Cells are divided until there are so many. */
const MOST_CELLS = 60;
/** Longer than the server keeps a session without queries. */
const PAUSE_MS = 5000;
/** The zones of `still` never change, so that its events can be compared with the batch. The zones of `edited` change all the time. */
const COMPANIES = ['edited', 'still'] as const;
/** Units of trips have uuids. */
const PREFIXES: Readonly<Record<string, string>> = {
  edited: 'ed17ed00-0000-4000-8000',
  still: '57111000-0000-4000-8000',
};

export async function crashRun({ kills, units, seed, say }: CrashOptions): Promise<Difference> {
  const random = seeded(seed);
  const idsOf = (company: string): string[] =>
    Array.from({ length: units / 2 }, (_, i) => `${PREFIXES[company]!}-${String(i).padStart(12, '0')}`);
  const cluster = await startCluster({
    workers: 3,
    apis: 2,
    environment: {
      LATENESS_SECONDS: String(LATENESS_SECONDS),
      STATE_SECONDS: '30',
    },
    prepare: (database) => prepare(database, idsOf),
  });
  try {
    const headers = new Map<string, Record<string, string>>();
    for (const companyId of COMPANIES)
      headers.set(companyId, { ...(await adminHeaders(companyId)), 'content-type': 'application/json' });
    const send = async (companyId: string, method: string, path: string, body: unknown): Promise<unknown> => {
      for (;;) {
        const { url } = cluster.apis[Math.floor(random() * cluster.apis.length)]!;
        const answer = await fetch(`${url}/api_v1${path}`, {
          method,
          headers: headers.get(companyId)!,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(15_000),
        }).catch(() => null);
        const read = (await answer?.json().catch(() => null)) as Record<string, unknown> | null | undefined;
        if (answer?.status === 200 && read) return read;
        if (answer && answer.status < 500 && read)
          throw new Error(`expected 200, received ${JSON.stringify(read)}`);
        await sleep(50);
      }
    };
    for (const companyId of COMPANIES)
      for (let i = 0; i < ZONES; i++) await send(companyId, 'POST', '/geozones', zoneAt(i));

    const isDone = { kills: false };
    const sent: UnitFix[] = [];
    const start = Date.now();
    const trips: { readonly id: string; readonly unit: number; readonly unitId: string }[] = [];
    for (const companyId of COMPANIES)
      for (const [unit, unitId] of idsOf(companyId).entries()) {
        if (unit % 4 !== 1) continue;
        const { id } = (await send(companyId, 'POST', '/trips', tripOf(unit, unitId, start))) as {
          id: string;
        };
        if (companyId === 'edited') trips.push({ id, unit, unitId });
      }
    const sender = async (
      companyId: string,
      due: readonly Sending[],
      at: { next: number },
    ): Promise<void> => {
      while (!isDone.kills) {
        const body: UnitFix[] = [];
        while (due[at.next]!.at <= Date.now() - start && body.length < REQUEST_FIXES)
          body.push(due[at.next++]!.one);
        if (body.length === 0) {
          await sleep(50);
          continue;
        }
        sent.push(...body);
        await send(
          companyId,
          'POST',
          '/positions',
          body.map(({ unitId, fix }) => ({ unit_id: unitId, ...fix })),
        );
      }
    };
    const senders = COMPANIES.flatMap((companyId) => {
      const due = sendings({
        random,
        unitIds: idsOf(companyId),
        start,
        // More fixes than needed. Fixes that are not due at the end of the kills are never sent.
        durationMs: LEAST_MS + kills * 20_000,
        everyMs: EVERY_MS,
        latenessMs: LATENESS_SECONDS * 1000,
      });
      const at = { next: 0 };
      return Array.from({ length: SENDERS }, () => sender(companyId, due, at));
    });
    let edits = 0;
    const editor = async (): Promise<void> => {
      const { rows } = await sql<{
        id: string;
      }>`select id from geozones where company_id = 'edited' order by ordinal`.execute(
        cluster.database.storage.db,
      );
      while (!isDone.kills) {
        const i = Math.floor(random() * rows.length);
        await send('edited', 'PUT', `/geozones/${rows[i]!.id}`, zoneAt(i, 40 + Math.round(40 * random())));
        edits++;
        const { id, unit, unitId } = trips[Math.floor(random() * trips.length)]!;
        await send('edited', 'PUT', `/trips/${id}`, tripOf(unit, unitId, start, Math.floor(3 * random())));
        edits++;
        await sleep(2000);
      }
    };
    let divisions = 0;
    const divider = async (): Promise<void> => {
      const { storage } = cluster.database;
      while (!isDone.kills) {
        await sleep(4000 * random());
        // The database may be away.
        const { rows } = await sql<{ cell: number }>`select cell from cells where last is null`
          .execute(storage.db)
          .catch(() => ({ rows: [] }));
        const one = rows[Math.floor(random() * rows.length)];
        if (one === undefined || rows.length > MOST_CELLS) continue;
        await divideCell(storage, one.cell, 2 + Math.floor(2 * random())).then(
          () => divisions++,
          () => {},
        );
      }
    };
    const writers = [...senders, editor(), divider()];
    await progress(cluster, 0);
    await killAtWill(cluster, kills, seeded(seed), say);
    while (Date.now() - start < LEAST_MS) await sleep(100);
    isDone.kills = true;
    await Promise.all(writers);
    say(
      `${sent.length} fixes sent, ${edits} changes of zones and trips, ${divisions} divisions of cells; draining`,
    );
    await endStream(cluster, LATENESS_SECONDS);
    return await compared(cluster, sent, say);
  } finally {
    await cluster.close();
  }
}

async function prepare({ storage }: Database, idsOf: (company: string) => string[]): Promise<void> {
  for (const id of COMPANIES) {
    await addCompany(storage, id);
    const ids = idsOf(id);
    const settings = ids.map((_, unit) => JSON.stringify(settingsOf(unit)));
    await sql`insert into units (id, company_id, name, device_key, settings)
      select u, ${id}, u, u, s from unnest(${ids}::text[], ${settings}::jsonb[]) as g(u, s)`.execute(
      storage.db,
    );
  }
}

/** Waits until the sum of committed positions exceeds `before`, and returns it. */
async function progress(cluster: Cluster, before: number): Promise<number> {
  for (;;) {
    const sum = (await positionsOf(cluster).catch(() => [])).reduce((a, b) => a + b, 0);
    if (sum > before) return sum;
    await sleep(30);
  }
}

/** The kills: each kind once, then at random. */
const KINDS = ['worker', 'postgres', 'pause', 'terminate', 'api', 'worker', 'worker'] as const;

async function killAtWill(
  cluster: Cluster,
  kills: number,
  random: () => number,
  say: (line: string) => void,
): Promise<void> {
  const { workers, apis, postgres, database } = cluster;
  const pick = (nodes: readonly Node[]): Node | undefined => {
    const there = nodes.filter(({ isAway }) => !isAway);
    return there[Math.floor(random() * there.length)];
  };
  const away: Promise<void>[] = [];
  let committed = 0;
  const plan = Array.from(
    { length: kills },
    (_, i) => KINDS[i] ?? KINDS[Math.floor(KINDS.length * random())]!,
  );
  for (const [i, kind] of plan.entries()) {
    const kill = i + 1;
    if (kind === 'terminate') {
      say(`${kill}: terminate all sessions`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
        database.storage.db,
      );
      await sleep(500 * random());
      continue;
    }
    const nodes = { postgres: [postgres], api: apis, worker: workers, pause: workers }[kind];
    let node = pick(nodes);
    while (node === undefined) {
      await sleep(20);
      node = pick(nodes);
    }
    if (kind === 'pause') {
      say(`${kill}: stop ${node.name} for ${PAUSE_MS} ms`);
      away.push(node.pause(PAUSE_MS));
    } else {
      say(`${kill}: kill ${node.name}`);
      const again = node.kill();
      away.push(again);
      // Without them the run cannot continue.
      if (node === postgres) await again;
    }
    committed = await progress(cluster, committed);
    await sleep(500 * random());
  }
  await Promise.all(away);
}

async function compared(
  cluster: Cluster,
  sent: readonly UnitFix[],
  say: (line: string) => void,
): Promise<Difference> {
  const { storage } = cluster.database;
  {
    const events = await storedEvents(storage);
    const best = bestOf(sent);
    const fixes = new Map(
      [...best].flatMap(([unitId, own]) => own.map((fix) => [`${unitId} ${fix.time}`, ''] as const)),
    );
    const stored = await storedFixes(storage);
    const { rows } = await sql<{
      row: ConstructorParameters<typeof ZoneIndex>[0] extends Iterable<infer R> ? R : never;
    }>`
      select row from geozones where company_id = 'still' order by ordinal`.execute(storage.db);
    const index = new ZoneIndex(rows.map(({ row }) => row));
    const still = new Map([...best].filter(([unitId]) => unitId.startsWith(PREFIXES['still']!)));
    const { visits, movement } = await itemsOf(storage, index, still);
    const trips = await tripsOf(storage, 'still', best);
    const parts: Record<string, Difference> = {
      'fixes and what was sent': differenceOf(fixes, stored.map(([key]) => [key, '']) as [string, string][]),
      'visits and the batch': differenceOf(visits.batch, visits.emitted),
      'movement and the batch': differenceOf(movement.batch, movement.emitted),
      'trips and the batch': differenceOf(trips.batch, trips.emitted),
    };
    const aside = await storage.db.selectFrom('set_aside').select(['cell', 'seq', 'reason']).execute();
    say(
      `${events.length} events, ${stored.length} fixes, ${visits.emitted.length} visits and ${movement.emitted.length} drives, parkings and stops emitted, ${trips.emitted.length} events of trips; set aside: ${JSON.stringify(aside)}`,
    );
    const revised = events.filter(([, text]) => text.includes('"revised"')).length;
    say(`${revised} revisions`);
    let all: Difference = { lost: aside.length, doubled: 0, changed: 0, examples: [] };
    for (const [name, { lost, doubled, changed, examples }] of Object.entries(parts)) {
      if (lost + doubled + changed > 0) say(`${name}: ${lost} lost, ${doubled} doubled, ${changed} changed`);
      all = {
        lost: all.lost + lost,
        doubled: all.doubled + doubled,
        changed: all.changed + changed,
        examples: [...all.examples, ...examples],
      };
    }
    if (
      events.length < 100 ||
      visits.emitted.length < 100 ||
      movement.emitted.length < 100 ||
      trips.emitted.length < 100
    )
      throw new Error('expected events to compare, received too few');
    return all;
  }
}
