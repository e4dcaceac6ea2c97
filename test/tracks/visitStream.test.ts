import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import {
  findVisits,
  readTrack,
  type Visit,
  type VisitEvent,
  VisitTracker,
  type VisitTrackerOptions,
  type ZoneIndexLike,
} from '../../src/tracks/index.js';
import { LONG, seeded } from '../volume.js';
import {
  delayed,
  JOURNEYS,
  journey,
  pick,
  randomOptions,
  repeated,
  SHORT_JOURNEYS,
  ZONES,
} from './journeys.js';
import { METERS_PER_DEGREE_LAT, METERS_PER_DEGREE_LON, type PlaneZone, planeIndex } from './planeIndex.js';

const INDEX = planeIndex(ZONES);

function countsAddUp(tracker: VisitTracker, unitId?: string): number {
  const { in: all, applied, duplicate, rejected, late, pending, reasons } = tracker.counts(unitId);
  expect(applied + duplicate + rejected + late + pending).toBe(all);
  expect(Object.values(reasons).reduce((sum, count) => sum + count, 0)).toBe(rejected);
  return all;
}

/** Pushes all fixes and, with a lateness, advances the clock so that none waits. */
function run(
  tracker: VisitTracker,
  fixes: readonly Fix[],
  latenessSeconds: number,
  unitId = 'unit',
): VisitEvent[] {
  const events = fixes.flatMap((fix) => tracker.push(unitId, fix));
  expect(countsAddUp(tracker)).toBe(fixes.length);
  if (latenessSeconds > 0) events.push(...flush(tracker, fixes, latenessSeconds));
  return events;
}

/** Advances the clock past the last fix, but not so far that a unit is lost. */
function flush(tracker: VisitTracker, fixes: readonly Fix[], latenessSeconds: number): VisitEvent[] {
  const last = Math.max(...fixes.map(({ time }) => time));
  const events = [...tracker.advance(last + latenessSeconds * 1000 + 1)];
  countsAddUp(tracker);
  return events;
}

/** The visits of the `exit` events, and the open visits. */
function emittedVisits(events: readonly VisitEvent[], tracker: VisitTracker, unitId = 'unit'): Visit[] {
  const closed = events.flatMap(({ visit }) => (visit ? [visit] : []));
  return [...closed, ...tracker.openVisits(unitId)];
}

function sorted(visits: readonly Visit[], index: ZoneIndexLike = INDEX): Visit[] {
  const ordinal = ({ zoneId }: Visit): number => index.ordinalOf(zoneId) ?? Number.NaN;
  return [...visits].sort((a, b) => a.enter - b.enter || ordinal(a) - ordinal(b));
}

/** Checks that every event matches its visit, and that each zone is entered before it is left. */
function checkEvents(events: readonly VisitEvent[], visits: readonly Visit[], message: string): void {
  const entered = new Map<string, VisitEvent>();
  let entries = 0;
  for (const event of events) {
    const { type, zoneId, time, bounds, reason } = event;
    if (type === 'enter') {
      expect(entered.has(zoneId), message).toBe(false);
      entered.set(zoneId, event);
      entries++;
    } else if (type === 'exit') {
      const visit = event.visit as Visit;
      expect(entered.get(zoneId), message).toMatchObject({
        time: visit.enter,
        bounds: visit.enterBounds,
        reason: visit.seen,
      });
      expect({ time, bounds, reason }, message).toEqual({
        time: visit.exit,
        bounds: visit.exitBounds,
        reason: visit.end,
      });
      entered.delete(zoneId);
    }
  }
  expect(entries, message).toBeLessThanOrEqual(visits.length);
}

function eachJourney(
  count: number,
  seed: number,
  body: (random: () => number, message: string) => void,
): void {
  for (let number = 0; number < count; number++) body(seeded(seed + number), `seed ${seed + number}`);
}

describe('the stream', () => {
  it('emits the visits of the batch: in order, with lateness 0 and distinct times', () => {
    let visitCount = 0;
    eachJourney(JOURNEYS, 1, (random, message) => {
      const options = randomOptions(random, 0);
      const fixes = journey(random, 40, false);
      const tracker = new VisitTracker(INDEX, options);
      const events = run(tracker, fixes, 0);
      const visits = findVisits(readTrack(fixes, options), INDEX, options);
      expect(sorted(emittedVisits(events, tracker)), message).toEqual(visits);
      checkEvents(events, visits, message);
      visitCount += visits.length;
    });
    expect(visitCount).toBeGreaterThan(3 * JOURNEYS);
  });

  it('emits the visits of the batch and the same events for every order of arrival within the lateness', () => {
    eachJourney(JOURNEYS, 100_000, (random, message) => {
      const latenessSeconds = pick(random, [0.5, 30, 300]);
      const options = randomOptions(random, latenessSeconds);
      const fixes = journey(random, 40, true);
      const track = readTrack(fixes, options);
      const visits = findVisits(track, INDEX, options);
      const inOrder = run(new VisitTracker(INDEX, options), fixes, latenessSeconds);
      for (let order = 0; order < 3; order++) {
        const tracker = new VisitTracker(INDEX, options);
        const events = run(tracker, delayed(random, fixes, latenessSeconds), latenessSeconds);
        expect(events, message).toEqual(inOrder);
        expect(sorted(emittedVisits(events, tracker)), message).toEqual(visits);
        const counts = tracker.counts('unit');
        expect(counts.applied, message).toBe(track.length);
        // V4d: suspects at the end wait in a stream; a track leaves them out.
        const { speed = 0, jammed = 0, duplicate = 0, ...others } = track.rejected;
        const { speed: left = 0, jammed: leftToo = 0, ...reasons } = counts.reasons;
        expect(left + leftToo + counts.pending, message).toBe(speed + jammed);
        expect([reasons, counts.duplicate], message).toEqual([others, duplicate]);
      }
    });
  });

  it('does not change by repeated fixes, except for the counts', () => {
    eachJourney(JOURNEYS, 200_000, (random, message) => {
      const latenessSeconds = pick(random, [0, 30]);
      const options = randomOptions(random, latenessSeconds);
      const fixes = journey(random, 40, latenessSeconds > 0);
      const [once, often] = [new VisitTracker(INDEX, options), new VisitTracker(INDEX, options)];
      const events = run(once, fixes, latenessSeconds);
      expect(run(often, repeated(random, fixes, latenessSeconds), latenessSeconds), message).toEqual(events);
      expect(often.openVisits('unit'), message).toEqual(once.openVisits('unit'));
      expect(often.counts('unit').applied, message).toBe(once.counts('unit').applied);
    });
  });

  it('counts fixes repeated seven days later as late', () => {
    const fixes = journey(seeded(9), 40, false);
    const tracker = new VisitTracker(INDEX, { latenessSeconds: 60 });
    const events = run(tracker, fixes, 60);
    const week = { ...(fixes.at(-1) as Fix), time: (fixes.at(-1) as Fix).time + 7 * 86_400_000 };
    tracker.push('unit', week, { receivedAt: week.time });
    const before = tracker.counts('unit');
    expect(fixes.flatMap((fix) => tracker.push('unit', fix))).toEqual([]);
    expect(tracker.counts('unit')).toEqual({
      ...before,
      in: before.in + fixes.length,
      late: before.late + fixes.length,
    });
    expect(events.length).toBeGreaterThan(0);
  });

  it('continues from a snapshot, as JSON text, at every fix of short journeys', () => {
    eachJourney(SHORT_JOURNEYS, 300_000, (random, message) => checkRestores(random, 12, 12, message));
  });

  it('continues from a snapshot at random fixes of longer journeys', () => {
    eachJourney(JOURNEYS, 400_000, (random, message) => checkRestores(random, 50, LONG ? 20 : 5, message));
  });

  it('is not changed by another zone, overlapping or elsewhere', () => {
    const other: PlaneZone = { id: 'other', parts: [{ box: [50, -500, 70, 500] }, { disc: [-400, 0, 30] }] };
    const more = planeIndex([other, ...ZONES]);
    eachJourney(JOURNEYS, 500_000, (random, message) => {
      const latenessSeconds = pick(random, [0, 30]);
      const options = randomOptions(random, latenessSeconds);
      const fixes = journey(random, 40, true);
      const [all, plain] = [more, INDEX].map((index) =>
        run(new VisitTracker(index, options), fixes, latenessSeconds),
      );
      expect(
        all?.filter(({ zoneId }) => zoneId !== 'other'),
        message,
      ).toEqual(plain);
    });
  });

  it('emits for a prefix of the fixes a prefix of the events', () => {
    eachJourney(JOURNEYS, 600_000, (random, message) => {
      const latenessSeconds = pick(random, [0, 30]);
      const options = randomOptions(random, latenessSeconds);
      const fixes = delayed(random, journey(random, 40, true), latenessSeconds);
      const whole = run(new VisitTracker(INDEX, options), fixes, latenessSeconds);
      const prefix = fixes.slice(0, Math.floor(random() * fixes.length));
      const tracker = new VisitTracker(INDEX, options);
      const events = prefix.flatMap((fix) => tracker.push('unit', fix));
      expect(whole.slice(0, events.length), message).toEqual(events);
    });
  });

  it('emits for interleaved units the events of each unit alone', () => {
    eachJourney(JOURNEYS, 700_000, (random, message) => {
      const latenessSeconds = pick(random, [0, 30]);
      const options = randomOptions(random, latenessSeconds);
      const ids = ['a', '__proto__', '*'];
      const journeys = ids.map(() => journey(random, 15, true).slice(0, 15));
      const together = new VisitTracker(INDEX, options);
      const events = Array.from({ length: 15 }, (_, i) =>
        ids.flatMap((id, k) => [...together.push(id, journeys[k]![i] as Fix)]),
      ).flat();
      ids.forEach((id, k) => {
        const alone = new VisitTracker(INDEX, options);
        const own = journeys[k]!.flatMap((fix) => [...alone.push(id, fix)]);
        expect(
          events.filter(({ unitId }) => unitId === id),
          message,
        ).toEqual(own);
        expect(together.counts(id)).toEqual(alone.counts(id));
      });
      countsAddUp(together);
    });
  });

  it('also equals the batch on real zones', () => {
    const index = new ZoneIndex(realZones());
    eachJourney(LONG ? 500 : 10, 800_000, (random, message) => {
      const options = randomOptions(random, 0);
      const fixes = journey(random, 30, false);
      const tracker = new VisitTracker(index, options);
      const events = run(tracker, fixes, 0);
      const visits = findVisits(readTrack(fixes, options), index, options);
      expect(sorted(emittedVisits(events, tracker), index), message).toEqual(visits);
    });
  });
});

function checkRestores(random: () => number, length: number, points: number, message: string): void {
  const latenessSeconds = pick(random, [0, 30, 300]);
  const options: VisitTrackerOptions = randomOptions(random, latenessSeconds);
  const fixes = delayed(random, journey(random, length, true), latenessSeconds);
  const at = Array.from({ length: points }, (_, i) =>
    points >= length ? i : Math.floor(random() * fixes.length),
  );
  const whole = new VisitTracker(INDEX, options);
  const gapSeconds = random() < 0.5 ? 3700 : 61;
  const end = Math.max(...fixes.map(({ time }) => time)) + gapSeconds * 1000 + latenessSeconds * 1000;
  const events = [...fixes.flatMap((fix) => pushed(whole, fix)), ...whole.advance(end)];
  for (const cut of at) {
    const first = new VisitTracker(INDEX, options);
    const before = fixes.slice(0, cut).flatMap((fix) => pushed(first, fix));
    const second = VisitTracker.restore(INDEX, JSON.stringify(first.snapshot()));
    const after = fixes.slice(cut).flatMap((fix) => pushed(second, fix));
    expect([...before, ...after, ...second.advance(end)], `${message}, cut ${cut}`).toEqual(events);
    expect(second.counts()).toEqual(whole.counts());
    expect(second.snapshot()).toEqual(whole.snapshot());
  }
}

function pushed(tracker: VisitTracker, fix: Fix): readonly VisitEvent[] {
  return tracker.push('unit', fix);
}

/** The zones of the plane as polygons and circles near 10° E on the equator. */
function realZones(): ConstructorParameters<typeof ZoneIndex>[0] {
  const at = (x: number, y: number): [number, number] => [
    10 + x / METERS_PER_DEGREE_LON,
    y / METERS_PER_DEGREE_LAT,
  ];
  return [
    {
      id: 'box',
      type: { key: 'polygon' },
      geometry: [at(-200, -150), at(100, -150), at(100, 150), at(-200, 150)],
    },
    { id: 'disc', type: { key: 'circle' }, geometry: [at(120, 40)], width: 130 },
    { id: 'line', type: { key: 'line' }, geometry: [at(-300, -200), at(0, 0), at(300, 250)], width: 60 },
  ];
}
