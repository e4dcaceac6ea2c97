/** What the tables must hold: one process over the log in its order, and the batch over all fixes. */

import { sql } from 'kysely';
import type { Fix, ZoneIndex } from 'wayzone';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import { fixOfRow } from '../../src/live/fixes.js';
import { fixDays } from '../../src/storage/fixDays.js';
import type { Storage } from '../../src/storage/storage.js';
import { isPreferred } from '../../src/stream/fixOrder.js';
import { lastTimeOf } from '../../src/stream/lastTimeOf.js';
import type { Log } from '../../src/stream/log.js';
import { toldMovement } from '../../src/stream/movementTold.js';
import { partitionRun } from '../../src/stream/partitionRun.js';
import type { StreamEvent, ToldMovement, ToldVisit } from '../../src/stream/streamEvent.js';
import { streamStore } from '../../src/stream/streamStore.js';
import { toldVisits } from '../../src/stream/visitsTold.js';
import { type VersionedZones, zoneSource } from '../../src/stream/zoneSource.js';
import { jobThreads } from '../../src/threads/jobs.js';
import { batchMovement } from '../batchMovement.js';

export interface Difference {
  readonly lost: number;
  readonly doubled: number;
  readonly changed: number;
  /** Some of them, to be read. */
  readonly examples: readonly string[];
}

/** Rows by key, each with its content. */
type Rows = Map<string, string>;

export function differenceOf(expected: Rows, received: readonly (readonly [string, string])[]): Difference {
  const seen = new Map<string, number>();
  const examples: string[] = [];
  let changed = 0;
  for (const [key, content] of received) {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const wanted = expected.get(key);
    if (wanted !== undefined && wanted !== content) {
      changed++;
      examples.push(`changed ${key}: expected ${wanted}, received ${content}`);
    }
  }
  const lost = [...expected.keys()].filter((key) => !seen.has(key));
  const more = received.filter(([key]) => !expected.has(key) || seen.get(key)! > 1);
  examples.push(...lost.map((key) => `lost ${key}: ${expected.get(key)}`));
  examples.push(...more.map(([key, content]) => `doubled ${key}: ${content}`));
  return { lost: lost.length, doubled: more.length, changed, examples: examples.slice(0, 20) };
}

/** Events and fixes as one process makes them of the log, with the zones' versions where the workers recorded them. */
export async function fromLog(
  storage: Storage,
  log: Log,
  partitions: number,
  latenessSeconds: number,
): Promise<{ readonly events: Rows; readonly fixes: Rows }> {
  const events: Rows = new Map();
  const fixes: Rows = new Map();
  const jobs = jobThreads(1);
  const source = zoneSource(storage, jobs);
  const { settingsOf } = streamStore(storage, fixDays(storage));
  for (let partition = 0; partition < partitions; partition++) {
    const { rows: records } = await sql<{ company_id: string; seq: string; version: string }>`
      select company_id, seq, version from partition_zones where partition = ${partition} order by seq`.execute(
      storage.db,
    );
    const versions = new Map<string, VersionedZones>();
    const recorded = async (companyId: string, at: number): Promise<VersionedZones> => {
      // A source of its own for each, so that every version has an index of its own.
      const zones = await zoneSource(storage, jobs).at(companyId, at);
      versions.set(companyId, zones);
      return zones;
    };
    const byUnit = new Map<string, Map<number, Fix>>();
    const told = new Map<string, StreamEvent[]>();
    const run = partitionRun({
      partition,
      from: {
        epoch: 0,
        position: 0,
        clock: Number.NEGATIVE_INFINITY,
        replayFrom: 1,
        replayClock: Number.NEGATIVE_INFINITY,
        streamCreated: null,
        unproven: 1,
        trying: null,
        tries: 0,
        alarm: null,
        shift: 0,
        states: [],
        zones: new Map(),
      },
      store: {
        fixesOf: async (unitId, from) =>
          [...(byUnit.get(unitId)?.values() ?? [])]
            .filter(({ time }) => time >= from)
            .sort((a, b) => a.time - b.time),
        firstFixOf: async (unitId) => Math.min(...(byUnit.get(unitId)?.keys() ?? [Number.POSITIVE_INFINITY])),
        eventsOf: async (unitId, from) =>
          (told.get(unitId) ?? []).filter((event) => lastTimeOf(event) >= from),
        settingsOf,
      },
      zones: {
        ...source,
        async current(companyId) {
          const known = versions.get(companyId);
          if (known !== undefined) return known;
          const first = records.find((record) => record.company_id === companyId);
          return first === undefined ? null : recorded(companyId, Number(first.version));
        },
      },
      latenessSeconds,
      settled: async () => {},
    });
    const last = (await log.state(partition))?.last ?? 0;
    const stop = new AbortController();
    if (last === 0) continue;
    for await (const messages of log.read(partition, 1, stop.signal)) {
      for (const message of messages) {
        for (const { company_id: companyId, version } of records.filter(
          (record) => Number(record.seq) === message.seq - 1 && versions.has(record.company_id),
        )) {
          if (versions.get(companyId)!.version === Number(version)) continue;
          run.seal({ count: 0 }, { companyId, version: Number(version) });
          run.exchange(companyId, await recorded(companyId, Number(version)));
        }
        await run.handle(message);
        const sealed = run.seal({ count: 0 });
        run.committedTo(sealed);
        for (const { unitId, fix } of sealed.fixes) {
          const own = byUnit.get(unitId) ?? new Map<number, Fix>();
          byUnit.set(unitId, own);
          const known = own.get(fix.time);
          if (known === undefined || isPreferred(fix, known)) own.set(fix.time, fix);
        }
        for (const { companyId, seq, ordinal, event } of sealed.events) {
          const own = told.get(event.unitId) ?? [];
          told.set(event.unitId, own);
          own.push(event);
          events.set(`${companyId} ${partition} ${seq} ${ordinal}`, contentOf(event));
        }
      }
      if (run.position >= last) stop.abort();
    }
    for (const [unitId, own] of byUnit)
      for (const fix of own.values()) fixes.set(`${unitId} ${fix.time}`, contentOf(fix));
  }
  await jobs.close();
  return { events, fixes };
}

export async function storedEvents({ db }: Storage): Promise<[string, string][]> {
  const rows = await db.selectFrom('events').selectAll().execute();
  return rows.map(({ company_id: id, partition, seq, ordinal, event }) => [
    `${id} ${partition} ${seq} ${ordinal}`,
    contentOf(event),
  ]);
}

export async function storedFixes({ db }: Storage): Promise<[string, string][]> {
  const rows = await db.selectFrom('fixes').selectAll().execute();
  return rows.map((row) => [`${row.unit_id} ${row.time}`, contentOf(fixOfRow(row))]);
}

/** The best fix of each time of what was sent. */
export function bestOf(sent: readonly { readonly unitId: string; readonly fix: Fix }[]): Map<string, Fix[]> {
  const units = new Map<string, Map<number, Fix>>();
  for (const { unitId, fix } of sent) {
    const own = units.get(unitId) ?? new Map<number, Fix>();
    units.set(unitId, own);
    const known = own.get(fix.time);
    if (known === undefined || isPreferred(fix, known)) own.set(fix.time, fix);
  }
  return new Map([...units].map(([unitId, own]) => [unitId, [...own.values()]]));
}

/** Visits, trips, parkings and stops of the batch, and those that the stored events tell, of these units. */
export async function itemsOf(
  storage: Storage,
  index: ZoneIndex,
  sent: Map<string, Fix[]>,
): Promise<Record<'visits' | 'movement', { readonly batch: Rows; readonly told: [string, string][] }>> {
  const visits = { batch: new Map<string, string>(), told: [] as [string, string][] };
  const movement = { batch: new Map<string, string>(), told: [] as [string, string][] };
  const { settingsOf } = streamStore(storage, fixDays(storage));
  const settings = await settingsOf([...sent.keys()]);
  for (const [unitId, fixes] of sent) {
    const track = readTrack(fixes);
    for (const visit of findVisits(track, index)) visits.batch.set(keyOf(unitId, visit), textOf(visit));
    const rows = await storage.db
      .selectFrom('events')
      .select('event')
      .where('unit_id', '=', unitId)
      .orderBy('seq')
      .orderBy('ordinal')
      .execute();
    const events = rows.map(({ event }) => event as unknown as StreamEvent);
    for (const visit of toldVisits(events)) visits.told.push([keyOf(unitId, visit), textOf(visit)]);

    const told = toldMovement(events);
    for (const one of told) movement.told.push([movementKey(unitId, one), contentOf(one)]);
    for (const one of batchMovement(detectTrips(track, settings.get(unitId)), told, track.time.at(-1)!))
      movement.batch.set(movementKey(unitId, one), contentOf(one));
  }
  return { visits, movement };
}

const movementKey = (unitId: string, { kind, from }: Pick<ToldMovement, 'kind' | 'from'>): string =>
  `${unitId} ${kind} ${from}`;

const keyOf = (unitId: string, { zoneId, enter }: ToldVisit): string => `${unitId} ${zoneId} ${enter}`;

/** An open visit is told without what is not known yet. */
function textOf({ exit, seen, enterBounds, exitBounds, end, fixCount }: ToldVisit): string {
  return JSON.stringify(
    exit === null ? [seen, enterBounds] : [exit, seen, enterBounds, exitBounds, end, fixCount],
  );
}

/** JSON with its keys in order. */
function contentOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
