import { expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type TripChange,
  type TripEvent,
  type TripOptions,
  TripTracker,
  type TripTrackerEvent,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { randomChanges } from './randomChanges.js';
import { type RandomRun, randomRun } from './randomRuns.js';

/** The events that remain of those emitted. */
function told(emitted: readonly TripTrackerEvent[]): TripEvent[] {
  const key = (event: TripEvent): string => `${event.type} ${event.time} ${event.pointIndex}`;
  const left = new Map<string, TripEvent>();
  for (const event of emitted) {
    if (event.type !== 'revised') left.set(key(event), event);
    else {
      if (event.was !== null) left.delete(key(event.was));
      if (event.is !== null) left.set(key(event.is), event.is);
    }
  }
  return [...left.values()];
}

function change(tracker: TripTracker, own: TripChange): TripTrackerEvent[] {
  if (own.type === 'excuse') return tracker.excuse(own.pointIndex, { at: own.at });
  if (own.type === 'cancel') return tracker.cancel({ at: own.at });
  if (own.type === 'handOver') return tracker.handOver(own.unitId, { at: own.at });
  return tracker.amend(own.trip, { at: own.at, ...(own.from && { from: own.from }) });
}

/** Plays a run with changes, each made when it holds, and restores the tracker now and then; compares with the batch on the way. */
function play(
  { trip, date, fixes, options }: RandomRun,
  changes: readonly TripChange[],
  random: () => number,
): number {
  const { now: _now, ...rules } = options;
  let tracker = new TripTracker(trip, date, rules as TripTrackerOptions);
  const emitted: TripTrackerEvent[] = [];
  const seen: RandomRun['fixes'][number][] = [];
  const waiting = [...changes];
  let compared = 0;
  // V22 promises equality for distinct times.
  const distinct = fixes.filter(({ time }, i) => time !== fixes[i - 1]?.time);
  for (const fix of [...distinct, null]) {
    while (waiting.length > 0 && (fix === null || waiting[0]!.at < fix.time)) {
      const own = waiting.shift()!;
      try {
        emitted.push(...change(tracker, own));
      } catch (error) {
        // A fix that is not plausible yet moves the clock.
        if ((error as { code?: string }).code !== 'change-late') throw error;
      }
      if (random() < 0.5) tracker = TripTracker.restore(trip, JSON.stringify(tracker.snapshot()));
    }
    if (fix === null) break;
    emitted.push(...tracker.push(fix));
    seen.push(fix);
    if (random() < 0.1) tracker = TripTracker.restore(trip, JSON.stringify(tracker.snapshot()));
    if (random() > 0.25) continue;
    compared++;
    check(tracker, fix.time);
  }
  const { to } = tracker.report().window;
  emitted.push(...tracker.advance(to));
  check(tracker, Math.max(to, seen.at(-1)?.time ?? to));
  return compared;

  function check(own: TripTracker, now: number): void {
    const batch = evaluateTrip(trip, date, readTrack([...seen]), {
      ...(rules as TripOptions),
      now,
      changes: own.changes(),
    });
    expect(own.report()).toEqual(batch);
    const key = ({ time, type, pointIndex }: TripEvent): string => `${time} ${type} ${pointIndex}`;
    expect(told(emitted).map(key).sort()).toEqual(batch.events.map(key).sort());
  }
}

test('T47 to T49: a tracker with changes reports at each fix what the batch does, also from snapshots', () => {
  let compared = 0;
  const kinds = new Set<string>();
  for (let seed = 0; seed < volume(1500); seed++) {
    const run = randomRun(seeded(seed));
    const random = seeded(seed + 1_000_000);
    const changes = randomChanges(run, random);
    for (const { type } of changes) kinds.add(type);
    try {
      compared += play(run, changes, random);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  expect(compared).toBeGreaterThan(volume(1500));
  expect([...kinds].sort()).toEqual(['amend', 'cancel', 'excuse']);
});
