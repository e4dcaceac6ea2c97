/** The rules V1 to V23 of visits, each by its smallest case. Metres are on the plane of `planeIndex`. */

import { describe, expect, test } from 'vitest';
import type { Fix, Track } from '../../src/core/fix.js';
import {
  findDeviations,
  findVisits,
  gradeTrack,
  readTrack,
  type TrackOptions,
  VisitTracker,
} from '../../src/tracks/index.js';
import { sealed } from '../../src/tracks/stream/sealed.js';
import { Suspects } from '../../src/tracks/suspects.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { fixAt, planeIndex, START } from './planeIndex.js';

/** A box from 0 to 200 m. */
const INDEX = planeIndex([{ id: 'a', parts: [{ box: [0, -100, 200, 100] }] }]);
/** So far that no vehicle gets there in an hour. */
const FAR = 400_000;

/** Seconds of the fixes, with the reason of each blind step. */
function stepsOf({ time, blind }: Track): (number | string)[] {
  return Array.from(time, (at, i) => {
    const seconds = (at - START) / 1000;
    return blind?.[i] ? `${seconds} ${['seen', 'jammed', 'frozen'][blind[i]]}` : seconds;
  });
}

function read(fixes: readonly Fix[], options?: TrackOptions): object {
  const track = readTrack(fixes, options);
  return { steps: stepsOf(track), after: track.blindAfter, rejected: track.rejected };
}

const at = (seconds: number, x: number, more: Partial<Fix> = {}): Fix => fixAt(seconds, x, 0, more);

describe('V2: left out and counted by reason', () => {
  test('a worse accuracy and fewer satellites; unknown ones pass', () => {
    const fixes = [
      at(0, 0),
      at(10, 1, { accuracyMeters: 50, satellites: 4 }),
      at(20, 2, { accuracyMeters: 51 }),
      at(30, 3, { satellites: 3 }),
    ];
    expect(read(fixes)).toEqual({ steps: [0, 10, 20, 30], after: null, rejected: {} });
    expect(read(fixes, { maxAccuracyMeters: 50, minSatellites: 4 })).toEqual({
      steps: [0, 10],
      after: null,
      rejected: { accuracy: 1, satellites: 1 },
    });
    const { issues } = readTrack(fixes, { maxAccuracyMeters: 50, minSatellites: 4 });
    expect(issues.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'fix.accuracyMeters: expected an accuracy of at most 50 m, received 51 (1 fix is left out)',
      'fix.satellites: expected at least 4 satellites, received 3 (1 fix is left out)',
    ]);
  });
});

describe('V4: a jam', () => {
  test('V4a: one suspect alone is `speed`, and its step an ordinary one', () => {
    expect(read([at(0, 0), at(10, FAR), at(20, 5)])).toEqual({
      steps: [0, 20],
      after: null,
      rejected: { speed: 1 },
    });
  });

  test('V4a: two or more are `jammed`, and their step is blind', () => {
    const fixes = [at(0, 0), at(10, 0), at(20, FAR), at(30, FAR + 10), at(40, 5), at(50, 10)];
    expect(read(fixes)).toEqual({
      steps: [0, 10, '40 jammed', 50],
      after: null,
      rejected: { jammed: 2 },
    });
  });

  test('V4: time alone makes every place plausible, so that a slow return needs a second jump or a small correction', () => {
    // 20 km away, which takes 240 s at 300 km/h. The spoofed place stands still.
    const spoofed = [20, 100, 200, 300, 400].map((seconds) => at(seconds, 20_000));
    const before = [at(0, 0), at(10, 0)];
    expect(read([...before, ...spoofed, at(500, 50)])).toEqual({
      steps: [0, 10, '500 jammed'],
      after: null,
      rejected: { jammed: 5 },
    });
    // 12 km from the good place and plausible from the last suspect: not a return. 4 km: within `maxCrossedMeters`.
    expect(read([...before, ...spoofed, at(500, 12_000)])).toMatchObject({ after: 'jammed', steps: [0, 10] });
    expect(read([...before, ...spoofed, at(700, 4000)])).toMatchObject({ steps: [0, 10, '700 jammed'] });
  });

  test('V4b: a suspect more than `maxJamSeconds` after the last good fix means that no fix came back', () => {
    const fixes = [at(0, 0), at(10, 0), at(20, FAR), at(1000, FAR + 5), at(3609, FAR + 10)];
    expect(read([...fixes, at(3610, FAR + 15)])).toMatchObject({ steps: [0, 10], after: 'jammed' });
    expect(read([...fixes, at(3611, FAR + 15)])).toEqual({
      steps: [0, 10, '20 jammed', 1000, 3609, 3611],
      after: null,
      rejected: {},
    });
    expect(read(fixes, { maxJamSeconds: 989 })).toMatchObject({ steps: [0, 10, '20 jammed', 1000, 3609] });
  });

  test('V4b: the other suspects are read anew', () => {
    const wild = [at(20, FAR), at(30, -FAR), at(40, FAR + 5), at(4000, FAR + 10)];
    expect(read([at(0, 0), at(10, 0), ...wild])).toEqual({
      steps: [0, 10, '20 jammed', 40, 4000],
      after: null,
      rejected: { speed: 1 },
    });
  });

  test('V4c: a false first fix costs one fix, not the track', () => {
    expect(read([at(0, FAR), at(10, 0), at(20, 5), at(30, 10)])).toEqual({
      steps: [0, '10 jammed', 20, 30],
      after: null,
      rejected: {},
    });
    // Not so after a second good fix.
    expect(read([at(0, FAR), at(5, FAR), at(10, 0), at(20, 5)])).toMatchObject({ steps: [0, 5] });
  });

  test('V4d: suspects at the end are left out, in a stream they are pending', () => {
    const fixes = [at(0, 0), at(10, 0), at(20, FAR), at(30, FAR)];
    expect(read(fixes)).toEqual({ steps: [0, 10], after: 'jammed', rejected: { jammed: 2 } });
    expect(read(fixes.slice(0, 3))).toEqual({ steps: [0, 10], after: 'jammed', rejected: { speed: 1 } });
    const tracker = new VisitTracker(INDEX);
    for (const fix of fixes) tracker.push('u', fix);
    expect(tracker.counts('u')).toMatchObject({ in: 4, applied: 2, pending: 2, rejected: 0 });
  });
});

describe('V5: a frozen position', () => {
  const fast = { speedKph: 50 };

  test('repeated at `frozenSpeedKph`, until the next other position', () => {
    const fixes = [
      at(0, 0, fast),
      at(10, 5, fast),
      at(20, 5, { speedKph: 10 }),
      at(30, 5),
      at(40, 300, fast),
    ];
    expect(read(fixes)).toEqual({ steps: [0, 10, '40 frozen'], after: null, rejected: { frozen: 2 } });
    expect(read(fixes.slice(0, 4))).toEqual({ steps: [0, 10], after: 'frozen', rejected: { frozen: 2 } });
    expect(read(fixes, { frozenSpeedKph: 10.5 })).toMatchObject({ rejected: {} });
    // Both must report it.
    expect(read([at(0, 0), at(10, 5), at(20, 5, fast), at(30, 5)])).toMatchObject({ rejected: {} });
  });

  test('repeated while the mileage grows by more than `parkedMeters`', () => {
    const odometer = (meters: number): Partial<Fix> => ({ mileageMeters: 1000 + meters });
    const fixes = [at(0, 5, odometer(0)), at(60, 5, odometer(200)), at(120, 5, odometer(401)), at(180, 9)];
    expect(read(fixes)).toEqual({ steps: [0, 60, '180 frozen'], after: null, rejected: { frozen: 1 } });
    const driven = [at(0, 5), at(60, 5, { mileageDeltaMeters: 201 })];
    expect(read(driven)).toEqual({ steps: [0], after: 'frozen', rejected: { frozen: 1 } });
    expect(read(driven, { parkedMeters: 201 })).toMatchObject({ rejected: {} });
  });

  test('V4b: found late, when the first fix at the place explains the jump', () => {
    const repeated = [at(0, -50), at(100, 5), at(1000, 5), at(2000, 5)];
    // 80 km: 152 km/h since the first repeated fix, 1440 km/h since the last one.
    const away = [at(2200, 80_000), at(3000, 80_010), at(5900, 80_020)];
    expect(read([...repeated, ...away])).toEqual({
      steps: [0, 100, '2200 frozen', 3000, 5900],
      after: null,
      rejected: { frozen: 2 },
    });
    const tracker = new VisitTracker(INDEX);
    for (const fix of repeated) tracker.push('u', fix);
    expect(tracker.counts('u')).toMatchObject({ applied: 4, rejected: 0 });
    const events = away.flatMap((fix) => [...tracker.push('u', fix)]);
    // V21: they move from `applied` to `rejected`.
    expect(tracker.counts('u')).toMatchObject({ in: 7, applied: 5, rejected: 2, reasons: { frozen: 2 } });
    const visits = findVisits(readTrack([...repeated, ...away]), INDEX);
    expect(visits).toMatchObject([{ end: 'gap', exit: START + 100_000, fixCount: 1 }]);
    expect(events.map(({ visit }) => visit)).toEqual(visits);
  });
});

describe('V12: a blind step is a gap', () => {
  // 10 s inside, jammed for 30 s, outside.
  const jammed = readTrack([at(0, 50), at(10, 60), at(20, FAR), at(30, -FAR), at(40, 260), at(50, 270)]);

  test('V13: a visit ends at its last fix before it', () => {
    expect(stepsOf(jammed)).toEqual([0, 10, '40 jammed', 50]);
    expect(findVisits(jammed, INDEX)).toMatchObject([
      { end: 'gap', exit: START + 10_000, exitBounds: [START + 10_000, START + 40_000] },
    ]);
  });

  test('V10: no zone is crossed on it', () => {
    const fixes = [at(0, -100), at(10, -50), at(20, FAR), at(30, -FAR), at(40, 260)];
    expect(findVisits(readTrack(fixes), INDEX)).toEqual([]);
    expect(findVisits(readTrack(fixes.filter((_, i) => i < 2 || i === 4)), INDEX)).toMatchObject([
      { seen: 'crossed' },
    ]);
  });

  test('colours and deviations end at it', () => {
    const styles = [{ max: null, hex_color: '#1BB934' }];
    expect(gradeTrack(jammed, { styles }).map(({ from, to }) => [from - START, to - START])).toEqual(
      wkt('0 10000, 40000 50000'),
    );
    const line = [
      [9, 1],
      [11, 1],
    ] as const;
    expect(findDeviations(jammed, line, 10).map(({ from, to }) => [from - START, to - START])).toEqual(
      wkt('0 10000, 40000 50000'),
    );
  });

  describe('V15: the visit goes on where the unit slept by M8: near ends, whatever the reason, and no mileage between them', () => {
    const fast = { speedKph: 50 };
    const parked = [at(0, 50), at(10, 60), at(20, FAR), at(30, -FAR), at(40, 70)];
    const held = [at(0, 10, fast), at(10, 15, fast), at(20, 15, fast), at(600, 15, fast)];
    const night = (mileageMeters?: number): Fix[] => [
      at(0, 10, { mileageMeters: 5000 }),
      at(30_000, 20, { mileageMeters }),
    ];
    const goesOn = (exit: number, next: number) => [
      { end: 'gap', exit: START + exit * 1000, exitBounds: [START + exit * 1000, START + next * 1000] },
      { end: 'open', enter: START + next * 1000 },
    ];
    test.each([
      ['over a jam', parked, [{ end: 'open', fixCount: 3 }]],
      ['over a frozen step', [...held, at(630, 70, fast)], [{ end: 'open', fixCount: 3 }]],
      ['not over one that leads away', [...held, at(630, 190, fast)], goesOn(10, 630)],
      ['over a night', night(5100), [{ end: 'open', fixCount: 2 }]],
      ['over a night without mileage', night(), [{ end: 'open', fixCount: 2 }]],
      ['not over a night of 30 km', night(35_000), goesOn(0, 30_000)],
      [
        'not over a frozen step of 300 m by the mileage',
        [
          at(0, 10, { mileageMeters: 0 }),
          at(60, 10, { mileageMeters: 300 }),
          at(90, 20, { mileageMeters: 300 }),
        ],
        goesOn(0, 90),
      ],
    ])('%s', (_, fixes, visits) => {
      const options = { parkedMeters: 100 };
      expect(findVisits(readTrack(fixes, options), INDEX, options)).toMatchObject(visits);
      const tracker = new VisitTracker(INDEX, options);
      const exits = fixes.flatMap((fix) => [...tracker.push('u', fix)]).filter(({ type }) => type === 'exit');
      expect([
        ...exits.map((event) => 'visit' in event && event.visit),
        ...tracker.openVisits('u'),
      ]).toMatchObject(visits);
    });
  });
});

describe('streams', () => {
  test('V19: a unit of which only suspects come is lost, and left at its last good fix', () => {
    const tracker = new VisitTracker(INDEX);
    const fixes = [at(0, 50), at(10, 60), at(20, FAR), at(3000, FAR)];
    for (const fix of fixes) tracker.push('u', fix);
    expect(tracker.advance(START + 3_611_000)).toMatchObject([{ type: 'lost', time: START + 10_000 }]);
    expect(tracker.push('u', at(3700, FAR))).toMatchObject([
      { type: 'exit', reason: 'gap', time: START + 10_000, bounds: [START + 10_000, START + 20_000] },
    ]);
    expect(tracker.counts('u')).toMatchObject({ applied: 5, pending: 0 });
  });

  test('V20: a time after its receipt moves no watermark; one far ahead waits for the next', () => {
    const tracker = new VisitTracker(INDEX, { maxFutureSeconds: 10, maxAheadSeconds: 100 });
    tracker.push('u', at(0, 0));
    tracker.push('u', at(5000, 0), { receivedAt: START + 4_989_999 });
    expect(tracker.counts('u')).toMatchObject({ applied: 1, reasons: { 'time-implausible': 1 } });
    tracker.push('u', at(5000, 1));
    expect(tracker.counts('u')).toMatchObject({ applied: 1, pending: 1, late: 0 });
    // 66 minutes before it: the time was wrong.
    tracker.push('u', at(1000, 2), { receivedAt: START + 1_000_000 });
    expect(tracker.counts('u')).toMatchObject({ applied: 2, pending: 0, reasons: { 'time-implausible': 2 } });
    tracker.push('u', at(6000, 3));
    tracker.advance(START + 2_400_000);
    expect(tracker.counts('u')).toMatchObject({ applied: 3, pending: 0 });
  });

  test('V21: suspects of one unit delay no other', () => {
    const tracker = new VisitTracker(INDEX, { latenessSeconds: 10 });
    for (const fix of [at(0, 50), at(10, 50), at(20, FAR), at(40, FAR)]) tracker.push('jammed', fix);
    tracker.push('u', at(30, -50));
    tracker.push('u', at(40, 50));
    expect([tracker.suspects(), tracker.suspects('jammed'), tracker.suspects('nobody')]).toEqual([1, 1, 0]);
    expect(tracker.push('u', at(51, 60)).map(({ type, unitId }) => `${type} ${unitId}`)).toEqual(['enter u']);
  });

  test('V23: a snapshot grows with suspects and visits, not with fixes', () => {
    const tracker = new VisitTracker(INDEX);
    const sizeAfter = (from: number, to: number): number => {
      for (let i = from; i < to; i++)
        tracker.push('u', at(i, 50 + Math.sin(i), { speedKph: 3, mileageMeters: i }));
      return JSON.stringify(tracker.snapshot()).length;
    };
    expect(Math.abs(sizeAfter(0, 100) - sizeAfter(100, 5000))).toBeLessThan(40);
  });
});

test('V23: a snapshot of an earlier version is refused', () => {
  const { checksum: _, ...body } = new VisitTracker(INDEX).snapshot();
  for (const version of [1, 2, 3])
    expect(() => VisitTracker.restore(INDEX, sealed({ ...body, version }))).toThrow(
      expect.objectContaining({ code: 'state-version', field: 'snapshot.version' }),
    );
});

describe('V4b: reading anew', () => {
  const steps = (make: (i: number, random: () => number) => readonly [number, number]): number => {
    const random = seeded(1);
    const suspects = new Suspects<{ time: number; lon: number; lat: number }>();
    const rules = { maxSpeedKph: 300, maxCrossedMeters: 5000 };
    const count = 4000;
    for (let i = 0; i < count; i++) {
      const [lon, lat] = make(i, random);
      suspects.add({ time: START + i * 1000, lon, lat });
    }
    // As if each suspect in turn were believed, and none returned.
    for (let i = 0; i < count / 2; i++) {
      const good = suspects.at(0);
      suspects.drop(1);
      suspects.firstReturn(good, 0, Math.min(suspects.size, 2000), rules);
    }
    return suspects.examined / (count / 2);
  };

  test('looks at few suspects: of a plane, of a train just above the limit, of a walk in steps of a degree', () => {
    expect(steps((i) => [i * 0.0023, 10])).toBeLessThan(30);
    expect(steps((i) => [i * 0.0008, 10])).toBeLessThan(300);
    let [x, y] = [0, 0];
    const walk = (_: number, random: () => number): [number, number] => {
      const angle = 2 * Math.PI * random();
      [x, y] = [x + Math.cos(angle), Math.max(-60, Math.min(60, y + Math.sin(angle)))];
      return [((((x + 180) % 360) + 360) % 360) - 180, y];
    };
    expect(steps(walk)).toBeLessThan(200);
  });
});

test('a snapshot from before an option is restored with its default', () => {
  const tracker = new VisitTracker(INDEX, { minInsideSeconds: 30 });
  for (const t of [0, 10, 40]) tracker.push('u', at(t, 0));
  const { options, clock, units, kind, version } = tracker.snapshot();
  let tried = 0;
  for (const name of Object.keys(options)) {
    if (name === 'minInsideSeconds') continue;
    const { [name]: _, ...before } = options;
    const older = sealed({ kind, version, options: before, clock, units });
    const restored = VisitTracker.restore(INDEX, older);
    expect([name, restored.snapshot()]).toEqual([name, tracker.snapshot()]);
    expect(() => VisitTracker.restore(INDEX, { ...older, checksum: tracker.snapshot().checksum })).toThrow(
      expect.objectContaining({ code: 'state-corrupt', field: 'snapshot.checksum' }),
    );
    tried++;
  }
  expect(tried).toBeGreaterThan(10);
});
