/**
 * Long streams out of order. A tracker that is restored from its snapshot at every fix reads all waiting fixes anew each time; one that runs through
 * reads most fixes once. Both must answer alike, and as the batch.
 */

import { expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type TripChange,
  type TripFix,
  type TripOptions,
  TripTracker,
  type TripTrackerEvent,
} from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { DATE, fix, trip } from './journeys.js';

/** A seed costs a second: the one tracker is restored at each of some 200 fixes. */
const COUNT = Math.ceil(volume(1000, 25) / 10);
const GIVEN = trip('ABCD', { activation_type: { key: 'leaving_first_point' } });

/** A day along the points with a fix every few seconds: stands, drives, drifts at a border; jams, frozen positions and holes. */
function dense(random: () => number, count: number): TripFix[] {
  const int = (below: number): number => Math.floor(random() * below);
  const fixes: TripFix[] = [];
  let [minutes, lon, target, frozen, jammed] = [-20, 0, 0, 0, 0];
  while (fixes.length < count) {
    if (random() < 0.01) target = int(4) / 10 + (random() < 0.3 ? 0.0045 : 0);
    const speedKph = Math.abs(target - lon) > 0.0005 ? 60 : 0;
    if (frozen === 0 && random() < 0.004) frozen = int(12);
    if (jammed === 0 && random() < 0.004) jammed = 1 + int(5);
    if (frozen > 0) frozen--;
    else lon += Math.max(-0.003, Math.min(0.003, target - lon)) + (random() - 0.5) * 0.0004;
    const ignition = speedKph > 0 || random() < 0.5;
    fixes.push(fix(minutes, jammed > 0 ? lon + 5 : lon, { speedKph, ignition }));
    if (jammed > 0) jammed--;
    minutes += (2 + int(10)) / 60 + (random() < 0.004 ? 15 : 0);
  }
  return fixes;
}

/** The fixes in the order in which they arrive, some twice with another accuracy, some without a position. */
function arrived(fixes: readonly TripFix[], lateMs: number, share: number, random: () => number): object[] {
  return fixes
    .flatMap((own): object[] => {
      if (random() < 0.02) return [own, { ...own, lon: own.lon + 0.001, accuracyMeters: 3 }];
      return random() < 0.01 ? [own, { time: own.time, lon: 'east', lat: 0 }] : [own];
    })
    .map((own) => {
      const { time } = own as TripFix;
      return { own, at: time + (random() < share ? 1.05 * random() * lateMs : 0) };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ own }) => own);
}

function changed(tracker: TripTracker, change: TripChange): TripTrackerEvent[] | string {
  const { at } = change;
  try {
    if (change.type === 'excuse') return tracker.excuse(change.pointIndex, { at });
    if (change.type === 'amend')
      return tracker.amend(change.trip, { at, ...(change.from && { from: change.from }) });
    return change.type === 'handOver' ? tracker.handOver(change.unitId, { at }) : tracker.cancel({ at });
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function anyChange(at: number, random: () => number): TripChange {
  const kind = Math.floor(random() * 5);
  if (kind === 0) return { type: 'cancel', at };
  if (kind === 1) return { type: 'handOver', at, unitId: random() < 0.5 ? 'other' : 'u' };
  if (kind === 2) return { type: 'excuse', at: at - 60_000, pointIndex: Math.floor(random() * 4) };
  const letters = ['ABDC', 'ABCD', 'BACD'][Math.floor(random() * 3)]!;
  return { type: 'amend', at, trip: trip(letters) };
}

test('a tracker that reads most fixes once answers as one that reads the waiting ones anew, and as the batch', () => {
  let [compared, late, revised, left, changes] = [0, 0, 0, 0, 0];
  for (let seed = 0; seed < COUNT; seed++) {
    const random = seeded(seed);
    const fixes = dense(random, 100 + Math.floor(random() * 200));
    const latenessSeconds = [15, 60, 240, 900][seed % 4]!;
    const share = [0, 0.02, 0.1, 0.6, 1][seed % 5]!;
    const options = { timeZone: 'UTC', latenessSeconds, maxGapSeconds: 600 };
    const hasChanges = seed % 3 === 0;
    const whole = new TripTracker(GIVEN, DATE, options);
    let anew = new TripTracker(GIVEN, DATE, options);
    const counted: TripFix[] = [];
    for (const own of arrived(fixes, latenessSeconds * 1000, share, random)) {
      const before = anew.counts().late;
      const events = whole.push(own as TripFix);
      anew = TripTracker.restore(GIVEN, JSON.stringify(anew.snapshot()));
      expect([seed, anew.push(own as TripFix)]).toEqual([seed, events]);
      revised += events.filter(({ type }) => type === 'revised').length;
      if (anew.counts().late === before) counted.push(own as TripFix);
      if (hasChanges && random() < 0.01) {
        changes++;
        const change = anyChange((own as TripFix).time + Math.floor(random() * 3) * 60_000, random);
        expect([seed, changed(anew, change)]).toEqual([seed, changed(whole, change)]);
      }
      if (random() < 0.01) {
        const time = (own as TripFix).time + Math.floor(random() * 400_000);
        expect([seed, anew.advance(time)]).toEqual([seed, whole.advance(time)]);
      }
      if (random() < 0.1) expect([seed, anew.report()]).toEqual([seed, whole.report()]);
      if (random() > 0.02) continue;
      compared++;
      expect([seed, anew.snapshot()]).toEqual([seed, whole.snapshot()]);
      expect([seed, anew.issues()]).toEqual([seed, whole.issues()]);
    }
    late += anew.counts().late;
    left += anew.counts().rejected;
    expect([seed, anew.snapshot()]).toEqual([seed, whole.snapshot()]);
    const { to } = whole.report().window;
    expect([seed, anew.advance(to + 1e7)]).toEqual([seed, whole.advance(to + 1e7)]);
    expect([seed, anew.report()]).toEqual([seed, whole.report()]);
    if (hasChanges) continue;
    const { latenessSeconds: _, ...rules } = options;
    const batch = evaluateTrip(GIVEN, DATE, readTrack(counted), { ...(rules as TripOptions), now: to + 1e7 });
    expect([seed, whole.report()]).toEqual([seed, batch]);
  }
  expect(Math.min(compared, late, revised, left, changes)).toBeGreaterThan(0);
});
