import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { seeded } from '../../test/volume.js';
import {
  type Cursor,
  cursorFrom,
  eventsAfter,
  lastCursor,
  readCursor,
  writeCursor,
} from '../src/live/cursor.js';
import { liveChanges } from '../src/live/liveChanges.js';
import type { Storage } from '../src/storage/storage.js';
import type { CoreEvent } from '../src/stream/cellCore.js';
import { commitSealed, type Sealed } from '../src/stream/commitSealed.js';
import { addCompany } from './addCompany.js';
import { ownClock, passTime } from './ownClock.js';
import { embedded } from './testHost.js';

/** The cursors of `/events` over commits of many cells, and what wakes its readers. */

const CELLS = 64;
const COMPANIES = ['a', 'b'];

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
  for (const id of COMPANIES) await addCompany(storage, id, { units: [{ id: `unit-${id}` }] });
  await sql`insert into cell_positions (cell) select generate_series(0, ${CELLS - 1})`.execute(storage.db);
});
afterAll(() => storage?.close());

const positions = new Map<number, number>();
const eventAt = (companyId: string, seq: number, ordinal: number, name: string): CoreEvent => ({
  companyId,
  seq,
  ordinal,
  event: {
    type: 'lost',
    unitId: `unit-${companyId}`,
    zoneId: name,
    time: seq,
    bounds: [seq, null],
    reason: null,
    visit: null,
  },
});
/** Commits the events of a cell as its next message. */
async function commit(
  cell: number,
  names: readonly (readonly [companyId: string, name: string])[],
): Promise<void> {
  const version = positions.get(cell) ?? 0;
  const seq = version + 1;
  positions.set(cell, seq);
  const sealed: Sealed = {
    cell,
    version,
    position: seq,
    clock: Number.NEGATIVE_INFINITY,
    replayFrom: seq + 1,
    replayClock: Number.NEGATIVE_INFINITY,
    tickIn: null,
    now: null,
    companyIds: new Set(),
    fixCount: 0,
    events: names.map(([companyId, name], i) => eventAt(companyId, seq, i, name)),
    states: [],
    zones: [],
    aside: [],
    resumed: new Set(),
    earlier: new Map(),
  };
  expect(await commitSealed(storage, [sealed])).toEqual([]);
}
const namesAfter = async (companyId: string, cursor: Cursor, limit: number) => {
  const { events, cursor: next } = await eventsAfter(storage, companyId, cursor, limit);
  return { names: events.map(({ event }) => event['zoneId'] as string), next };
};

beforeEach(async () => {
  await storage.db.deleteFrom('events').execute();
});
afterEach(() => void vi.useRealTimers());

test('a client that comes back with the id of its last event gets each event once, in the order of commits', async () => {
  const random = seeded(4);
  const expected: Record<string, string[]> = { a: [], b: [] };
  const received: Record<string, string[]> = { a: [], b: [] };
  const ids = new Map<string, string>();
  for (const id of COMPANIES) ids.set(id, writeCursor((await lastCursor(storage, id)).number));
  for (let i = 0; i < 150; i++) {
    const names = Array.from({ length: Math.floor(random() * 4) }, (_, k) => {
      const companyId = random() < 0.5 ? 'a' : 'b';
      expected[companyId]!.push(`${i}.${k}`);
      return [companyId, `${i}.${k}`] as const;
    });
    await commit(Math.floor(random() * CELLS), names);
    for (const id of COMPANIES) {
      if (random() < 0.7) continue;
      const cursor = await cursorFrom(storage, id, readCursor(ids.get(id)!));
      const { names: some, next } = await namesAfter(id, cursor, 1 + Math.floor(random() * 5));
      received[id]!.push(...some);
      ids.set(id, writeCursor(next.number));
      expect(ids.get(id)!.length).toBeLessThanOrEqual(64);
    }
  }
  for (const id of COMPANIES) {
    const cursor = await cursorFrom(storage, id, readCursor(ids.get(id)!));
    received[id]!.push(...(await namesAfter(id, cursor, 1000)).names);
  }
  expect(received).toEqual(expected);
  expect(expected['a']!.length).toBeGreaterThan(50);
});

test('a server that lost its last writes gives no number of an event again', async () => {
  await commit(0, [
    ['a', 'kept'],
    ['a', 'also kept'],
  ]);
  const kept = (await lastCursor(storage, 'a')).number;
  expect((await lastCursor(storage, 'a', 1)).number).toBe(kept - 1);
  const { rows } = await sql<{ started: string }>`
    select floor(1000 * extract(epoch from pg_postmaster_start_time()))::text as started`.execute(storage.db);
  const started = Number(rows[0]!.started);
  // The events of an earlier start, of which a client has one more.
  const before = started - 60_000;
  await sql`update events set number = ${before} + (number - ${kept})`.execute(storage.db);
  await sql`update event_numbers set last = ${before} where company_id = 'a'`.execute(storage.db);
  await commit(0, [['a', 'later']]);
  expect((await lastCursor(storage, 'a')).number).toBe(started + 1);
  expect((await lastCursor(storage, 'a', 1)).number).toBe(before);
  expect((await lastCursor(storage, 'a', 10)).number).toBe(0);
  const { names } = await namesAfter(
    'a',
    await cursorFrom(storage, 'a', readCursor(writeCursor(before + 1))),
    10,
  );
  expect(names).toEqual(['later']);
});

test('a client with an id of the version before gets what it lacks, and nothing twice', async () => {
  await commit(3, [['a', 'old 3']]);
  await commit(9, [['a', 'new 9']]);
  await commit(3, [['a', 'newer 3']]);
  await commit(4, [['a', 'old 4']]);
  const text = `3.${positions.get(3)! - 1}.0,4.${positions.get(4)}.0`;
  const { names, next } = await namesAfter('a', await cursorFrom(storage, 'a', readCursor(text)), 10);
  expect(names).toEqual(['new 9', 'newer 3']);
  await commit(4, [['a', 'next 4']]);
  expect((await namesAfter('a', next, 10)).names).toEqual(['next 4']);
  // One that lacks nothing begins after the last event.
  const all = `3.${positions.get(3)}.0,4.${positions.get(4)}.0,9.${positions.get(9)}.0`;
  expect(await cursorFrom(storage, 'a', readCursor(all))).toEqual(await lastCursor(storage, 'a'));
});

test('a commit wakes the readers of its companies alone, also if the hint is lost; idle turns come whatever is written', async () => {
  // Idle turns come by it; polls of the database by the real one.
  ownClock();
  let hint: (companyId: string) => void = () => {};
  const hinted: Storage = {
    ...storage,
    listen: async (_, onHint) => {
      hint = (companyId) => onHint({ companyId, version: 0 });
    },
  };
  const changes = await liveChanges(hinted, { pollMs: 20 });
  const stop = new AbortController();
  const turns: Record<string, string[]> = { a: [], b: [] };
  const read = async (companyId: string): Promise<void> => {
    for await (const kind of changes.of(companyId, stop.signal)) turns[companyId]!.push(kind);
  };
  const readers = COMPANIES.map(read);
  const changesOf = (id: string): number => turns[id]!.filter((kind) => kind === 'change').length;
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await turn();
  };
  await commit(1, [['b', 'x']]);
  // The first poll and the commit.
  await until(() => changesOf('b') >= 2);
  const before = changesOf('a');
  for (let i = 0; i < 3; i++) {
    const seen = changesOf('b');
    await commit(1, [['b', `${i}`]]);
    await until(() => changesOf('b') > seen);
  }
  expect(changesOf('a')).toBe(before);
  // Hints of fixes without events all the time.
  const flood = setInterval(() => hint('b'), 5);
  const idleTurns = (): number => turns['b']!.filter((kind) => kind === 'idle').length;
  for (const count of [1, 2]) {
    await passTime(15_000);
    await until(() => idleTurns() === count);
  }
  clearInterval(flood);
  stop.abort();
  await Promise.all(readers);
  changes.close();
});
