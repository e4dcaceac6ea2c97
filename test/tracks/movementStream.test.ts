import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  detectTrips,
  type MovementEvent,
  type MovementItem,
  type MovementKind,
  type MovementReport,
  MovementTracker,
  readTrack,
  type StreamSnapshot,
  type UnknownItem,
} from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { drive, randomSettings } from './drives.js';
import { delayed, JOURNEYS, pick, repeated, SHORT_JOURNEYS } from './journeys.js';
import { fixAt, START } from './planeIndex.js';

const ANY_SPEED = { maxSpeedKph: Number.POSITIVE_INFINITY };

function run(tracker: MovementTracker, fixes: readonly Fix[], latenessSeconds: number): MovementEvent[] {
  const events = fixes.flatMap((fix) => tracker.push('unit', fix));
  const { in: all, applied, duplicate, rejected, late, pending } = tracker.counts();
  expect(applied + duplicate + rejected + late + pending).toBe(all);
  if (latenessSeconds > 0) {
    events.push(...tracker.advance(Math.max(...fixes.map(({ time }) => time)) + latenessSeconds * 1000 + 1));
  }
  return events;
}

/** The items of the `end` events, and the items under way. */
function reported(events: readonly MovementEvent[], tracker: MovementTracker): MovementReport {
  const ended = <Item>(kind: MovementKind): Item[] =>
    events.flatMap((event) => (event.kind === kind && event.item ? [event.item as Item] : []));
  const now = tracker.current('unit');
  return {
    trips: [...ended<MovementItem>('trip'), ...now.trips],
    parkings: [...ended<MovementItem>('parking'), ...now.parkings],
    stops: [...ended<MovementItem>('stop'), ...now.stops],
    unknown: [...ended<UnknownItem>('unknown'), ...now.unknown],
    issues: now.issues,
  };
}

/** Checks that trips and parkings begin before they end, at the time and position of their item, and alternate, without holes. */
function checkEvents(events: readonly MovementEvent[], message: string): void {
  const begun = new Map<MovementKind, MovementEvent>();
  let at: number | null = null;
  for (const event of events) {
    const { type, kind, time, position, item } = event;
    if (type === 'begin') {
      expect(begun.size, message).toBe(0);
      begun.set(kind, event);
    } else {
      expect([time, position], message).toEqual([item!.to, item!.end]);
      if (kind === 'stop') continue;
      expect(item!.from, message).toBe(at ?? item!.from);
      at = item!.to;
      if (kind === 'unknown') continue;
      expect(begun.get(kind), message).toMatchObject({ time: item!.from, position: item!.start });
      begun.delete(kind);
    }
  }
}

describe('MovementTracker', () => {
  it('emits what detectTrips finds: in order with lateness 0, in every order within a lateness', () => {
    for (let seed = 0; seed < JOURNEYS; seed++) {
      const random = seeded(seed);
      const message = `seed ${seed}`;
      const { settings, options } = randomSettings(random);
      const latenessSeconds = pick(random, [0, 60, 600]);
      const fixes = drive(random, 50);
      const whole = detectTrips(readTrack(fixes, ANY_SPEED), settings, options);
      const all = { ...options, ...ANY_SPEED, latenessSeconds };
      const tracker = new MovementTracker(settings, all);
      const events = run(tracker, delayed(random, fixes, latenessSeconds), latenessSeconds);
      // The stream does not know that a column is missing as long as no step needs it.
      const measured = (report: MovementReport): MovementReport => ({
        ...report,
        issues: report.issues.filter(({ code }) => code !== 'mileage-missing'),
      });
      expect(measured(reported(events, tracker)), message).toEqual(measured(whole));
      checkEvents(events, message);
      const often = new MovementTracker(settings, all);
      expect(run(often, repeated(random, fixes, latenessSeconds), latenessSeconds), message).toEqual(events);
    }
  });

  it('emits the same if the clock ends trips during gaps', () => {
    let early = 0;
    for (let seed = 0; seed < JOURNEYS; seed++) {
      const random = seeded(10_000 + seed);
      const { settings, options } = randomSettings(random);
      const fixes = drive(random, 50);
      const all = { ...options, ...ANY_SPEED };
      const plain = new MovementTracker(settings, all);
      const events = fixes.flatMap((fix) => plain.push('unit', fix));
      const clocked = new MovementTracker(settings, all);
      const same = fixes.flatMap((fix) => {
        const silent = clocked.advance(fix.time);
        early += silent.length;
        return [...silent, ...clocked.push('unit', fix)];
      });
      expect(same, `seed ${10_000 + seed}`).toEqual(events);
      expect(clocked.current('unit')).toEqual(plain.current('unit'));
    }
    expect(early).toBeGreaterThan(0);
  });

  it('continues from a snapshot at every fix of short journeys, at random fixes of others', () => {
    for (let seed = 0; seed < SHORT_JOURNEYS + JOURNEYS; seed++) {
      const random = seeded(20_000 + seed);
      const { settings, options } = randomSettings(random);
      const latenessSeconds = pick(random, [0, 60]);
      const all = { ...options, latenessSeconds };
      const isShort = seed < SHORT_JOURNEYS;
      const fixes = delayed(random, drive(random, isShort ? 15 : 50), latenessSeconds);
      const whole = new MovementTracker(settings, all);
      if (random() < 0.5) whole.configure('unit', { tripdetector_minparktime: 90 });
      const start = JSON.stringify(whole.snapshot());
      const events = run(whole, fixes, latenessSeconds);
      const cuts = isShort
        ? fixes.map((_, i) => i)
        : Array.from({ length: LONG ? 20 : 3 }, () => Math.floor(random() * fixes.length));
      for (const cut of cuts) {
        const first = MovementTracker.restore(start);
        const before = fixes.slice(0, cut).flatMap((fix) => first.push('unit', fix));
        const second = MovementTracker.restore(JSON.stringify(first.snapshot()));
        const after = fixes.slice(cut).flatMap((fix) => second.push('unit', fix));
        if (latenessSeconds > 0) {
          after.push(
            ...second.advance(Math.max(...fixes.map(({ time }) => time)) + latenessSeconds * 1000 + 1),
          );
        }
        expect([...before, ...after], `seed ${20_000 + seed}, cut ${cut}`).toEqual(events);
        expect(second.snapshot()).toEqual(whole.snapshot());
      }
    }
  });

  it('emits for a prefix of the fixes a prefix of the events', () => {
    for (let seed = 0; seed < JOURNEYS; seed++) {
      const random = seeded(30_000 + seed);
      const { settings, options } = randomSettings(random);
      const fixes = drive(random, 50);
      const whole = fixes.flatMap(pusher(new MovementTracker(settings, options)));
      const prefix = fixes.slice(0, 25).flatMap(pusher(new MovementTracker(settings, options)));
      expect(whole.slice(0, prefix.length), `seed ${30_000 + seed}`).toEqual(prefix);
    }
  });
});

function pusher(tracker: MovementTracker): (fix: Fix) => readonly MovementEvent[] {
  return (fix) => tracker.push('unit', fix);
}

describe('MovementTracker, by hand', () => {
  const minute = (i: number, x: number, speedKph: number): Fix => fixAt(60 * i, x, 0, { speedKph });
  const lines = (events: readonly MovementEvent[]): string[] =>
    events.map(({ type, kind, time }) => `${type} ${kind} ${(time - START) / 60_000}`);

  it('emits each event as soon as it is final', () => {
    const tracker = new MovementTracker();
    const linesAfter = (i: number, x: number, kph: number): string[] =>
      lines(tracker.push('van', minute(i, x, kph)));
    expect(linesAfter(0, 0, 0)).toEqual([]);
    expect(linesAfter(5, 0, 0)).toEqual(['begin parking 0']);
    expect(linesAfter(6, 90, 10)).toEqual([]);
    expect(linesAfter(7, 90, 0)).toEqual([]);
    expect(linesAfter(8, 200, 10)).toEqual([]);
    // The unit cannot be at rest where the trip was long enough.
    expect(linesAfter(9, 600, 0)).toEqual(['end parking 5', 'begin trip 5']);
    expect(tracker.current('van')).toMatchObject({
      trips: [{ durationSeconds: 240 }],
      parkings: [],
      stops: [{ durationSeconds: 60 }],
    });
    expect(linesAfter(14, 600, 0)).toEqual(['end stop 7', 'end trip 9', 'begin parking 9']);
    expect(tracker.current('van')).toMatchObject({ trips: [], parkings: [{ durationSeconds: 300 }] });
    const none = { trips: [], parkings: [], stops: [], unknown: [], issues: [] };
    expect(tracker.current('nobody')).toEqual(none);
  });

  it('ends the trip of a unit without fixes when no later fix can continue it', () => {
    const tracker = new MovementTracker();
    for (const i of [0, 1, 2]) tracker.push('moving', minute(i, 600 * i, 36));
    for (const i of [0, 1, 2]) tracker.push('resting', minute(i, 600 * Math.min(i, 1), i === 2 ? 0 : 36));
    expect(tracker.advance(START + 62 * 60_000)).toEqual([]);
    expect(lines(tracker.advance(START + 62 * 60_000 + 1))).toEqual([
      'end trip 2',
      // It was too near to know, until no fix followed.
      'begin trip 0',
      'end trip 2',
    ]);
    expect(tracker.advance(START + 1e9)).toEqual([]);
  });

  it('uses settings per unit', () => {
    const tracker = new MovementTracker({ tripdetector_mintripdist: 1e6 });
    tracker.configure('own', [{ key: 'tripdetector_mintripdist', value: '100' }]);
    for (const id of ['own', 'other']) for (const i of [0, 1, 2]) tracker.push(id, minute(i, 600 * i, 36));
    expect(tracker.current('own').trips).toHaveLength(1);
    expect(tracker.current('other').trips).toHaveLength(0);
    const again = MovementTracker.restore(tracker.snapshot());
    expect(again.current('own').trips).toHaveLength(1);
    again.configure('own', null);
    expect(again.push('own', minute(3, 1800, 36))).toEqual([]);
    again.configure('own', undefined as never);
    expect(errorOf(() => tracker.configure('own', '' as never))).toMatchObject({ code: 'settings-type' });
    expect(errorOf(() => tracker.configure('own', { advanced_mileagecoeff: -1 }))).toMatchObject({
      code: 'setting-value',
    });
  });

  it('rejects damaged snapshots and snapshots of visits', () => {
    const tracker = new MovementTracker({}, { latenessSeconds: 60 });
    tracker.configure('van', { tripdetector_gpscorrect: 'true' });
    for (const i of [0, 6, 7]) tracker.push('van', minute(i, 600 * i, i > 6 ? 36 : 0));
    const snapshot = tracker.snapshot();
    const text = JSON.stringify(snapshot);
    const restored = (value: unknown): MovementTracker => MovementTracker.restore(value as StreamSnapshot);
    expect(restored(text).snapshot()).toEqual(snapshot);
    for (let length = 0; length < text.length; length += 7) {
      expect(errorOf(() => restored(text.slice(0, length)))).toMatchObject({ code: 'state-corrupt' });
    }
    for (let i = 0; i < text.length; i += 5) {
      const code = text.charCodeAt(i) ^ (1 << (i % 7));
      const flipped = text.slice(0, i) + String.fromCharCode(code) + text.slice(i + 1);
      try {
        expect(restored(flipped).snapshot()).toEqual(snapshot);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^state-(corrupt|version)$/) });
      }
    }
    expect(errorOf(() => restored({ ...snapshot, version: 1 }))).toMatchObject({ code: 'state-version' });
    expect(errorOf(() => restored({ ...snapshot, kind: 'visits' }))).toMatchObject({ code: 'state-corrupt' });
    const host = new MovementTracker({}, { latenessSeconds: 60 });
    host.adopt(tracker.snapshot('van'));
    expect(host.current('van')).toEqual(tracker.current('van'));
    expect([host.forget('van'), host.forget('van')]).toEqual([true, false]);
    expect(errorOf(() => new MovementTracker().adopt(snapshot))).toMatchObject({ code: 'state-options' });
  });
});
