import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterEach, expect, test, vi } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents, UnitFleet } from 'wayzone/operator';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import { LONG, seeded } from '../../test/volume.js';
import type { UnitFix } from '../src/live/fixes.js';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import { FIRST_CELL } from '../src/stream/cellMap.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { encodeTick } from '../src/stream/message.js';
import { gaugeSetAside, listSetAside, resolveSetAside } from '../src/stream/setAside.js';
import { addCompany } from './addCompany.js';
import { batchMovement } from './batchMovement.js';
import { eventsInOrder } from './eventsInOrder.js';
import { embedded } from './testHost.js';
import { addTo, testStream } from './testStream.js';

/** A unit that cannot be followed is set aside alone; after its return its events are those of the batch. */

const START = Date.UTC(2026, 2, 2, 6);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const YARD = {
  id: 'yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};
const UNITS = ['bus', 'van', 'car'];

/** Drives of ten minutes to and fro through the yard, then rests. Units are a little apart. */
function fixOf(unitId: string, minute: number): Fix {
  const phase = minute + 3 * UNITS.indexOf(unitId);
  const within = phase % 40;
  const driven = Math.min(within, 20);
  return {
    time: START + minute * MINUTE,
    lon: 30 + (Math.floor(phase / 40) % 2 === 0 ? driven - 10 : 10 - driven) / 300,
    lat: 60,
    ...(minute % 7 === 0 ? {} : { speedKph: within < 20 ? 40 : 0 }),
  };
}
const part = (unitId: string, from: number, to: number): UnitFix[] =>
  Array.from({ length: to - from }, (_, i) => ({ unitId, fix: fixOf(unitId, from + i) }));
const all = (from: number, to: number): UnitFix[] => UNITS.flatMap((unitId) => part(unitId, from, to));

interface Bench {
  readonly storage: Storage;
  /** When messages arrive, epoch milliseconds. */
  time: number;
  live: LiveStream;
  /** Adds a message past the intake, then waits until it is handled. */
  publish(companyId: string, items: readonly (readonly [string, unknown])[]): Promise<void>;
  push(fixes: readonly UnitFix[]): Promise<void>;
  tick(time: number): Promise<void>;
  restart(): Promise<void>;
  aside(): Promise<(string | null)[]>;
  decide(unitId: string, decision: 'retry' | 'skip'): Promise<void>;
  /** Compares a unit's events with the batch over its fixes; returns how many visits there are. */
  compare(unitId: string, fixes: readonly UnitFix[]): Promise<number>;
  close(): Promise<void>;
}

async function bench(): Promise<Bench> {
  const { storage } = await embedded();
  await addCompany(storage, 'c', { zones: [{ ...YARD, name: 'Yard' }], units: [] });
  const open = (): LiveStream => testStream({ storage, now: () => self.time });
  /** The clock follows the fixes that are not far ahead. */
  const reach = (times: readonly number[]): void => {
    for (const time of times) if (time < self.time + DAY) self.time = Math.max(self.time, time);
  };
  /** Waits until every message is handled. */
  const handled = async (): Promise<void> => {
    for (;;) {
      const { rows } = await sql`select from cells c join cell_positions p on p.cell = c.cell
        where c.head > p.position`.execute(storage.db);
      if (rows.length === 0) return;
      await new Promise((done) => setTimeout(done, 10));
    }
  };
  const self: Bench = {
    storage,
    time: START,
    live: open(),
    async publish(company, fixes) {
      reach(fixes.map(([, fix]) => (fix as Partial<Fix>).time ?? START));
      const readable = fixes.flatMap(([unitId, fix]) =>
        typeof fix === 'object' ? [{ unitId, ...(fix as Fix) }] : [],
      );
      await fixDays(storage).ensure(readable.map(({ time }) => time));
      for (const { unitId, ...fix } of readable)
        await sql`insert into fixes (unit_id, time, lon, lat, is_usable, more)
          values (${unitId}, ${fix.time}, ${fix.lon}, ${fix.lat}, true,
            ${fix.speedKph === undefined ? null : JSON.stringify({ speedKph: fix.speedKph })})`.execute(
          storage.db,
        );
      const payload = new TextEncoder().encode(JSON.stringify({ v: 1, company, fixes }));
      await addTo(storage, company, fixes[0]![0], self.time, payload);
      await handled();
    },
    async push(fixes) {
      reach(fixes.map(({ fix }) => fix.time));
      await self.live.push('c', fixes);
    },
    async tick(time) {
      self.time = time;
      await addTo(storage, 'c', 'other', time, encodeTick());
      await self.push([{ unitId: 'other', fix: { time, lon: 0, lat: 10 } }]);
    },
    async restart() {
      await self.live.close();
      self.live = open();
    },
    aside: async () => (await listSetAside(storage)).map(({ unitId }) => unitId),
    async decide(unitId, decision) {
      await resolveSetAside(storage, { unitId }, decision, self.time);
      await handled();
    },
    async compare(unitId, fixes) {
      const events = await eventsInOrder(storage, { unit_id: unitId });
      const own = fixes.filter((one) => one.unitId === unitId).map(({ fix }) => fix);
      const track = readTrack([...own].sort((a, b) => a.time - b.time));
      const visits = findVisits(track, new ZoneIndex([YARD]));
      const textOf = ({
        zoneId,
        enter,
        exit,
      }: {
        zoneId: string;
        enter: number;
        exit: number | null;
      }): string => `${zoneId} ${enter} ${exit}`;
      expect(describeEvents('visits', events as never).map(textOf), unitId).toEqual(visits.map(textOf));
      const emitted = describeEvents('movement', events as never);
      expect(emitted, unitId).toEqual(batchMovement(detectTrips(track), emitted));
      return visits.length;
    },
    async close() {
      await self.live.close();
      await storage.close();
    },
  };
  return self;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('a fix that cannot be read sets its unit aside alone; its fixes wait in history until its return', async () => {
  const given = await bench();
  await given.push(all(0, 100));
  // Ahead of the log's clock by three days.
  const ahead = fixOf('van', 5 * 1440);
  const items = all(100, 110).map(({ unitId, fix }) => [unitId, fix] as const);
  await given.publish('c', [...items.slice(0, 15), ['van', ahead], ...items.slice(15)]);
  const [one, ...others] = await listSetAside(given.storage);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ cell: FIRST_CELL, seq: 2, unitId: 'van', companyId: 'c', messages: [2] });
  expect(one!.reason).toContain('fixes[15].time: expected a time near that of the message');
  const registry = new Registry();
  gaugeSetAside(registry, given.storage);
  expect(await registry.metrics()).toContain('\nwayzone_set_aside{cell="10000"} 1\n');
  const stored = async (): Promise<number> =>
    (await given.storage.db.selectFrom('fixes').select('time').where('unit_id', '=', 'van').execute()).length;
  expect(await stored()).toBe(111);
  const before = (await eventsInOrder(given.storage, { unit_id: 'van' })).length;

  await given.push(all(110, 200));
  await given.restart();
  await given.push(all(200, 300));
  await given.publish('c', [['van', 'nonsense']]);
  expect([await stored(), await given.aside()]).toEqual([301, ['van']]);
  expect((await listSetAside(given.storage))[0]!.messages).toHaveLength(2);
  expect(await eventsInOrder(given.storage, { unit_id: 'van' })).toHaveLength(before);
  for (const unitId of ['bus', 'car']) expect(await given.compare(unitId, all(0, 300))).toBeGreaterThan(5);

  // The fix can still not be read.
  await given.decide('van', 'retry');
  const [again] = await listSetAside(given.storage);
  expect(again).toMatchObject({
    unitId: 'van',
    messages: [again!.seq],
    reason: one!.reason.replace('15', '5'),
  });
  expect([again!.seq > one!.seq, await stored()]).toEqual([true, 301]);
  // It is given up with all that came with it; nothing else is.
  await given.decide('van', 'skip');
  expect([await given.aside(), await stored()]).toEqual([[], 290]);
  const kept = all(0, 300).filter(
    ({ unitId, fix }) =>
      unitId !== 'van' || fix.time < fixOf('van', 100).time || fix.time >= fixOf('van', 110).time,
  );
  await given.compare('van', kept);
  await given.restart();
  await given.push(all(300, 400));
  for (const unitId of UNITS) await given.compare(unitId, [...kept, ...all(300, 400)]);
  await given.close();
});

test('a unit of a company that does not exist yet waits for it', async () => {
  const given = await bench();
  await given.publish(
    'later',
    part('bus', 0, 100).map(({ unitId, fix }) => [unitId, fix] as const),
  );
  await given.publish(
    'later',
    part('bus', 100, 200).map(({ unitId, fix }) => [unitId, fix] as const),
  );
  expect(await listSetAside(given.storage)).toMatchObject([
    { unitId: 'bus', companyId: 'later', messages: [1], reason: expect.stringContaining('company-unknown') },
  ]);
  await given.decide('bus', 'retry');
  expect(await given.aside()).toEqual(['bus']);
  await addCompany(given.storage, 'later', { zones: [{ ...YARD, name: 'Yard' }], units: [] });
  await given.restart();
  await given.decide('bus', 'retry');
  expect(await given.aside()).toEqual([]);
  given.time = START + 300 * MINUTE;
  await given.live.push('later', part('bus', 200, 300));
  expect(await given.compare('bus', all(0, 300))).toBeGreaterThan(5);
  await given.close();
});

test('a failure with the clock names the unit, and the clock goes on for the others', async () => {
  const given = await bench();
  // The bus is in the yard.
  await given.push(all(0, 51));
  const real = Reflect.get(UnitFleet.prototype, 'advance');
  const fault = vi.spyOn(UnitFleet.prototype, 'advance').mockImplementation(function (this: UnitFleet, time) {
    if (this.has('car') && time > START) throw new TypeError('no way to go on');
    return real.call(this, time);
  });
  await given.tick(START + 300 * MINUTE);
  expect(await listSetAside(given.storage)).toMatchObject([{ unitId: 'car', reason: 'no way to go on' }]);
  const lost = async (unitId: string): Promise<number> =>
    (await eventsInOrder(given.storage, { unit_id: unitId })).filter(({ type }) => type === 'lost').length;
  const wasLost = await Promise.all(UNITS.map(lost));
  expect(wasLost).toEqual([1, 0, 0]);
  fault.mockRestore();
  await given.push(all(320, 400));
  await given.decide('car', 'retry');
  expect(await given.aside()).toEqual([]);
  await given.push(all(400, 511));
  for (const unitId of UNITS) await given.compare(unitId, [...all(0, 51), ...all(320, 511)]);
  await given.close();
});

test('a row that the database refuses sets its unit aside, not the message', async () => {
  const given = await bench();
  await given.push(all(0, 30));
  const { db } = given.storage;
  await sql`alter table events add constraint refusal check (unit_id <> 'bus') not valid`.execute(db);
  await given.push(all(30, 130));
  expect(await listSetAside(given.storage)).toMatchObject([
    { unitId: 'bus', reason: expect.stringContaining('the database refuses it') },
  ]);
  await given.decide('bus', 'retry');
  await given.push(all(130, 200));
  expect(await given.aside()).toEqual(['bus']);
  await sql`alter table events drop constraint refusal`.execute(db);
  await given.decide('bus', 'retry');
  expect(await given.aside()).toEqual([]);
  for (const unitId of UNITS) expect(await given.compare(unitId, all(0, 200))).toBeGreaterThan(2);
  await given.close();
});

test('a state that cannot be read is replaced by the history', async () => {
  const given = await bench();
  await given.push(all(0, 150));
  await given.live.close();
  await sql`update unit_states set state = replace(state, '"visits"', '"visit"') where unit_id = 'van'`.execute(
    given.storage.db,
  );
  await given.restart();
  await given.push(all(150, 200));
  expect(await listSetAside(given.storage)).toMatchObject([
    { unitId: 'van', reason: expect.stringContaining('state-corrupt') },
  ]);
  await given.decide('van', 'retry');
  expect(await given.aside()).toEqual([]);
  await given.push(all(200, 250));
  for (const unitId of UNITS) expect(await given.compare(unitId, all(0, 250))).toBeGreaterThan(2);
  await given.close();
});

test('whatever fails, and whenever a unit returns or the worker restarts, the events are those of the batch', async () => {
  let [faults, returns] = [0, 0];
  for (let seed = 1; seed <= (LONG ? 20 : 2); seed++) {
    const random = seeded(seed);
    const given = await bench();
    const failing = new Set<string>();
    const real = Reflect.get(UnitFleet.prototype, 'push');
    vi.spyOn(UnitFleet.prototype, 'push').mockImplementation(function (this: UnitFleet, unitId, ...rest) {
      if (!failing.has(unitId)) return real.call(this, unitId, ...rest);
      // Some of its fixes were taken before.
      if (random() < 0.5) real.call(this, unitId, ...rest);
      throw new RangeError('out of range');
    });
    const known: UnitFix[] = [];
    const late: UnitFix[] = [];
    let minute = 0;
    while (minute < 450) {
      const length = 5 + Math.floor(30 * random());
      const own = all(minute, minute + length).filter((one) => {
        const isLate = random() < 0.05;
        if (isLate) late.push(one);
        return !isLate;
      });
      minute += length;
      if (random() < 0.3) failing.add(UNITS[Math.floor(3 * random())]!);
      const message = random() < 0.5 ? own : [...own, ...late.splice(0)];
      known.push(...message);
      await given.push(message);
      const aside = await given.aside();
      expect(new Set(aside), `seed ${seed}`).toEqual(failing);
      faults += aside.length;
      if (random() < 0.3) await given.restart();
      if (random() < 0.3) await given.tick(given.time + 1);
      for (const unitId of Array.from(failing))
        if (random() < 0.3) {
          // Sometimes too early.
          if (random() < 0.7) failing.delete(unitId);
          await given.decide(unitId, 'retry');
          if (!failing.has(unitId)) returns++;
        }
    }
    const waiting = await given.aside();
    failing.clear();
    for (const unitId of waiting) await given.decide(unitId!, 'retry');
    // All units end in a long rest, where nothing waits for the lateness.
    const rest = [...late, ...all(minute, Math.ceil(minute / 40) * 40 + 31)];
    known.push(...rest);
    await given.push(rest);
    expect(await given.aside()).toEqual([]);
    for (const unitId of UNITS)
      expect(await given.compare(unitId, known), `seed ${seed}`).toBeGreaterThan(10);
    vi.restoreAllMocks();
    await given.close();
  }
  expect([faults > 10, returns > 2]).toEqual([true, true]);
});
