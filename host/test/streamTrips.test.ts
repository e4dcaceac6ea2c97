import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import {
  changedWindow,
  chargesOf,
  describeEvents,
  rowChanges,
  type UnitEvents,
  UnitFleet,
} from 'wayzone/operator';
import { readTrack } from 'wayzone/tracks';
import { evaluateTrip, planTrip, type TripEvent, type TripRowChange } from 'wayzone/trips';
import { LONG, seeded } from '../../test/volume.js';
import { EVENT_SCHEMA } from '../src/live/eventSchema.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import { prunableZones, pruneZones } from '../src/stream/pruneZones.js';
import { spanOf } from '../src/stream/spanOf.js';
import { boundaryOf } from '../src/stream/tripRuns.js';
import { type FollowedTrip, tripSource, type VersionedTrips } from '../src/stream/tripSource.js';
import { addCompany } from './addCompany.js';
import { type MemoryRun, memoryRun } from './memoryRun.js';
import { embedded } from './testHost.js';

/** Trips on the stream: after every message the events of a run equal those of `evaluateTrip` over all fixes so far. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2, 6);
const NOWHERE = new ZoneIndex([{ id: 'far', type: { key: 'circle' }, geometry: [[-30, -60]], width: 100 }]);

/** A trip along a road. Some planned times are kept and some missed. */
function tripOf(random: () => number, id: string): FollowedTrip {
  const points = Array.from({ length: 2 + Math.floor(4 * random()) }, (_, i) => {
    const minutes = 20 * i + Math.floor(30 * random());
    const time = new Date(START + minutes * MINUTE).toISOString().slice(11, 16);
    return {
      name: `Point ${i}`,
      type: { key: 'circle' as const },
      geometry: [[30 + 0.02 * i, 60]] as [number, number][],
      width: 300,
      ...(random() < 0.8 ? { arrival: { time, deviation_minutes: Math.floor(4 * random()) } } : {}),
    };
  });
  const keys = ['entrance_to_first_point', 'leaving_first_point'] as const;
  return {
    id,
    name: id,
    unit: { id: 'van' },
    activation_type: { key: keys[Math.floor(2 * random())]! },
    passage_order_type: { key: random() < 0.5 ? 'strict' : 'arbitrary' },
    dates: ['2026-03-02', '2026-03-03'],
    points,
  } as FollowedTrip;
}

/** As `describeEvents`: by time, then by type and point. */
const inOrder = (events: readonly TripEvent[]): TripEvent[] => {
  const keyOf = ({ type, pointIndex, time }: TripEvent): string => `${type} ${pointIndex} ${time}`;
  return [...events].sort((a, b) => a.time - b.time || (keyOf(a) < keyOf(b) ? -1 : 1));
};

const tripsOf = (version: number, trips: readonly FollowedTrip[]): VersionedTrips => ({
  version,
  timeZone: 'UTC',
  unitsOf: () => new Map([['van', trips]]),
});

/** Fixes of the unit to and fro on the road, with rests and a gap. */
function fixesOf(random: () => number): Fix[] {
  const fixes: Fix[] = [];
  const gapStart = Math.floor(120 * random());
  let [at, speed] = [-0.01, 0.004];
  for (let minute = 0; minute < 200; minute++) {
    if (random() < 0.1) speed = random() < 0.4 ? 0 : random() < 0.8 ? 0.004 : -0.004;
    at += speed;
    if (minute > gapStart && minute < gapStart + 25) continue;
    fixes.push({ time: START - 30 * MINUTE + minute * MINUTE, lon: 30 + at, lat: 60 });
  }
  return fixes;
}

/** Compares the events of all runs with those of `evaluateTrip` over the fixes at a time of the clock; returns how many there are. */
function compareRuns(
  run: MemoryRun,
  trips: readonly FollowedTrip[],
  known: readonly Fix[],
  clock: number,
  label: string,
): number {
  let emitted = 0;
  for (const trip of trips)
    for (const date of trip.dates) {
      const { window } = planTrip(trip, date, { timeZone: 'UTC' });
      const { from, to } = spanOf(window);
      const own = known.filter(({ time }) => time >= from && time <= to);
      const events = run.events.flatMap((event): UnitEvents['trips'][] =>
        'tripId' in event && !('kind' in event) && event.tripId === trip.id && event.date === date
          ? [event]
          : [],
      );
      const last = Math.max(...own.map(({ time }) => time));
      const now = Math.max(Math.min(boundaryOf(clock), to), last);
      // A run is not evaluated before its window opens.
      const expected: readonly TripEvent[] =
        own.length === 0 && now < from
          ? []
          : evaluateTrip(trip, date, readTrack(own), { timeZone: 'UTC', now }).events;
      expect(describeEvents('trips', events), `${label}, ${trip.id} ${date}`).toEqual(inOrder(expected));
      emitted += events.length;
    }
  return emitted;
}

test('the emitted events of runs equal the batch after every message, also late ones, over restarts and edits', async () => {
  let [emitted, revised] = [0, 0];
  const isEvent = new Ajv2020({ strict: false }).compile(EVENT_SCHEMA);
  // The first seed does not detect a wrong evaluation of late fixes; the second one does.
  for (let seed = 2; seed <= (LONG ? 40 : 2); seed++) {
    const random = seeded(seed);
    let trips = [tripOf(random, 'a'), tripOf(random, 'b')];
    const run = memoryRun(NOWHERE, { trips: tripsOf(1, trips) });
    const fixes = fixesOf(random);
    const known: Fix[] = [];
    let clock = fixes[0]!.time;
    let version = 1;
    const compare = (): void => {
      emitted += compareRuns(run, trips, known, clock, `seed ${seed}`);
    };
    const late: Fix[][] = [];
    let hasTicked = false;
    for (let from = 0; from < fixes.length; ) {
      const own = fixes.slice(from, from + 1 + Math.floor(6 * random()));
      from += own.length;
      if (random() < 0.1 && from < fixes.length) {
        late.push(own);
        continue;
      }
      clock = Math.max(clock, own.at(-1)!.time);
      // Late fixes are mixed in.
      for (const message of [own, ...(random() < 0.2 ? late.splice(0, 1) : [])]) {
        known.push(...message);
        await run.handle(clock, message);
      }
      if (random() < 0.1) {
        trips = [trips[0]!, tripOf(random, 'b')];
        await run.changeTrips(tripsOf(++version, trips));
        // Without a clock no run is under way.
        if (hasTicked) compare();
      }
      await run.handle(clock);
      hasTicked = true;
      await run.handle(clock + 31_000);
      clock += 31_000;
      run.commit();
      // Evaluating all fixes is slow, so only some messages are compared.
      if (random() < 0.2) compare();
      if (random() < 0.2) await run.restart();
    }
    // The next day all runs have ended. Then the remaining late fixes arrive.
    for (clock += 3 * DAY; ; clock += MINUTE) {
      await run.handle(clock);
      run.commit();
      compare();
      const message = late.shift();
      if (message === undefined) break;
      known.push(...message);
      await run.handle(clock, message);
    }
    for (const event of run.events) {
      isEvent(event);
      expect(isEvent.errors, JSON.stringify(event)).toBeNull();
    }
    revised += run.events.filter((event) => 'tripId' in event && event.type === 'revised').length;
  }
  expect([emitted > 100, revised > 2]).toEqual([true, true]);
});

test('after the return of a unit that was set aside its runs equal the batch, also over edits and restarts meanwhile', async () => {
  let [emitted, returns] = [0, 0];
  for (let seed = 1; seed <= (LONG ? 60 : 6); seed++) {
    const random = seeded(seed + 900);
    let trips = [tripOf(random, 'a'), tripOf(random, 'b')];
    const run = memoryRun(NOWHERE, { trips: tripsOf(1, trips) });
    let isFailing = false;
    const real = Reflect.get(UnitFleet.prototype, 'push');
    const fault = vi.spyOn(UnitFleet.prototype, 'push').mockImplementation(function (
      this: UnitFleet,
      ...given
    ) {
      if (isFailing && random() < 0.5) throw new RangeError('out of range');
      return real.apply(this, given);
    });
    const known: Fix[] = [];
    const fixes = fixesOf(random);
    let [version, clock] = [1, fixes[0]!.time];
    for (let from = 0; from < fixes.length; ) {
      const own = fixes.slice(from, from + 1 + Math.floor(6 * random()));
      from += own.length;
      clock = Math.max(clock, own.at(-1)!.time);
      if (random() < 0.1) isFailing = true;
      known.push(...own);
      await run.handle(clock, own);
      if (random() < 0.1) {
        trips = [trips[0]!, tripOf(random, 'b')];
        await run.changeTrips(tripsOf(++version, trips));
      }
      await run.handle(clock + 31_000);
      clock += 31_000;
      run.commit();
      if (random() < 0.2) await run.restart();
      if (!run.isAside) emitted += compareRuns(run, trips, known, clock, `seed ${seed}`);
      else if (random() < 0.3) {
        isFailing = random() < 0.3;
        await run.retry(clock);
        if (random() < 0.7) run.commit();
        if (!run.isAside) returns++;
      }
    }
    isFailing = false;
    await run.retry(clock);
    run.commit();
    expect(run.isAside).toBe(false);
    emitted += compareRuns(run, trips, known, clock, `seed ${seed}`);
    fault.mockRestore();
  }
  expect([emitted > 100, returns > 5]).toEqual([true, true]);
});

test('T47 to T50: with changes of runs the emitted events are those of the batch after every tick, also over restarts', async () => {
  let compared = 0;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= (LONG ? 60 : 6); seed++) {
    const random = seeded(seed + 100);
    const others = new Map<string, Fix[]>([['spare', []]]);
    const date = '2026-03-02';
    let trip = { ...tripOf(random, 'a'), dates: [date] } as FollowedTrip;
    const run = memoryRun(NOWHERE, { trips: tripsOf(1, [trip]), others });
    const own = fixesOf(random);
    // The spare unit drives the same way later.
    const spare = fixesOf(random).map((fix) => ({ ...fix, time: fix.time + 7 * MINUTE + 1000 }));
    let [version, clock] = [1, 0];
    const known: Fix[] = [];
    for (const [i, fix] of own.entries()) {
      clock = Math.max(clock, fix.time);
      for (const one of spare)
        if (one.time <= clock && !others.get('spare')!.includes(one)) others.get('spare')!.push(one);
      known.push(fix);
      await run.handle(clock, [fix]);
      if (i % 40 === 20) {
        const { changes } = trip as { changes?: readonly object[] };
        const change = changeOf(trip, fix.time, random);
        kinds.add(change.type);
        trip = { ...trip, changes: [...(changes ?? []), change] } as FollowedTrip;
        await run.changeTrips(tripsOf(++version, [trip]));
      }
      await run.handle(clock);
      await run.handle(clock + 31_000);
      clock += 31_000;
      run.commit();
      if (i % 9 === 0) compare();
      if (random() < 0.1) await run.restart();
    }
    await run.handle(clock + 3 * DAY);
    clock += 3 * DAY;
    run.commit();
    compare();

    function compare(): void {
      const changes = rowChanges(trip, date);
      const { from, to } = spanOf(changedWindow(trip, date, { timeZone: 'UTC' }));
      const tracks = Object.fromEntries(
        chargesOf('van', changes).map((charge) => {
          const all = charge.unitId === 'van' ? known : others.get(charge.unitId)!;
          const counted = all.filter(
            ({ time }) => time >= from && time <= to && time >= charge.from && time < charge.to,
          );
          return [charge.unitId, readTrack(counted)];
        }),
      );
      const last = Math.max(...Object.values(tracks).map(({ time }) => time.at(-1) ?? 0));
      const now = Math.max(Math.min(boundaryOf(clock), to), last);
      const expected = evaluateTrip(trip, date, { tracks }, { timeZone: 'UTC', now, changes }).events;
      const events = run.events.filter(
        (event): event is UnitEvents['trips'] => 'tripId' in event && !('kind' in event),
      );
      expect(describeEvents('trips', events), `seed ${seed} at ${clock}: ${JSON.stringify(changes)}`).toEqual(
        inOrder(expected),
      );
      compared += expected.length;
    }
  }
  expect(compared).toBeGreaterThan(100);
  expect([...kinds].sort()).toEqual(LONG ? ['amend', 'cancel', 'excuse', 'handOver'] : [...kinds].sort());
  expect(kinds).toContain('handOver');
});

/** A change at about a time, which may have passed. A run is handed over once at most. */
function changeOf(trip: FollowedTrip, time: number, random: () => number): TripRowChange {
  const { changes = [], points } = trip as FollowedTrip & { readonly changes?: readonly TripRowChange[] };
  const at = time + Math.floor((random() - 0.7) * 10 * MINUTE);
  const kind = random();
  if (kind < 0.5 && !changes.some(({ type }) => type === 'handOver'))
    return { type: 'handOver', at, unitId: 'spare' };
  if (kind < 0.6) return { type: 'cancel', at };
  if (kind < 0.8) {
    const later = points.map((point) => ({ ...point, arrival: null }));
    return { type: 'amend', at, trip: { ...trip, points: later } };
  }
  return { type: 'excuse', at, pointIndex: Math.floor(random() * points.length) };
}

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
});
afterAll(() => storage.close());

test('trips are read at a recorded version, until it is pruned', async () => {
  await addCompany(storage, 'c', { timeZone: 'Europe/Moscow' });
  const random = seeded(1);
  const [first, second] = [tripOf(random, 'a'), tripOf(random, 'a')];
  const put = (rows: readonly WireRow[], isNew: boolean): Promise<number> =>
    write(storage, 'c', async (writer) => {
      if (isNew) await writer.insert('trips', rows);
      else for (const row of rows) await writer.update('trips', row);
      return writer.version;
    });
  const before = await put([first], true);
  const between = await put([tripOf(random, 'b')], true);
  const edited = await put([second], false);
  const deleted = await put([{ ...second, is_delete: true }], false);
  const pointsAt = async (source: ReturnType<typeof tripSource>, version: number): Promise<number[]> => {
    const { timeZone, unitsOf } = await source.at('c', version);
    const parts = [0, 1].map((residue) => unitsOf({ modulus: 2, residue }));
    const units = unitsOf({ modulus: 1, residue: 0 });
    expect(timeZone).toBe('Europe/Moscow');
    expect(parts.map(({ size }) => size).sort((a, b) => a - b)).toEqual([0, units.size]);
    return (units.get('van') ?? []).map((trip) =>
      trip.points[0]!.arrival === undefined ? -1 : trip.points.length,
    );
  };
  const expected = [before, between, edited, deleted];
  const inTurn = tripSource(storage);
  const counts: number[][] = [];
  for (const version of expected) counts.push(await pointsAt(inTurn, version));
  expect(counts.map(({ length }) => length)).toEqual([1, 2, 2, 1]);
  for (const [i, version] of expected.entries())
    expect(await pointsAt(tripSource(storage), version)).toEqual(counts[i]);
  // Without records the versions before the last are not needed.
  expect(await pruneZones(storage, await prunableZones(storage))).toBeGreaterThan(0);
  await expect(tripSource(storage).at('c', before)).rejects.toMatchObject({ code: 'zones-pruned' });
  expect(await pointsAt(tripSource(storage), deleted)).toEqual(counts.at(-1));
});
