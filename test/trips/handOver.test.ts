import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  explainTrip,
  type TripChange,
  type TripFix,
  type TripOptions,
  type TripReport,
  TripTracker,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { changesWithHandOvers, otherFixes, UNITS } from './randomChanges.js';
import { type RandomRun, randomRun } from './randomRuns.js';
import { at, clock, DATE, points as exactly, trip, UTC, violations } from './shortTrips.js';

const lonOf = (zone: string): number => 13 + zone.charCodeAt(0) / 100;
/** `08:00 A` is a fix in zone A; `08:00 A+5` one 5 thousandths of a degree east of it. */
const fixes = (...lines: readonly string[]): TripFix[] =>
  lines.map((line) => {
    const [time, place] = line.split(' ') as [string, string];
    const [zone, east] = place.split('+') as [string, string?];
    return { time: at(time), lon: lonOf(zone) + Number(east ?? 0) / 1000, lat: 52 };
  });
const handOver = (time: string, unitId: string, more: object = {}): TripChange => ({
  type: 'handOver',
  at: at(time),
  unitId,
  ...more,
});

/** The trip's unit is at A and drives to B; the spare waits near A, takes over and serves B and C. */
const OLD = fixes('07:59 A+5', '08:00 A', '08:05 A', '08:10 A', '08:12 A+5', '08:20 A+5', '08:30 A+5');
const NEW = fixes(
  '08:00 B',
  '08:25 A+4',
  '08:31 A+4',
  '08:33 B+-5',
  '08:35 B',
  '08:40 B',
  '08:45 B+5',
  '08:59 C+-4',
  '09:00 C',
  '09:05 C',
  '09:10 C+5',
);
const ABC = trip(['A 08:00±5', 'B 08:35±5', 'C 09:00±5'], { unit: { id: 'old' } });
const tracks = (old: readonly TripFix[], spare: readonly TripFix[]): object => ({
  tracks: { old: readTrack(old), spare: readTrack(spare) },
});
const report = (
  changes: readonly TripChange[],
  now = '10:00',
  source: object = tracks(OLD, NEW),
  options: Partial<TripOptions> = {},
  own: typeof ABC = ABC,
): TripReport => evaluateTrip(own, DATE, source as never, { ...UTC, ...options, now: at(now), changes });
const points = (found: TripReport): string[] =>
  exactly(found).map((text) => text.replace(/(\d\d:\d\d):\d\d/g, '$1'));

describe('T50: a run that is handed over', () => {
  test('counts the fixes of the old unit before, those of the new one from then on, and says who took over', () => {
    const found = report([handOver('08:30', 'spare', { by: 'dispatch', reason: 'breakdown' })]);
    expect(points(found)).toEqual(['passed 07:59 08:10', 'passed 08:34 08:41', 'passed 08:59 09:06']);
    expect(found).toMatchObject({ status: 'finished', unitId: 'old', violations: [] });
    expect(found.handOvers).toEqual([{ at: at('08:30'), from: 'old', to: 'spare' }]);
    expect(explainTrip(found, 'en').trip).toMatch(/\. Unit spare took over from old at 08:30\.$/);
    expect(explainTrip(found, 'ru').trip).toMatch(
      /\. В 08:30 рейс передан объекту spare \(до этого old\)\.$/,
    );
    // Without it the run of the old unit is not finished.
    const without = report([]);
    expect(points(without)).toEqual(['passed 07:59 08:10', 'pending  ', 'pending  ']);
    expect(without).not.toHaveProperty('handOvers');
  });

  test('is not known before its time', () => {
    const change = handOver('08:30', 'spare');
    expect(report([change], '08:29')).toEqual(report([], '08:29'));
    // At its time the fix of the new unit at that time counts, and the old one's does not.
    const spare = [...NEW, ...fixes('08:30 A+20')];
    expect(report([change], '08:30', tracks(OLD, spare)).lastFixAt).toBe(at('08:30'));
    expect(report([change], '08:30').lastFixAt).toBe(at('08:20'));
  });

  test('has no motion on its step: no visit, no distance, no jam', () => {
    // From A past B to C in a minute: one unit would cross B.
    const old = fixes('08:00 A', '08:05 A', '08:10 A');
    const spare = fixes('08:11 C', '08:16 C', '08:20 C');
    const found = report([handOver('08:10:30', 'spare')], '10:00', tracks(old, spare));
    expect(found.points[1]!.visit).toBe(null);
    expect(
      report([], '10:00', { tracks: { old: readTrack([...old, ...spare]) } }).points[1]!.visit,
    ).toMatchObject({ seen: 'crossed' });
    expect(found.holes.filter(({ from }) => from === at('08:10'))).toEqual([]);
    expect(found.totals.distanceMeters).toBe(0);
    // 500 km away is no jam either.
    const far = spare.map((fix) => ({ ...fix, lat: 56 }));
    expect(report([handOver('08:10:30', 'spare')], '08:30', tracks(old, far)).lastFixAt).toBe(at('08:20'));
  });

  test('has a hole on its step if it is longer than `holeSeconds`', () => {
    const holes = (spare: readonly TripFix[]): string[] =>
      report([handOver('08:30', 'spare')], '10:00', tracks(OLD, spare))
        .holes.filter(({ from }) => from === at('08:20'))
        .map(({ from, to, reason }) => [clock(from), clock(to), reason].join(' '));
    const from = (time: string): TripFix[] => [...fixes(`${time} A+4`), ...NEW.slice(7)];
    expect(holes(from('08:30'))).toEqual([]);
    expect(holes(from('08:30:01'))).toEqual(['08:20 08:30:01 gap']);
    // A unit that was not there yet may have been at B in it: nobody is blamed.
    const late = report([handOver('08:30', 'spare')], '10:00', tracks(OLD, NEW.slice(7)));
    expect(late.points[1]!.status).toBe('no_data');
    expect(violations(late)).toEqual([]);
  });

  test('ends an open visit there, unless the new unit is in the zone', () => {
    const old = fixes('07:59 A+5', '08:00 A', '08:05 A', '08:10 A');
    const away = report([handOver('08:12', 'spare')], '08:20', tracks(old, fixes('08:13 A+5', '08:16 A+5')));
    expect(away.points[0]!.visit).toMatchObject({
      end: 'handed-over',
      exit: at('08:12'),
      exitBounds: [at('08:10'), at('08:12')],
    });
    expect(explainTrip(away, 'en').points[0]).toBe(
      'A was reached at 07:59, on time (planned 08:00), and the trip was handed over there at 08:12.',
    );
    expect(explainTrip(away, 'ru').points[0]).toBe(
      'A: прибытие в 07:59, вовремя (план 08:00), там рейс передан другому объекту в 08:12.',
    );
    const there = report(
      [handOver('08:12', 'spare')],
      '08:30',
      tracks(old, fixes('08:16 A', '08:20 A', '08:24 A+5')),
    );
    expect(points(there)[0]).toMatch(/^passed 07:59 08:2[0-4]$/);
    expect(there.points[0]!.visit).toMatchObject({ end: 'left', fixCount: 5 });
    const again = report([handOver('08:12', 'spare'), handOver('08:13', 'third')], '08:30', {
      tracks: { old: readTrack(old), third: readTrack(fixes('08:16 A', '08:20 A')) },
    });
    // The spare was never seen there.
    expect(again.points[0]!.visit).toMatchObject({ end: 'handed-over', exit: at('08:12') });
  });

  test('two units that stand for half the service time each are no seen stop', () => {
    const old = fixes('08:09:20 A', '08:10 A');
    const spare = fixes('08:10:05 A', '08:10:45 A', '08:11 A+5', '08:20 C', '08:25 C');
    const options = { serviceSeconds: 60 };
    const stopOf = (found: TripReport): boolean => found.points[0]!.status === 'passed';
    const own = trip(['A', 'B', 'C'], { unit: { id: 'old' } });
    const one = report([], '08:12', { tracks: { old: readTrack([...old, ...spare]) } }, options, own);
    const two = report([handOver('08:10:01', 'spare')], '08:12', tracks(old, spare), options, own);
    expect([stopOf(one), stopOf(two)]).toEqual([true, true]);
    // A drive-by leaves B open; a stop at C skips it either way.
    expect(two.points[0]!.visit).toMatchObject({ fixCount: 4 });
  });

  test('to the unit in charge changes nothing but the log', () => {
    const same = handOver('08:07', 'old', { by: 'dispatch' });
    expect(report([same])).toEqual(report([]));
    const back = [handOver('08:07', 'spare'), handOver('08:07', 'old')];
    expect(report(back)).toEqual(report([]));
    const tracker = new TripTracker(ABC, DATE, UTC);
    const plain = new TripTracker(ABC, DATE, UTC);
    for (const fix of OLD.slice(0, 3)) expect(tracker.push(fix)).toEqual(plain.push(fix));
    expect(tracker.handOver('old', { at: at('08:07'), by: 'dispatch' })).toEqual([]);
    for (const fix of OLD.slice(3)) expect(tracker.push(fix)).toEqual(plain.push(fix));
    expect(tracker.report()).toEqual(plain.report());
    expect(tracker.changes()).toEqual([same]);
  });
});

describe('a tracker that is handed over', () => {
  const of = (unitId: string, list: readonly TripFix[]): TripFix[] => list.map((fix) => ({ ...fix, unitId }));

  test('counts the fixes of other units as `other-unit`, and those without a unit as of the one in charge', () => {
    const tracker = new TripTracker(ABC, DATE, UTC);
    tracker.pushAll(of('old', OLD.slice(0, 5)));
    tracker.push(of('spare', NEW)[0]!);
    expect(tracker.counts()).toMatchObject({ in: 6, applied: 5, rejected: 1, reasons: { 'other-unit': 1 } });
    expect(tracker.issues()).toEqual([
      {
        code: 'other-unit',
        severity: 'warning',
        field: 'fix.unitId',
        message:
          'expected the unit in charge, "old", received "spare"; hand the run over to it first (1 fix is left out)',
      },
    ]);
    tracker.handOver('spare', { at: at('08:15'), by: 'dispatch', reason: 'breakdown' });
    tracker.pushAll([...of('old', OLD.slice(5)), ...of('spare', NEW.slice(1, 5)), ...NEW.slice(5)]);
    expect(tracker.counts()).toMatchObject({ in: 18, applied: 15, reasons: { 'other-unit': 3 } });
    expect(tracker.report()).toMatchObject({ status: 'finished', violations: [] });
    expect(tracker.changes()).toEqual([
      { type: 'handOver', unitId: 'spare', at: at('08:15'), by: 'dispatch', reason: 'breakdown' },
    ]);
  });

  test('refuses what is judged already, and what is no hand-over', () => {
    const tracker = new TripTracker(ABC, DATE, { ...UTC, latenessSeconds: 600 });
    tracker.pushAll(OLD.slice(0, 4));
    const late = { code: 'change-late', field: 'change.at' };
    expect(errorOf(() => tracker.handOver('spare', { at: at('08:10') }))).toMatchObject(late);
    expect(errorOf(() => tracker.handOver('', { at: at('08:11') }))).toMatchObject({
      code: 'change-invalid',
      field: 'change.unitId',
    });
    expect(errorOf(() => tracker.handOver(7 as never, { at: at('08:11') }))).toMatchObject({
      code: 'change-invalid',
    });
    tracker.handOver('spare', { at: at('08:10') + 1 });
    expect(tracker.changes()).toHaveLength(1);
    const given = errorOf(() => report([handOver('08:30', 'spare')], '10:00', { visits: [] }));
    expect(given).toMatchObject({ code: 'change-invalid', field: 'options.changes[0].type' });
    expect(errorOf(() => report([], '10:00', { tracks: 7 }))).toMatchObject({ code: 'track-invalid' });
  });
});

/** Plays the fixes of all units in one order of arrival, with snapshots at each fix; the changes are known before. */
function play(
  { trip: own, date, options }: RandomRun,
  units: readonly (readonly [string, readonly TripFix[]])[],
  changes: readonly TripChange[],
  latenessSeconds: number,
  random: () => number,
): void {
  const { now: _now, ...rules } = options;
  const given = { ...rules, latenessSeconds } as TripTrackerOptions;
  let tracker = new TripTracker(own, date, given);
  for (const change of changes) {
    const { at: time } = change;
    if (change.type === 'handOver') tracker.handOver(change.unitId, { at: time });
    else if (change.type === 'excuse') tracker.excuse(change.pointIndex, { at: time });
    else if (change.type === 'cancel') tracker.cancel({ at: time });
    else tracker.amend(change.trip, { at: time, ...(change.from && { from: change.from }) });
  }
  const all = units.flatMap(([unitId, list]) => list.map((fix) => ({ ...fix, unitId })));
  const delay = new Map(all.map((fix) => [fix, random() * latenessSeconds * 900]));
  const arrived = [...all].sort((a, b) => a.time + delay.get(a)! - (b.time + delay.get(b)!));
  const counted: TripFix[] = [];
  const charge = changes.filter((change) => change.type === 'handOver');
  const inCharge = (time: number): string =>
    charge.findLast((change) => change.at <= time)?.unitId ?? own.unit.id;
  for (const [k, fix] of arrived.entries()) {
    tracker.push(fix);
    if (fix.unitId === inCharge(fix.time)) counted.push(fix);
    const twin = TripTracker.restore(own, JSON.stringify(tracker.snapshot()));
    expect(twin.snapshot()).toEqual(tracker.snapshot());
    if (random() < 0.1) tracker = twin;
    if (random() > 0.1 && k < arrived.length - 1) continue;
    const latest = Math.max(...counted.map(({ time }) => time));
    if (counted.length === 0) continue;
    // Each unit's fixes are read by themselves, from hand-over to hand-over.
    expect([k, tracker.report()]).toEqual([k, batch(counted, latest)]);
  }
  tracker.advance(tracker.report().window.to + 1000 * latenessSeconds);
  expect(tracker.report()).toEqual(batch(counted, tracker.report().window.to + 1000 * latenessSeconds));

  function batch(known: readonly TripFix[], now: number): TripReport {
    // Parts of one unit that another one parts are two units to `readTrack`: each part is read alone.
    const real = charge.filter((change, i) => charge[i + 1]?.at !== change.at);
    const starts = [Number.NEGATIVE_INFINITY, ...real.map((change) => change.at)];
    const names = [own.unit.id, ...real.map(({ unitId }) => unitId)];
    const joined: { at: number; name: string }[] = [];
    starts.forEach((start, i) => {
      if (joined.at(-1)?.name !== names[i]) joined.push({ at: start, name: names[i]! });
    });
    const parts = joined.map((part, i) => {
      const end = joined[i + 1]?.at ?? Number.POSITIVE_INFINITY;
      return readTrack(known.filter(({ time }) => time >= part.at && time < end));
    });
    const part = (i: number): string => (i === 0 ? own.unit.id : `part ${i}`);
    const handedTo = joined
      .slice(1)
      .map((one, i): TripChange => ({ type: 'handOver', at: one.at, unitId: part(i + 1) }));
    const others = changes.filter((change) => change.type !== 'handOver');
    const source = { tracks: Object.fromEntries(parts.map((track, i) => [part(i), track])) };
    const sorted = [...others, ...handedTo].sort((a, b) => a.at - b.at);
    const found = evaluateTrip(own, date, source, { ...(rules as TripOptions), now, changes: sorted });
    const name = (id: string | null): string | null =>
      id?.startsWith('part ') ? joined[Number(id.slice(5))]!.name : id;
    return {
      ...found,
      ...(found.handOvers && {
        handOvers: found.handOvers.map(({ at: time, from, to }) => ({
          at: time,
          from: name(from),
          to: name(to)!,
        })),
      }),
    };
  }
}

const COUNT = LONG ? 1200 : 6;

test.each([0, 300])(
  'T50: tracker = batch in any order of arrival within %d s, and a snapshot at each fix changes nothing',
  (lateness) => {
    let played = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const run = randomRun(seeded(seed));
      const random = seeded(seed + 5_000_000);
      const units = UNITS.map(
        (unitId, i) => [unitId, distinct(i === 0 ? run.fixes : otherFixes(run, random))] as const,
      );
      const changes = changesWithHandOvers(run, random);
      if (changes.length === 0) continue;
      played++;
      try {
        play(run, units, changes, lateness, random);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    expect(played).toBeGreaterThan(COUNT / 2);
  },
);

/** V22 promises equality for distinct times. */
function distinct(list: readonly TripFix[]): TripFix[] {
  return list.filter(({ time }, i) => time !== list[i - 1]?.time);
}
