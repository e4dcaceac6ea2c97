import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex, type ZoneRow } from '../../src/index.js';
import {
  findVisits,
  readTrack,
  type StreamSnapshot,
  type VisitEvent,
  VisitTracker,
  type VisitTrackerOptions,
  type ZoneIndexLike,
} from '../../src/tracks/index.js';
import { internalsOf } from '../../src/zones/index/index.js';
import { errorOf } from '../errorOf.js';
import { fixAt, type PlaneZone, planeIndex, START } from './planeIndex.js';

/** x from 100 to 200. */
const A: PlaneZone = { id: 'a', parts: [{ box: [100, -50, 200, 50] }] };
/** x from 200 to 300. */
const B: PlaneZone = { id: 'b', parts: [{ box: [200, -50, 300, 50] }] };

function trackerOf(options?: VisitTrackerOptions, zones: readonly PlaneZone[] = [A, B]): VisitTracker {
  return new VisitTracker(planeIndex(zones), options);
}

function pushAll(tracker: VisitTracker, fixes: readonly Fix[], unitId = 'unit'): VisitEvent[] {
  return fixes.flatMap((fix) => tracker.push(unitId, fix));
}

/** `enter a 40`: type, zone, seconds after the start, reason. */
function linesOf(events: readonly VisitEvent[]): string[] {
  return events.map(({ type, zoneId, time, reason }) =>
    [type, zoneId, (time - START) / 1000, ...(reason ? [reason] : [])].join(' '),
  );
}

function seconds(time: number): number {
  return START + time * 1000;
}

/** A square of `size` degrees on 10° E, 0° N. */
function square(id: string, size: number, more: object = {}): ZoneRow {
  const [west, east] = [10 - size, 10 + size];
  const geometry = [
    [west, -size],
    [east, -size],
    [east, size],
    [west, size],
  ] as [number, number][];
  return { id, type: { key: 'polygon' }, geometry, ...more };
}

describe('events', () => {
  it('have the fields of the visit, and the whole visit at the exit', () => {
    const tracker = trackerOf({}, [A]);
    expect(tracker.push('unit', fixAt(0, 0))).toEqual([]);
    expect(tracker.push('unit', fixAt(60, 150))).toEqual([
      {
        type: 'enter',
        unitId: 'unit',
        zoneId: 'a',
        time: seconds(40),
        bounds: [seconds(0), seconds(60)],
        reason: 'inside',
        visit: null,
      },
    ]);
    const visit = {
      zoneId: 'a',
      seen: 'inside',
      end: 'left',
      enter: seconds(40),
      exit: seconds(80),
      enterBounds: [seconds(0), seconds(60)],
      exitBounds: [seconds(60), seconds(120)],
      fixCount: 1,
    };
    expect(tracker.push('unit', fixAt(120, 300))).toEqual([
      {
        type: 'exit',
        unitId: 'unit',
        zoneId: 'a',
        time: seconds(80),
        bounds: [seconds(60), seconds(120)],
        reason: 'left',
        visit,
      },
    ]);
  });

  it('for no fix, one fix or one place are those of the open visits', () => {
    const tracker = trackerOf();
    expect([tracker.counts(), tracker.openVisits('unit')]).toMatchObject([{ in: 0, pending: 0 }, []]);
    expect(linesOf(tracker.push('unit', fixAt(0, 150)))).toEqual(['enter a 0 inside']);
    expect(linesOf(pushAll(tracker, [fixAt(0, 150), fixAt(9, 150), fixAt(20, 150)]))).toEqual([]);
    expect(tracker.counts('unit')).toMatchObject({ in: 4, applied: 3, duplicate: 1 });
    expect(tracker.openVisits('unit')).toMatchObject([{ enter: START, end: 'open', fixCount: 3 }]);
  });

  it('have an exit before an entry at the same instant, for any order of the zones', () => {
    for (const zones of [
      [A, B],
      [B, A],
    ]) {
      const events = pushAll(trackerOf({}, zones), [fixAt(0, 150), fixAt(10, 250), fixAt(20, 350)]);
      expect(linesOf(events)).toEqual([
        'enter a 0 inside',
        'exit a 5 left',
        'enter b 5 inside',
        'exit b 15 left',
      ]);
    }
  });

  it('have the entry of a visit without duration before its exit, between the exits and entries of that instant', () => {
    const thin: PlaneZone = { id: 'thin', parts: [{ box: [199.999, -50, 200.001, 50] }] };
    const events = pushAll(trackerOf({}, [B, thin, A]), [fixAt(0, 150), fixAt(10, 250)]);
    expect(linesOf(events).slice(1)).toEqual([
      'exit a 5 left',
      'enter thin 5 crossed',
      'exit thin 5 left',
      'enter b 5 inside',
    ]);
  });

  it('include a zone that is crossed between two fixes', () => {
    const events = pushAll(trackerOf({}, [A]), [fixAt(0, 0), fixAt(60, 300)]);
    expect(linesOf(events)).toEqual(['enter a 20 crossed', 'exit a 40 left']);
  });

  it('are emitted when they are final, with their own times', () => {
    const tracker = trackerOf({ minInsideSeconds: 30, minOutsideSeconds: 30 }, [A]);
    expect(linesOf(pushAll(tracker, [fixAt(0, 0), fixAt(20, 200), fixAt(30, 190)]))).toEqual([]);
    expect(linesOf(tracker.push('unit', fixAt(40, 190)))).toEqual(['enter a 10 inside']);
    expect(linesOf(pushAll(tracker, [fixAt(50, 210), fixAt(70, 210)]))).toEqual([]);
    expect(linesOf(tracker.push('unit', fixAt(80, 210)))).toEqual(['exit a 45 left']);
  });

  it('have `seen` only when no later fix can change it', () => {
    const tracker = trackerOf({ minOutsideSeconds: 30 }, [A]);
    expect(linesOf(pushAll(tracker, [fixAt(0, 0), fixAt(60, 300)]))).toEqual([]);
    expect(linesOf(tracker.push('unit', fixAt(69, 150)))).toEqual(['enter a 20 inside']);
    const gone = trackerOf({ minOutsideSeconds: 30 }, [A]);
    pushAll(gone, [fixAt(0, 0), fixAt(60, 300)]);
    expect(linesOf(gone.push('unit', fixAt(70, 300)))).toEqual(['enter a 20 crossed', 'exit a 40 left']);
  });

  it('jitter of 1,000 fixes across an edge stays one visit with an exit buffer', () => {
    const fixes = Array.from({ length: 1000 }, (_, i) => fixAt(i, i % 2 ? 200.5 : 199.5));
    expect(linesOf(pushAll(trackerOf({ exitBufferMeters: 5 }, [A]), fixes))).toEqual(['enter a 0 inside']);
    expect(pushAll(trackerOf({}, [A]), fixes).length).toBe(1000);
  });
});

describe('time in the stream', () => {
  it('sorts fixes within the lateness and counts later ones', () => {
    const tracker = trackerOf({ latenessSeconds: 100 }, [A]);
    pushAll(tracker, [fixAt(0, 0), fixAt(120, 300), fixAt(60, 150)]);
    expect(tracker.counts('unit')).toMatchObject({ in: 3, applied: 1, pending: 2 });
    expect(linesOf(tracker.push('unit', fixAt(300, 300)))).toEqual(['enter a 40 inside', 'exit a 80 left']);
    expect(tracker.push('unit', fixAt(199, 150))).toEqual([]);
    expect(tracker.counts('unit')).toMatchObject({ in: 5, applied: 3, late: 1, pending: 1 });
    expect(tracker.push('unit', fixAt(200, 150))).toEqual([]);
    expect(tracker.counts('unit')).toMatchObject({ late: 1, pending: 2 });
  });

  it('one fix that is 24 hours late, and a whole buffer after a tunnel, count as late', () => {
    const tracker = trackerOf({}, [A]);
    const before = pushAll(tracker, [fixAt(0, 0), fixAt(80_000, 0)]);
    const old = Array.from({ length: 50 }, (_, i) => fixAt(3600 + i, 150));
    expect([...before, ...pushAll(tracker, old)]).toEqual([]);
    expect(tracker.counts('unit')).toMatchObject({ in: 52, applied: 2, late: 50 });
  });

  it('of fixes with the same time uses the most accurate, as a track does, or the first one with lateness 0', () => {
    const same = [fixAt(60, 0, 0, { accuracyMeters: 9 }), fixAt(60, 150, 0, { accuracyMeters: 3 })];
    const sorted = trackerOf({ latenessSeconds: 10 }, [A]);
    expect(linesOf(pushAll(sorted, [fixAt(0, 0), ...same, fixAt(80, 150)]))).toEqual(['enter a 40 inside']);
    expect(sorted.counts('unit')).toMatchObject({ duplicate: 1, applied: 2, pending: 1 });
    const plain = trackerOf({}, [A]);
    expect(pushAll(plain, [fixAt(0, 0), ...same])).toEqual([]);
    expect(plain.counts('unit')).toMatchObject({ duplicate: 1, applied: 2 });
  });

  it('rejects impossible times, which do not block the unit', () => {
    const tracker = trackerOf({}, [A]);
    const receivedAt = seconds(60);
    tracker.push('unit', fixAt(0, 0), { receivedAt });
    const times = [0, -5, Date.UTC(1970, 0, 1), START / 1000, Date.UTC(2094, 0, 1), receivedAt + 86_400_000];
    for (const time of [...times, receivedAt + 300_001]) {
      expect(tracker.push('unit', { ...fixAt(1, 150), time }, { receivedAt })).toEqual([]);
    }
    tracker.push('unit', { ...fixAt(1, 150), time: String(START) as never }, { receivedAt });
    expect(tracker.counts('unit').reasons).toEqual({ 'time-implausible': 7, invalid: 1 });
    expect(linesOf(tracker.push('unit', fixAt(60, 150), { receivedAt }))).toEqual(['enter a 40 inside']);
    expect(tracker.push('unit', { ...fixAt(0, 0), time: receivedAt + 300_000 }, { receivedAt })).toHaveLength(
      1,
    );
  });

  it('the last advance does not limit fixes without a time of receipt', () => {
    const tracker = trackerOf({ latenessSeconds: 600 }, [A]);
    tracker.advance(START);
    tracker.push('unit', fixAt(300, 0));
    tracker.push('unit', fixAt(40_000, 0));
    expect(tracker.counts('unit')).toMatchObject({ rejected: 0, applied: 1, pending: 1 });
    const never = trackerOf({}, [A]);
    never.push('unit', { ...fixAt(0, 0), time: Date.UTC(2094, 0, 1) });
    expect(never.counts('unit')).toMatchObject({ applied: 1 });
  });

  it('without a time of receipt a fix far ahead waits for the next fix', () => {
    const day = 86_400;
    const far = fixAt(366 * day, 150);
    const at = (seconds: number): Fix => fixAt(seconds, 150);
    const next = (fix: Fix, options = {}): object => {
      const tracker = trackerOf(options, [A]);
      pushAll(tracker, [at(0), far]);
      tracker.push('unit', fix);
      return tracker.counts('unit');
    };
    const wrong = { in: 3, applied: 2, pending: 0, late: 0, reasons: { 'time-implausible': 1 } };
    expect(next(at(60))).toMatchObject(wrong);
    expect(next(at(366 * day - 3601))).toMatchObject({ applied: 1, pending: 1, rejected: 1 });
    expect(next(at(60), { maxAheadSeconds: 366 * day })).toMatchObject({ applied: 2, late: 1 });
    expect(next(at(366 * day - 3600))).toMatchObject({ applied: 2, late: 1, rejected: 0 });
    expect(next(at(366 * day - 3600), { latenessSeconds: 7200 })).toMatchObject({ applied: 1, pending: 2 });
    expect(next(at(366 * day + 60))).toMatchObject({ applied: 3, rejected: 0 });
    // The next fix may be far ahead too.
    expect(next(at(200 * day))).toMatchObject({ applied: 1, pending: 1, rejected: 1 });
    const near = trackerOf({}, [A]);
    pushAll(near, [at(0), at(day), at(2 * day + 0.001)]);
    expect(near.counts('unit')).toMatchObject({ applied: 2, pending: 1 });
    const known = trackerOf({}, [A]);
    known.push('unit', at(0));
    known.push('unit', far, { receivedAt: far.time });
    expect(known.counts('unit')).toMatchObject({ applied: 2, pending: 0 });
  });

  it('or for the clock, also over a snapshot', () => {
    const day = 86_400;
    for (const [seconds, counts] of [
      [3 * day - 3600, { applied: 2, rejected: 0 }],
      [3 * day - 3601, { applied: 1, rejected: 1 }],
    ] as const) {
      const first = trackerOf({}, [A]);
      pushAll(first, [fixAt(0, 0), fixAt(3 * day, 150)]);
      const tracker = VisitTracker.restore(planeIndex([A]), JSON.stringify(first.snapshot()));
      expect(tracker.openVisits('unit')).toEqual([]);
      const events = tracker.advance(START + seconds * 1000);
      expect(tracker.counts('unit')).toMatchObject({ in: 2, pending: 0, ...counts });
      expect(linesOf(events)).toEqual(counts.applied === 2 ? [`enter a ${3 * day} inside`] : []);
    }
  });

  it('rounds times of fixes and of the clock to the millisecond', () => {
    const tracker = trackerOf({}, [A]);
    const events = pushAll(tracker, [fixAt(0.0004, 0), fixAt(60.0006, 150)]);
    expect(events).toMatchObject([{ time: START + 40_001, bounds: [START, START + 60_001] }]);
    tracker.advance(START + 70_000.5);
    expect(tracker.snapshot().clock).toBe(START + 70_001);
  });

  it('a receiver with the rollover of weeks (2000-02-25) is late, or earlier than `earliestTime`', () => {
    const tracker = trackerOf({ earliestTime: START - 86_400_000 }, [A]);
    pushAll(tracker, [fixAt(0, 0), { ...fixAt(1, 150), time: Date.UTC(2000, 1, 25) }, fixAt(60, 150)]);
    expect(tracker.counts('unit')).toMatchObject({ applied: 2, reasons: { 'time-implausible': 1 } });
  });

  it('a clock that jumps back or forth gives no negative duration', () => {
    for (const jump of [-3600, 600, 18, -18]) {
      const fixes = Array.from({ length: 100 }, (_, i) =>
        fixAt(i * 10 + (i >= 50 ? jump : 0), i * 10 - 300, 0),
      );
      for (const latenessSeconds of [0, 4000]) {
        const tracker = trackerOf({ latenessSeconds });
        const events = [...pushAll(tracker, fixes), ...tracker.advance(seconds(5600))];
        for (const { visit } of events) if (visit) expect(visit.exit).toBeGreaterThanOrEqual(visit.enter);
        expect(events.length).toBeGreaterThan(0);
        const counts = tracker.counts();
        expect(counts.applied + counts.late + counts.duplicate + counts.pending).toBe(100);
      }
    }
  });

  it('a sign flip, a fix at 0, 0 and a wild one leave no zone', () => {
    const tracker = trackerOf({}, [A]);
    const wild = [
      { ...fixAt(10, 150), lon: -10 },
      { ...fixAt(20, 150), lon: 0, lat: 0 },
      fixAt(30, 99_000, 0, { accuracyMeters: 99 }),
    ];
    const events = pushAll(tracker, [
      fixAt(0, 150),
      ...wild.flatMap((fix, i) => [fix, fixAt(15 + 10 * i, 150)]),
    ]);
    expect(linesOf(events)).toEqual(['enter a 0 inside']);
    expect(tracker.counts('unit').reasons).toEqual({ speed: 2, 'zero-island': 1 });
  });

  it('V4: waits with a fix that is too fast until a later one returns', () => {
    const tracker = trackerOf({ maxSpeedKph: 100 }, [A]);
    pushAll(tracker, [fixAt(0, 0), fixAt(1, 150)]);
    expect(tracker.counts('unit')).toMatchObject({ applied: 1, pending: 1 });
    expect(tracker.openVisits('unit')).toEqual([]);
    expect(linesOf(tracker.push('unit', fixAt(20, 150)))).toEqual(['enter a 13.333 inside']);
    expect(tracker.counts('unit')).toMatchObject({ applied: 2, pending: 0, reasons: { speed: 1 } });
  });

  it('advances every watermark, so that older fixes are late', () => {
    const tracker = trackerOf({ latenessSeconds: 60 }, [A]);
    pushAll(tracker, [fixAt(0, 0), fixAt(60, 150)]);
    expect(linesOf(tracker.advance(seconds(121)))).toEqual(['enter a 40 inside']);
    expect(tracker.advance(seconds(0))).toEqual([]);
    pushAll(tracker, [fixAt(60, 150)]);
    tracker.push('new', fixAt(60, 150));
    expect([tracker.counts('unit').late, tracker.counts('new').late]).toEqual([1, 1]);
    expect(tracker.counts()).toMatchObject({ in: 4, applied: 2, late: 2 });
  });
});

describe('a unit without fixes', () => {
  it('is lost once in each zone that it is in, and found if it was asleep', () => {
    const tracker = trackerOf();
    pushAll(tracker, [fixAt(0, 150)]);
    expect(tracker.advance(seconds(3600))).toEqual([]);
    expect(tracker.advance(seconds(3600) + 1)).toEqual([
      {
        type: 'lost',
        unitId: 'unit',
        zoneId: 'a',
        time: START,
        bounds: [START, null],
        reason: null,
        visit: null,
      },
    ]);
    expect(tracker.advance(seconds(9000))).toEqual([]);
    expect(tracker.push('unit', fixAt(9000, 160))).toMatchObject([
      { type: 'found', zoneId: 'a', time: seconds(9000), bounds: [START, seconds(9000)], reason: null },
    ]);
    expect(linesOf(tracker.advance(seconds(20_000)))).toEqual(['lost a 9000']);
    expect(tracker.openVisits('unit')).toMatchObject([{ enter: START, fixCount: 2, end: 'open' }]);
  });

  it('that is elsewhere after the gap left at the last fix before it', () => {
    const tracker = trackerOf();
    pushAll(tracker, [fixAt(0, 150)]);
    tracker.advance(seconds(9000));
    expect(linesOf(tracker.push('unit', fixAt(9000, 250)))).toEqual(['exit a 0 gap', 'enter b 9000 inside']);
  });

  it('that is outside, or not yet confirmed inside, is not lost', () => {
    const tracker = trackerOf({ minInsideSeconds: 60, exitBufferMeters: 500 }, [A]);
    pushAll(tracker, [fixAt(0, 150)], 'new');
    pushAll(tracker, [fixAt(0, 150), fixAt(60, 150), fixAt(70, 250)], 'out');
    expect(tracker.advance(seconds(9000))).toEqual([]);
    expect(linesOf(tracker.push('new', fixAt(9000, 150)))).toEqual(['enter a 0 inside']);
  });

  it('is never lost without a gap limit', () => {
    const tracker = trackerOf({ maxGapSeconds: Number.POSITIVE_INFINITY });
    pushAll(tracker, [fixAt(0, 150)]);
    expect(tracker.advance(START + 1e12)).toEqual([]);
  });
});

describe('a zone that changes under a unit', () => {
  const at = (time: number, lon = 10): Fix => ({ time: seconds(time), lon, lat: 0.001 });

  it('ends the visit at the last fix, once, when it is removed', () => {
    for (const method of ['push', 'advance'] as const) {
      const index = new ZoneIndex([square('s', 0.01)]);
      const tracker = new VisitTracker(index);
      pushAll(tracker, [at(0), at(60)]);
      index.remove('s');
      const events = method === 'push' ? tracker.push('unit', at(120)) : tracker.advance(seconds(110));
      expect(events).toMatchObject([
        { type: 'exit', time: seconds(60), bounds: [seconds(60), null], reason: 'zone-changed' },
      ]);
      expect(pushAll(tracker, [at(180), at(240, 10.02)])).toEqual([]);
      expect(tracker.openVisits('unit')).toEqual([]);
    }
  });

  it('has a shape without geometry too, if its parts are given', () => {
    const partsOf = (size: number): ZoneRow => {
      const { geometry, ...row } = square('s', size);
      return { ...row, parts: [[[...geometry, geometry[0]!]]] } as unknown as ZoneRow;
    };
    const index = new ZoneIndex([partsOf(0.01)]);
    const tracker = new VisitTracker(index);
    expect(linesOf(pushAll(tracker, [at(0), at(60)]))).toEqual(['enter s 0 inside']);
    index.update(partsOf(0.02));
    expect(linesOf(tracker.push('unit', at(120)))).toEqual(['exit s 60 zone-changed', 'enter s 60 inside']);
    const opened = VisitTracker.restore(ZoneIndex.fromBuffer<ZoneRow>(index.toBuffer()), tracker.snapshot());
    expect(linesOf(opened.push('unit', at(180, 10.03)))).toMatchObject([expect.stringMatching(/^exit s /)]);
  });

  it('ends the visit when it is edited, and begins another if the last fix is in the new shape', () => {
    const index = new ZoneIndex([square('s', 0.01)]);
    const tracker = new VisitTracker(index);
    pushAll(tracker, [at(0), at(60)]);
    index.update(square('s', 0.02));
    expect(linesOf(tracker.push('unit', at(120)))).toEqual(['exit s 60 zone-changed', 'enter s 60 inside']);
    index.update(square('s', 0.0001));
    expect(linesOf(tracker.push('unit', at(180)))).toEqual(['exit s 120 zone-changed']);
    expect(tracker.push('unit', at(240))).toEqual([]);
  });

  it('does not end the visit when its name changes or it gets the same shape', () => {
    const index = new ZoneIndex([square('s', 0.01)]);
    const tracker = new VisitTracker(index);
    pushAll(tracker, [at(0)]);
    index.update(square('s', 0.01, { name: 'other' }));
    index.remove('s');
    index.add(square('s', 0.01));
    expect(pushAll(tracker, [at(60)])).toEqual([]);
    expect(tracker.openVisits('unit')).toMatchObject([{ enter: START, fixCount: 2 }]);
  });

  it('also ends the visit if it changed between snapshot and restore', () => {
    const tracker = new VisitTracker(new ZoneIndex([square('s', 0.01)]));
    pushAll(tracker, [at(0), at(60)]);
    const snapshot = tracker.snapshot();
    const same = VisitTracker.restore(new ZoneIndex([square('s', 0.01)]), snapshot);
    expect(same.push('unit', at(120))).toEqual([]);
    const edited = VisitTracker.restore(new ZoneIndex([square('s', 0.02)]), snapshot);
    expect(linesOf(edited.push('unit', at(120)))).toEqual(['exit s 60 zone-changed', 'enter s 60 inside']);
    const gone = VisitTracker.restore(new ZoneIndex([]), snapshot);
    expect(gone.openVisits('unit')).toMatchObject([{ end: 'zone-changed' }]);
    expect(linesOf(gone.push('unit', at(120)))).toEqual(['exit s 60 zone-changed']);
  });

  it('keeps an unconfirmed exit, and drops an unconfirmed entry', () => {
    const index = new ZoneIndex([square('s', 0.01)]);
    const tracker = new VisitTracker(index, { minInsideSeconds: 60, minOutsideSeconds: 600 });
    pushAll(tracker, [at(0), at(60), at(120, 10.02)], 'out');
    pushAll(tracker, [at(100)], 'in');
    index.remove('s');
    expect(linesOf(tracker.advance(seconds(120)))).toEqual(['exit s 90 left']);
    expect(tracker.openVisits('in')).toEqual([]);
  });

  it('is entered at the last fix before the next movement when it is added under the unit', () => {
    const index = new ZoneIndex<ZoneRow>([]);
    const tracker = new VisitTracker(index);
    pushAll(tracker, [at(0), at(60)]);
    index.add(square('s', 0.01));
    expect(linesOf(pushAll(tracker, [at(120), at(180, 10.001)]))).toEqual(['enter s 120 inside']);
    expect(tracker.openVisits('unit')).toMatchObject([{ fixCount: 2 }]);
  });

  it('is also noticed in an index that does not count edits', () => {
    let row = square('s', 0.01);
    const real = new ZoneIndex([row]);
    const index: ZoneIndexLike = {
      at: (position) => real.at(position),
      crossing: (a, b) => real.crossing(a, b),
      prepared: (id) => internalsOf(real)!.prepared(id),
      ordinalOf: (id) => real.ordinalOf(id),
      get: () => row,
    };
    const tracker = new VisitTracker(index);
    pushAll(tracker, [at(0), at(60)]);
    row = square('s', 0.02);
    real.update(row);
    expect(linesOf(tracker.push('unit', at(120)))).toEqual(['exit s 60 zone-changed', 'enter s 60 inside']);
  });

  it('is noticed when it is removed from an index that returns no rows', () => {
    const zones = [A];
    const tracker = new VisitTracker({ ...planeIndex([A]), ordinalOf: () => (zones.length > 0 ? 0 : null) });
    pushAll(tracker, [fixAt(0, 150)]);
    zones.pop();
    expect(linesOf(tracker.advance(START))).toEqual(['exit a 0 zone-changed']);
  });
});

describe('snapshots', () => {
  const options = { latenessSeconds: 60, maxGapSeconds: Number.POSITIVE_INFINITY, exitBufferMeters: 30 };
  const tracker = trackerOf(options);
  pushAll(tracker, [fixAt(0, 0), fixAt(60, 150), fixAt(120, 250), fixAt(150, 210)], 'truck');
  pushAll(tracker, [{ ...fixAt(5, 0), valid: false }, fixAt(10, 150)], 'van');
  tracker.advance(seconds(130));
  const snapshot = tracker.snapshot();
  const text = JSON.stringify(snapshot);
  const restored = (value: unknown): VisitTracker =>
    VisitTracker.restore(planeIndex([A, B]), value as StreamSnapshot);

  it('are plain JSON with a version, and restore the same state, also with Infinity', () => {
    expect(snapshot).toMatchObject({ kind: 'visits', version: 9, clock: seconds(130) });
    expect(JSON.parse(text)).toEqual(snapshot);
    expect(restored(snapshot).snapshot()).toEqual(snapshot);
    expect(restored(text).snapshot()).toEqual(snapshot);
    const reordered = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as unknown;
    expect(restored(reordered).snapshot()).toEqual(snapshot);
  });

  it('of one unit contain only that unit', () => {
    expect(tracker.snapshot('van').units).toHaveLength(1);
    expect(tracker.snapshot('nobody').units).toEqual([]);
    const other = restored(tracker.snapshot('van'));
    expect(other.counts()).toEqual(tracker.counts('van'));
  });

  it('truncated at any byte are rejected', () => {
    for (let length = 0; length < text.length; length++) {
      expect(errorOf(() => restored(text.slice(0, length)))).toMatchObject({ code: 'state-corrupt' });
    }
  });

  it('with a flipped bit are rejected or equal', () => {
    let refused = 0;
    for (let i = 0; i < text.length; i++) {
      const flipped =
        text.slice(0, i) + String.fromCharCode(text.charCodeAt(i) ^ (1 << (i % 7))) + text.slice(i + 1);
      try {
        expect(restored(flipped).snapshot()).toEqual(snapshot);
      } catch (error) {
        refused++;
        expect(error).toMatchObject({ code: expect.stringMatching(/^state-(corrupt|version)$/) });
      }
    }
    expect(refused).toBeGreaterThan(text.length * 0.9);
  });

  it('of another version or kind, or of another type, are rejected', () => {
    for (const version of [0, 1, 3, 7, 8, 10, 1.5]) {
      expect(errorOf(() => restored({ ...snapshot, version }))).toMatchObject({
        code: 'state-version',
        field: 'snapshot.version',
      });
    }
    for (const bad of [null, undefined, 7, '', '{}', [], {}, { ...snapshot, kind: 'movement' }]) {
      expect(errorOf(() => restored(bad))).toMatchObject({ code: 'state-corrupt' });
    }
    const damaged = { ...snapshot, units: [...snapshot.units, ...snapshot.units] };
    expect(errorOf(() => restored(damaged))).toMatchObject({ code: 'state-corrupt' });
    for (const name of ['parkedMeters', 'latenessSeconds']) {
      const wrong = { ...snapshot, options: { ...snapshot.options, [name]: -1 } };
      expect(errorOf(() => restored(wrong))).toMatchObject({ code: 'state-corrupt' });
    }
  });

  it('are adopted by a tracker with the same options that does not have the unit', () => {
    const host = trackerOf(options);
    host.adopt(tracker.snapshot('truck'));
    expect(host.counts()).toEqual(tracker.counts('truck'));
    expect(errorOf(() => host.adopt(tracker.snapshot('truck')))).toMatchObject({ code: 'unit-known' });
    expect(errorOf(() => trackerOf({}).adopt(snapshot))).toMatchObject({ code: 'state-options' });
    host.adopt(JSON.stringify(tracker.snapshot('van')));
    expect(host.counts()).toEqual(tracker.counts());
  });
});

describe('many units', () => {
  it('are bounded by maxUnits; a host stores the others, and loses none', () => {
    const store = new Map<string, StreamSnapshot>();
    const known = new Set<string>();
    const tracker = trackerOf({ maxUnits: 10 }, [A]);
    const push = (unitId: string, fix: Fix): readonly VisitEvent[] => {
      if (!known.has(unitId)) {
        if (known.size === 10) {
          expect(errorOf(() => tracker.push(unitId, fix))).toMatchObject({ code: 'limit-units' });
          const [oldest] = known as Iterable<string> as unknown as [string];
          store.set(oldest, tracker.snapshot(oldest));
          known.delete(oldest);
          expect(tracker.forget(oldest)).toBe(true);
        }
        const kept = store.get(unitId);
        if (kept) tracker.adopt(kept);
        known.add(unitId);
      }
      return tracker.push(unitId, fix);
    };
    const ids = Array.from({ length: 100 }, (_, i) => `unit ${i}`);
    const events = [0, 60, 120].flatMap((time) =>
      ids.flatMap((id) => [...push(id, fixAt(time, time * 2.5))]),
    );
    for (const id of ids) {
      expect(linesOf(events.filter(({ unitId }) => unitId === id))).toEqual([
        'enter a 40 inside',
        'exit a 80 left',
      ]);
    }
    expect(tracker.counts().in).toBe(30);
  });

  it('with hostile ids are separate', () => {
    const ids = ['*', '>', 'a.b', 'a b', '..', '__proto__', 'constructor', '', '\u0000'];
    const tracker = trackerOf({}, [A]);
    ids.forEach((id, i) => {
      expect(linesOf(tracker.push(id, fixAt(i, 150)))).toEqual([`enter a ${i} inside`]);
    });
    const again = VisitTracker.restore(planeIndex([A]), JSON.stringify(tracker.snapshot()));
    for (const id of ids) expect(again.counts(id)).toMatchObject({ in: 1, applied: 1 });
  });

  it('start again after `forget`', () => {
    const tracker = trackerOf({}, [A]);
    tracker.push('unit', fixAt(60, 150));
    expect([tracker.forget('unit'), tracker.forget('unit')]).toEqual([true, false]);
    expect(tracker.counts()).toMatchObject({ in: 0 });
    expect(linesOf(tracker.push('unit', fixAt(0, 150)))).toEqual(['enter a 0 inside']);
  });

  it('have the same visits as in their own tracks', () => {
    const fixes = [fixAt(0, 150), fixAt(9, 250), fixAt(12, 150)];
    const tracker = trackerOf();
    const visits = pushAll(tracker, fixes).flatMap(({ visit }) => visit ?? []);
    const batch = findVisits(readTrack(fixes), planeIndex([A, B]));
    expect(batch).toHaveLength(3);
    expect([...visits, ...tracker.openVisits('unit')]).toEqual(batch);
  });
});

describe('errors', () => {
  it('name the invalid argument', () => {
    for (const name of ['latenessSeconds', 'maxFutureSeconds', 'maxUnits', 'parkedMeters', 'maxSpeedKph']) {
      for (const value of [-1, Number.NaN, '5']) {
        expect(errorOf(() => trackerOf({ [name]: value }))).toMatchObject({
          code: 'option-value',
          field: `options.${name}`,
        });
      }
    }
    expect(errorOf(() => trackerOf(7 as never))).toMatchObject({ code: 'option-type' });
    const tracker = trackerOf();
    expect(errorOf(() => tracker.push(7 as never, fixAt(0, 0)))).toMatchObject({ code: 'unit-id' });
    expect(errorOf(() => tracker.push('u', fixAt(0, 0), { receivedAt: Number.NaN }))).toMatchObject({
      code: 'option-value',
      field: 'options.receivedAt',
    });
    expect(errorOf(() => tracker.push('u', fixAt(0, 0), 5 as never))).toMatchObject({ code: 'option-type' });
    expect(errorOf(() => tracker.advance(Number.NaN))).toMatchObject({ code: 'option-value', field: 'time' });
    const throwing = {
      get time(): number {
        throw new Error('no');
      },
    };
    expect(errorOf(() => tracker.push('u', throwing as Fix))).toMatchObject({ code: 'input-unreadable' });
    expect(tracker.counts('u').in).toBe(0);
  });

  it('are not thrown for values that are not fixes', () => {
    const tracker = trackerOf();
    for (const bad of [null, undefined, 'fix', {}, [], { ...fixAt(0, 0), lat: -122 }]) {
      expect(tracker.push('u', bad as Fix)).toEqual([]);
    }
    expect(tracker.counts('u')).toMatchObject({ in: 6, rejected: 6, reasons: { invalid: 6 } });
  });
});
