import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { findVisits, readTrack } from 'wayzone/tracks';
import type { UnitFix } from '../src/live/fixes.js';
import { fixDays } from '../src/storage/fixDays.js';
import { migrate, type Storage } from '../src/storage/storage.js';
import { FIRST_CELL } from '../src/stream/cellMap.js';
import { commitSealed, type Sealed } from '../src/stream/commitSealed.js';
import { liveStream } from '../src/stream/liveStream.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { addCompany } from './addCompany.js';
import { eventsInOrder } from './eventsInOrder.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';
import { undoCells } from './undoCells.js';
import { withStatements } from './withStatements.js';

/** What holds for every cell: the fence, replays, workers' turns, their clock, and states of earlier versions. */

const START = Date.UTC(2026, 2, 2, 6);
const MINUTE = 60_000;
const YARD = {
  id: 'yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};
/** To and fro through the yard in 20 minutes. */
const fixAt = (minute: number): Fix => ({
  time: START + minute * MINUTE,
  lon: 30 + (Math.abs((minute % 20) - 10) - 5) / 250,
  lat: 60,
});
const drive = (from: number, to: number, unitId = 'van'): UnitFix[] =>
  Array.from({ length: to - from }, (_, i) => ({ unitId, fix: fixAt(from + i) }));

interface Opened {
  readonly storage: Storage;
  readonly close: () => Promise<void>;
}
async function opened(units: readonly string[] = ['van']): Promise<Opened> {
  const { storage } = await embedded();
  await addCompany(storage, 'c', { zones: [{ ...YARD, name: 'Yard' }], units: units.map((id) => ({ id })) });
  return { storage, close: () => storage.close() };
}
const now = (): number => START + 1000 * MINUTE;
/** Compares the emitted visits with those of all fixes; returns their number. */
async function compare(storage: Storage, fixes: readonly UnitFix[], unitId = 'van'): Promise<number> {
  const own = fixes.flatMap((one) => (one.unitId === unitId ? [one.fix] : []));
  const visits = findVisits(readTrack(own), new ZoneIndex([YARD]));
  const events = await eventsInOrder(storage, { unit_id: unitId });
  const textOf = (one: { zoneId: string; enter: number; exit: number | null }): string =>
    `${one.zoneId} ${one.enter} ${one.exit}`;
  expect(describeEvents('visits', events as never).map(textOf)).toEqual(visits.map(textOf));
  return visits.length;
}

describe('the fence', () => {
  const sealed = (cell: number, version: number, position: number): Sealed => ({
    cell,
    version,
    position,
    clock: START,
    replayFrom: position + 1,
    replayClock: START,
    tickIn: null,
    now: null,
    companyIds: new Set(['c']),
    fixCount: 1,
    events: [
      {
        companyId: 'c',
        seq: position,
        ordinal: 0,
        event: {
          type: 'lost',
          unitId: `unit-${cell}`,
          zoneId: `${version}`,
          time: position,
          bounds: [position, null],
          reason: null,
          visit: null,
        },
      },
    ],
    states: [{ unitId: `unit-${cell}`, companyId: 'c', seq: position, state: `{"version":${version}}` }],
    zones: [],
    aside: [],
    resumed: new Set(),
    earlier: new Map(),
  });
  const stored = async ({ db }: Storage): Promise<unknown[]> => [
    (await sql`select cell, version, position from cell_positions order by cell`.execute(db)).rows,
    (await sql`select unit_id, seq, event->>'zoneId' as zone from events order by unit_id, seq`.execute(db))
      .rows,
    (await sql`select unit_id, seq, state from unit_states order by unit_id`.execute(db)).rows,
  ];

  test('a commit with another version than the row’s writes nothing, neither of its other cells', async () => {
    const { storage, close } = await opened();
    await sql`insert into cell_positions (cell) values (1), (2), (3)`.execute(storage.db);
    expect(await commitSealed(storage, [sealed(1, 0, 1), sealed(2, 0, 1)])).toEqual([]);
    const before = await stored(storage);
    // A worker that was stopped and has an older memory of the second cell.
    expect(await commitSealed(storage, [sealed(1, 1, 2), sealed(2, 0, 2), sealed(3, 0, 1)])).toEqual([2]);
    expect(await commitSealed(storage, [sealed(2, 5, 9)])).toEqual([2]);
    expect(await stored(storage)).toEqual(before);
    expect(await commitSealed(storage, [sealed(1, 1, 2), sealed(2, 1, 2), sealed(3, 0, 1)])).toEqual([]);
    expect((await stored(storage))[0]).toEqual([
      { cell: 1, version: '2', position: '2' },
      { cell: 2, version: '2', position: '2' },
      { cell: 3, version: '1', position: '1' },
    ]);
    await close();
  });

  test('an event that exists with other content stops the commit', async () => {
    const { storage, close } = await opened();
    await sql`insert into cell_positions (cell) values (1)`.execute(storage.db);
    await commitSealed(storage, [sealed(1, 0, 1)]);
    const before = await stored(storage);
    await expect(commitSealed(storage, [sealed(1, 1, 1)])).rejects.toMatchObject({
      code: 'stream-output-differs',
    });
    expect(await stored(storage)).toEqual(before);
    await close();
  });
});

test('two workers with the same cells emit each event once, whichever has handled a message before', async () => {
  const { storage, close } = await opened();
  const workers = [testStream({ storage, now }), testStream({ storage, now })];
  for (let minute = 0; minute < 120; minute += 6)
    await workers[(minute / 6) % 2]!.push('c', drive(minute, minute + 6));
  for (const one of workers) await one.close();
  expect(await compare(storage, drive(0, 120))).toBeGreaterThan(5);
  await close();
});

test('a commit whose answer is lost is counted once', async () => {
  const { storage, close } = await opened();
  let commits = 0;
  /** After every third commit the connection ends before its answer. */
  const deaf = withStatements(storage, async (execute, text) => {
    const value = await execute();
    if (text.includes('event_numbers') && ++commits % 3 === 0)
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    return value;
  });
  const live = testStream({ storage: deaf, now }, storage);
  for (let minute = 0; minute < 120; minute += 6) await live.push('c', drive(minute, minute + 6));
  await live.close();
  expect(commits).toBeGreaterThan(19);
  expect(await compare(storage, drive(0, 120))).toBeGreaterThan(5);
  await close();
});

test('late fixes of many units in a message are followed by few statements', async () => {
  const vans = Array.from({ length: 150 }, (_, i) => `van-${i}`);
  const { storage, close } = await opened(vans);
  // The last van has more fixes than are read together.
  const last = (unitId: string): number => (unitId === 'van-149' ? 700 : 60);
  const lacks = (minute: number): boolean => minute % 20 >= 9 && minute % 20 < 12;
  const all = vans.flatMap((unitId) => drive(0, last(unitId), unitId));
  const isLate = ({ fix }: UnitFix): boolean =>
    fix.time < fixAt(60).time && lacks((fix.time - START) / MINUTE);
  let reads = 0;
  const counted = withStatements(storage, (execute, text) => {
    if (/^\s*select\b[\s\S]*\b(?:fixes|events)\b/.test(text)) reads++;
    return execute();
  });
  const live = testStream({ storage: counted, now }, storage);
  await live.push(
    'c',
    all.filter((one) => !isLate(one)),
  );
  reads = 0;
  await live.push('c', all.filter(isLate));
  await live.close();
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(30);
  for (const unitId of vans) expect(await compare(storage, all, unitId)).toBeGreaterThan(3);
  await close();
});

test('a late fix in a backlog of an hour takes none of the fixes after it', async () => {
  const { storage, close } = await opened();
  let time = START;
  const sender = liveStream({ storage, days: fixDays(storage), worker: null, now: () => time });
  const all = drive(0, 90);
  const isLate = (one: UnitFix): boolean => one === all[9];
  for (let minute = 0; minute < 90; minute++) {
    time = START + minute * MINUTE;
    const due = minute === 12 ? [all[9]!, all[12]!] : [all[minute]!].filter((one) => !isLate(one));
    await sender.push('c', due);
  }
  await sender.close();
  const live = testStream({ storage, now: () => time });
  await live.push('c', drive(90, 91));
  await live.close();
  expect(await compare(storage, drive(0, 91))).toBeGreaterThan(7);
  await close();
});

test('beside a backlog of 400 messages of a company, another one is served in its turn', async () => {
  const { storage, close } = await opened();
  await addCompany(storage, 'other', {
    zones: [{ ...YARD, id: 'other yard', name: 'Yard' }],
    units: [{ id: 'bus' }],
  });
  const sender = liveStream({ storage, days: fixDays(storage), worker: null, now });
  for (let minute = 0; minute < 400; minute++) await sender.push('c', drive(minute, minute + 1));
  await sender.close();
  const live = testStream({ storage, now });
  await live.push('other', drive(0, 1, 'bus'));
  const { rows } = await sql<{ position: string }>`
    select position from cell_positions where cell = ${FIRST_CELL}`.execute(storage.db);
  expect(Number(rows[0]!.position)).toBeLessThan(400);
  await live.push('c', drive(400, 401));
  await live.close();
  expect(await compare(storage, drive(0, 401))).toBeGreaterThan(20);
  await close();
});

test('the worker’s ticks emit what the clock ends; an idle cell gets no ticks but those of its units and of trips', async () => {
  const { storage, close } = await opened();
  let time = START + 4 * MINUTE;
  const live = testStream({ storage, now: () => time, tickMs: 1000 });
  await live.push('c', drive(0, 5));
  const ticks = async (): Promise<number> => {
    const { rows } = await sql<{ head: string }>`select head from cells where company_id = 'c'`.execute(
      storage.db,
    );
    return Number(rows[0]!.head) - 1;
  };
  const types = async (): Promise<string[]> =>
    (await eventsInOrder(storage, { unit_id: 'van' })).flatMap((event) =>
      'zoneId' in event ? [event.type] : [],
    );
  expect(await types()).toEqual(['enter']);
  // Two hours in steps of ten seconds.
  let steps = 0;
  while (!(await types()).includes('lost')) {
    time += 10_000;
    steps++;
    await new Promise((done) => setTimeout(done, 5));
  }
  const found = await ticks();
  expect(found).toBeGreaterThan(0);
  // At most one in 30 s, and a few of the first seconds.
  expect(found).toBeLessThan(steps / 3 + 40);
  await live.close();
  await close();
});

test('states of earlier versions move to cells, and their units go on where they were', async () => {
  const units = Array.from({ length: 40 }, (_, i) => `u${i}`);
  const { storage, close } = await opened(units);
  let live = testStream({ storage, now });
  for (const unitId of units) await live.push('c', drive(0, 30, unitId));
  await live.close();
  await undoCells(storage);
  // As an earlier version leaves them after its last message.
  await sql`insert into partitions (partition, position, replay_from, clock)
    select p, 700, 701, ${now()} from generate_series(0, 63) as p`.execute(storage.db);
  await sql`update unit_states set partition = abs(hashtext(unit_id)) % 64, seq = 700`.execute(storage.db);
  await sql`update events set partition = 3, seq = seq + 400`.execute(storage.db);
  await sql`update partition_zones set partition = 3`.execute(storage.db);
  await migrate(storage.db);
  await prepareStream(storage);
  const { rows } = await sql<{ low: number; seq: string }>`
    select min(cell) as low, max(seq) as seq from unit_states`.execute(storage.db);
  expect(rows).toEqual([{ low: FIRST_CELL, seq: '0' }]);
  live = testStream({ storage, now });
  for (const unitId of units) await live.push('c', drive(30, 60, unitId));
  await live.close();
  for (const unitId of units) expect(await compare(storage, drive(0, 60, unitId), unitId)).toBeGreaterThan(2);
  await close();
});

test.each([
  ['states that lack messages', 'insert into partitions (partition, position, replay_from) values (5, 9, 7)'],
  [
    'messages that no worker has handled',
    'insert into stream_log values (5, 10, convert_to(\'{"v":1,"company":"c","fixes":[]}\', \'UTF8\'))',
  ],
  ['messages that a broker had', 'insert into received values (5)'],
])('tables of an earlier version with %s are refused, and stay', async (why, statement) => {
  const { storage, close } = await opened();
  await undoCells(storage);
  await sql.raw(statement).execute(storage.db);
  await expect(migrate(storage.db)).rejects.toMatchObject({
    code: 'stream-unfinished',
    field: 'partition 5',
    message: expect.stringContaining(why),
  });
  await sql`delete from received`.execute(storage.db);
  await sql`delete from stream_log`.execute(storage.db);
  await sql`delete from partitions`.execute(storage.db);
  await migrate(storage.db);
  const live = testStream({ storage, now });
  await live.push('c', drive(0, 30));
  await live.close();
  expect(await compare(storage, drive(0, 30))).toBeGreaterThan(0);
  await close();
});
