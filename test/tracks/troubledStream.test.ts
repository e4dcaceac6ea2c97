import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  detectTrips,
  findVisits,
  type MovementEvent,
  MovementTracker,
  readTrack,
  type Visit,
  type VisitEvent,
  VisitTracker,
} from '../../src/tracks/index.js';
import { seeded, volume } from '../volume.js';
import { delayed, pick, ZONES } from './journeys.js';
import { slowReading } from './oracle/slowReading.js';
import { planeIndex } from './planeIndex.js';
import { type RunOptions, troubledOptions, troubledTrack } from './troubledTracks.js';

const INDEX = planeIndex(ZONES);

/** A step of the generator: `advance` after the last fix, so that none waits for the lateness. */
function flushTime(fixes: readonly Fix[], latenessSeconds: number): number {
  return Math.max(...fixes.map(({ time }) => time)) + latenessSeconds * 1000 + 1;
}

function inOrder(visits: readonly Visit[]): Visit[] {
  const order = ({ zoneId }: Visit): number => INDEX.ordinalOf(zoneId)!;
  return [...visits].sort((a, b) => a.enter - b.enter || order(a) - order(b));
}

/**
 * Whether events may stand that the batch lacks: fixes that were frozen after all had confirmed an entry, or had shown by their accuracy, or
 * by a gap within the buffer, that the unit was away. Events are final (V17).
 */
function mayStand(fixes: readonly Fix[], options: RunOptions): boolean {
  const { minInsideSeconds = 0, accuracyCapMeters = 0, exitBufferMeters = 0 } = options;
  const isPlain = minInsideSeconds === 0 && accuracyCapMeters === 0 && exitBufferMeters === 0;
  return !isPlain && slowReading(fixes, options).foundLate;
}

function checkCounts(
  tracker: Pick<VisitTracker, 'counts' | 'issues'>,
  fixes: readonly Fix[],
  options: RunOptions,
): void {
  const { in: all, applied, duplicate, rejected, late, pending, reasons } = tracker.counts();
  expect(applied + duplicate + rejected + late + pending).toBe(all);
  const slow = slowReading(fixes, options);
  const { speed = 0, jammed = 0, duplicate: repeated = 0, ...others } = slow.counts;
  const { speed: left = 0, jammed: leftToo = 0, ...rest } = reasons;
  // V4d: suspects at the end of a track are pending in a stream.
  expect({ applied, duplicate, pending, rest, wild: left + leftToo }).toEqual({
    applied: slow.fixes.length,
    duplicate: repeated,
    pending: slow.suspects,
    rest: others,
    wild: speed + jammed - slow.suspects,
  });
  if (slow.suspects === 0) expect(tracker.issues()).toEqual(readTrack(fixes, options).issues);
}

test('V17 to V22: the stream emits the visits of the batch for every order within the lateness', () => {
  const seen = { visits: 0, compared: 0, foundLate: 0 };
  const count = volume(10_000);
  for (let seed = 0; seed < count; seed++) {
    const random = seeded(seed);
    const latenessSeconds = pick(random, [0, 30, 300, 5000]);
    // Of every second track the events equal the batch also where V5 finds frozen fixes late.
    const edge = { minInsideSeconds: 0, accuracyCapMeters: 0, exitBufferMeters: 0 };
    const plain = { ...edge, maxJamSeconds: 60, maxSpeedKph: 300 };
    const options = { ...troubledOptions(random, latenessSeconds), ...(seed % 2 === 0 && plain) };
    const fixes = troubledTrack(random, latenessSeconds > 0);
    const visits = findVisits(readTrack(fixes, options), INDEX, options);
    let first: readonly VisitEvent[] | null = null;
    for (let order = 0; order < (latenessSeconds > 0 ? 3 : 1); order++) {
      const tracker = new VisitTracker(INDEX, options);
      const arrivals = latenessSeconds > 0 ? delayed(random, fixes, latenessSeconds) : fixes;
      const events = arrivals.flatMap((fix) => [...tracker.push('u', fix)]);
      if (latenessSeconds > 0) events.push(...tracker.advance(flushTime(fixes, latenessSeconds)));
      checkCounts(tracker, fixes, options);
      first ??= events;
      expect({ seed, events }).toEqual({ seed, events: first });
      if (mayStand(fixes, options)) continue;
      const closed = events.flatMap(({ visit }) => (visit ? [visit] : []));
      expect({ seed, visits: inOrder([...closed, ...tracker.openVisits('u')]) }).toEqual({ seed, visits });
      seen.compared++;
      seen.visits += visits.length;
      seen.foundLate += Number(slowReading(fixes, options).foundLate);
    }
  }
  expect(seen.compared).toBeGreaterThan(count);
  expect(seen.visits).toBeGreaterThan(count);
  expect(seen.foundLate).toBeGreaterThan(count / 50);
});

test('V22: so does movement', () => {
  const count = volume(10_000);
  let compared = 0;
  for (let seed = 0; seed < count; seed++) {
    const random = seeded(seed);
    const latenessSeconds = pick(random, [0, 300]);
    const options = troubledOptions(random, latenessSeconds);
    const fixes = troubledTrack(random, latenessSeconds > 0);
    const settings = {
      tripdetector_minparktime: pick(random, [0, 60, 300]),
      tripdetector_maxdistancemsg: pick(random, [1000, 100_000]),
      advanced_maxintervalmsg: pick(random, [100, 3600]),
    };
    const tracker = new MovementTracker(settings, options);
    const arrivals = latenessSeconds > 0 ? delayed(random, fixes, latenessSeconds) : fixes;
    const events: MovementEvent[] = arrivals.flatMap((fix) => [...tracker.push('u', fix)]);
    if (latenessSeconds > 0) events.push(...tracker.advance(flushTime(fixes, latenessSeconds)));
    checkCounts(tracker, fixes, options);
    // What was emitted because of fixes that were frozen after all stands.
    if (slowReading(fixes, options).foundLate && events.length > 0) continue;
    const batch = detectTrips(readTrack(fixes, options), settings);
    const now = tracker.current('u');
    const ended = (kind: MovementEvent['kind']): object[] =>
      events.flatMap((event) => (event.kind === kind && event.item ? [event.item] : []));
    expect({ seed, trips: [...ended('trip'), ...now.trips] }).toEqual({ seed, trips: batch.trips });
    expect({ seed, rests: [...ended('parking'), ...now.parkings] }).toEqual({ seed, rests: batch.parkings });
    expect({ seed, stops: [...ended('stop'), ...now.stops] }).toEqual({ seed, stops: batch.stops });
    compared += batch.trips.length + batch.parkings.length;
  }
  expect(compared).toBeGreaterThan(count);
});

test('V23: a snapshot at every point goes on with the same events, and does not grow with fixes', () => {
  for (let seed = 0; seed < volume(1000); seed++) {
    const random = seeded(seed);
    const latenessSeconds = pick(random, [0, 300]);
    const options = troubledOptions(random, latenessSeconds);
    const arrivals = delayed(random, troubledTrack(random, latenessSeconds > 0), latenessSeconds);
    const [visits, movement] = [new VisitTracker(INDEX, options), new MovementTracker({}, options)];
    let others: [VisitTracker, MovementTracker] = [visits, movement];
    for (const fix of arrivals) {
      const [ownVisits, ownMovement] = [visits.push('u', fix), movement.push('u', fix)];
      if (others[0] !== visits) {
        expect({ seed, events: others[0].push('u', fix) }).toEqual({ seed, events: ownVisits });
        expect({ seed, events: others[1].push('u', fix) }).toEqual({ seed, events: ownMovement });
      }
      const texts = [visits, movement].map((tracker) => JSON.stringify(tracker.snapshot())) as [
        string,
        string,
      ];
      if (others[0] !== visits) {
        expect(JSON.stringify(others[0].snapshot())).toBe(texts[0]);
        expect(JSON.stringify(others[1].snapshot())).toBe(texts[1]);
      }
      others = [VisitTracker.restore(INDEX, texts[0]), MovementTracker.restore(texts[1])];
    }
    const end = flushTime(arrivals, latenessSeconds) + 4_000_000;
    expect(others[0].advance(end)).toEqual(visits.advance(end));
    expect(others[1].advance(end)).toEqual(movement.advance(end));
  }
});
