import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import { findVisits, readTrack, type Visit, type VisitOptions } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';
import { fixAt, type PlaneZone, planeIndex, START } from './planeIndex.js';

/** x from 100 to 200. */
const A: PlaneZone = { id: 'a', parts: [{ box: [100, -50, 200, 50] }] };
/** x from 100 to 200 and from 300 to 400. */
const TWO: PlaneZone = { id: 'two', parts: [...A.parts, { box: [300, -50, 400, 50] }] };

/** Visits with times in seconds after the start. */
function visitsOf(
  fixes: readonly Fix[],
  zones: readonly PlaneZone[] = [A],
  options?: VisitOptions,
): object[] {
  const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
  return findVisits(track, planeIndex(zones), options).map(inSeconds);
}

function inSeconds(visit: Visit): object {
  const seconds = (time: number | null): number | null => (time === null ? null : (time - START) / 1000);
  const { enter, exit, enterBounds, exitBounds, zoneId, seen, end, fixCount } = visit;
  return {
    zone: zoneId,
    stay: [seconds(enter), seconds(exit)],
    bounds: [enterBounds.map(seconds), exitBounds?.map(seconds) ?? null],
    how: [seen, end, fixCount],
  };
}

/** Only `[enter, exit]` of each visit, in seconds. */
function stays(fixes: readonly Fix[], options?: VisitOptions, zones: readonly PlaneZone[] = [A]): unknown[] {
  return visitsOf(fixes, zones, options).map((visit) => (visit as { stay: unknown }).stay);
}

describe('a visit and its bounds', () => {
  it('is entered and left where the straight segment crosses the boundary', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(60, 150), fixAt(120, 300)])).toEqual([
      {
        zone: 'a',
        stay: [40, 80],
        bounds: wkt('0 60, 60 120'),
        how: ['inside', 'left', 1],
      },
    ]);
  });

  it('of a track that begins inside enters at the first fix, without an earlier bound', () => {
    expect(visitsOf([fixAt(0, 150), fixAt(60, 250)])).toEqual([
      {
        zone: 'a',
        stay: [0, 30],
        bounds: [
          [null, 0],
          [0, 60],
        ],
        how: ['inside', 'left', 1],
      },
    ]);
  });

  it('of a track that ends inside is open', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(60, 150)])).toEqual([
      { zone: 'a', stay: [40, null], bounds: [[0, 60], null], how: ['inside', 'open', 1] },
    ]);
  });

  it('counts the fixes with distance ≤ 0, those on the boundary too', () => {
    const [visit] = visitsOf([fixAt(0, 100), fixAt(10, 150), fixAt(20, 200), fixAt(30, 300)]);
    expect(visit).toMatchObject({ stay: [0, 20], how: ['inside', 'left', 3] });
  });

  it('without a fix inside is crossed', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(60, 300)])).toEqual([
      {
        zone: 'a',
        stay: [20, 40],
        bounds: wkt('0 60, 0 60'),
        how: ['crossed', 'left', 0],
      },
    ]);
  });

  it('occurs as often as a step enters the zone', () => {
    expect(stays([fixAt(0, 0), fixAt(50, 500)], undefined, [TWO])).toEqual(wkt('10 20, 30 40'));
    expect(visitsOf([fixAt(0, 150), fixAt(20, 350), fixAt(40, 550)], [TWO])).toMatchObject([
      { stay: [0, 5], how: ['inside', 'left', 1] },
      { stay: [15, 25], how: ['inside', 'left', 1] },
    ]);
  });

  it('of a single fix on the boundary has enter = exit', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(10, 100), fixAt(20, 0)])).toMatchObject([
      { stay: [10, 10], how: ['inside', 'left', 1] },
    ]);
  });

  it('does not exist for a touch between two fixes', () => {
    const diamond: PlaneZone = { id: 'd', parts: [{ box: [100, 50, 100, 90] }] };
    expect(visitsOf([fixAt(0, 0, 0), fixAt(20, 200, 100)], [diamond])).toEqual([]);
  });

  it('is sorted by enter, then by the order of the index', () => {
    const twin: PlaneZone = { ...A, id: '0-twin' };
    const early: PlaneZone = { id: 'z', parts: [{ box: [50, -50, 120, 50] }] };
    const found = visitsOf([fixAt(0, 0), fixAt(60, 300)], [A, twin, early]);
    expect(found.map((visit) => (visit as { zone: string }).zone)).toEqual(['z', 'a', '0-twin']);
  });

  it('of the next zone begins when the last one ends, if they share a boundary', () => {
    const next: PlaneZone = { id: 'b', parts: [{ box: [200, -50, 300, 50] }] };
    expect(stays([fixAt(0, 150), fixAt(10, 250)], undefined, [A, next])).toEqual([
      [0, 5],
      [5, null],
    ]);
  });
});

describe('degenerate tracks', () => {
  it('without fixes have no visits', () => {
    expect(visitsOf([])).toEqual([]);
  });

  it('of one fix have an open visit if it is inside', () => {
    expect(visitsOf([fixAt(0, 150)])).toEqual([
      { zone: 'a', stay: [0, null], bounds: [[null, 0], null], how: ['inside', 'open', 1] },
    ]);
    expect(visitsOf([fixAt(0, 50)])).toEqual([]);
  });

  it('with all fixes at one time are one fix', () => {
    expect(visitsOf([fixAt(0, 150), fixAt(0, 160), fixAt(0, 500)])).toMatchObject([
      { stay: [0, null], how: ['inside', 'open', 1] },
    ]);
  });

  it('with all fixes at one place stay there', () => {
    const fixes = [0, 10, 20, 30].map((seconds) => fixAt(seconds, 150));
    expect(visitsOf(fixes)).toMatchObject([{ stay: [0, null], how: ['inside', 'open', 4] }]);
    expect(visitsOf([0, 10, 20].map((seconds) => fixAt(seconds, 50)))).toEqual([]);
  });

  it('stand on the boundary inside', () => {
    expect(visitsOf([fixAt(0, 200), fixAt(9, 200)])).toMatchObject([{ stay: [0, null] }]);
  });
});

describe('gaps', () => {
  it('longer than maxGapSeconds end a visit at its last fix inside and begin one at the next', () => {
    const far: PlaneZone = { id: 'wide', parts: [{ box: [100, -50, 900, 50] }] };
    expect(visitsOf([fixAt(0, 0), fixAt(60, 150), fixAt(4000, 700), fixAt(4060, 1000)], [far])).toEqual([
      {
        zone: 'wide',
        stay: [40, 60],
        bounds: wkt('0 60, 60 4000'),
        how: ['inside', 'gap', 1],
      },
      {
        zone: 'wide',
        stay: [4000, 4040],
        bounds: wkt('60 4000, 4000 4060'),
        how: ['inside', 'left', 1],
      },
    ]);
  });

  it('of exactly maxGapSeconds are bridged', () => {
    expect(stays([fixAt(0, 150), fixAt(3600, 250)])).toEqual([[0, 1800]]);
    expect(visitsOf([fixAt(0, 150), fixAt(3600.001, 250)])).toMatchObject([
      {
        stay: [0, 0],
        bounds: [
          [null, 0],
          [0, 3600.001],
        ],
        how: ['inside', 'gap', 1],
      },
    ]);
  });

  it('with both fixes inside within parkedMeters are a unit asleep', () => {
    expect(visitsOf([fixAt(0, 120), fixAt(9000, 190), fixAt(9060, 250)])).toMatchObject([
      { stay: [0, 9010], how: ['inside', 'left', 2] },
    ]);
    expect(stays([fixAt(0, 120), fixAt(9000, 190)], { parkedMeters: 60 })).toEqual([
      [0, 0],
      [9000, null],
    ]);
  });

  it('are asleep only for a zone that contains both fixes', () => {
    const half: PlaneZone = { id: 'half', parts: [{ box: [150, -50, 260, 50] }] };
    expect(stays([fixAt(0, 120), fixAt(9000, 190)], undefined, [A, half])).toEqual([
      [0, null],
      [9000, null],
    ]);
  });

  it('give no crossed visits', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(3700, 300)])).toEqual([]);
  });

  it('are also steps longer than maxGapMeters', () => {
    const fixes = [fixAt(0, 150), fixAt(60, 1150)];
    expect(stays(fixes)).toEqual([[0, 3]]);
    expect(visitsOf(fixes, [A], { maxGapMeters: 900 })).toMatchObject([
      { stay: [0, 0], how: ['inside', 'gap', 1] },
    ]);
  });

  it('are also steps of exactly 180° of longitude', () => {
    const track = readTrack(
      [
        { time: START, lon: -100, lat: 20 },
        { time: START + 1000, lon: 80, lat: 20 },
      ],
      { maxSpeedKph: Number.POSITIVE_INFINITY },
    );
    const index = { ...planeIndex([]), at: () => ['all'], crossing: () => expect.unreachable() };
    expect(findVisits(track, index)).toMatchObject([{ end: 'gap' }, { end: 'open' }]);
  });

  it('keep an unconfirmed exit', () => {
    const fixes = [fixAt(0, 150), fixAt(60, 250), fixAt(9000, 500)];
    expect(visitsOf(fixes, [A], { minOutsideSeconds: 600 })).toMatchObject([
      {
        stay: [0, 30],
        bounds: [
          [null, 0],
          [0, 60],
        ],
        how: ['inside', 'left', 1],
      },
    ]);
  });

  it('end a visit at its last fix inside if the fix before the gap is within the exit buffer', () => {
    const fixes = [fixAt(0, 150), fixAt(60, 250), fixAt(9000, 500)];
    const ends = [
      {
        stay: [0, 0],
        bounds: [
          [null, 0],
          [0, 9000],
        ],
        how: ['inside', 'gap', 1],
      },
    ];
    expect(visitsOf(fixes, [A], { exitBufferMeters: 80 })).toMatchObject(ends);
    const loose = [fixAt(0, 150), fixAt(60, 250, 0, { accuracyMeters: 70 }), fixAt(9000, 500)];
    expect(visitsOf(loose, [A], { accuracyCapMeters: 60 })).toMatchObject(ends);
    // A unit that was beyond the buffer left; if it is back within it, the exit is the last crossing.
    const left = [fixAt(0, 150), fixAt(60, 400), fixAt(120, 250), fixAt(9000, 500)];
    expect(visitsOf(left, [A], { exitBufferMeters: 80, minOutsideSeconds: 600 })).toMatchObject([
      { stay: [0, 12], how: ['inside', 'left', 1] },
    ]);
  });

  it('end a visit without a fix inside at its crossing outwards', () => {
    const fixes = [fixAt(0, 0), fixAt(100, 250), fixAt(9000, 500)];
    expect(visitsOf(fixes, [A], { exitBufferMeters: 80 })).toMatchObject([
      {
        stay: [40, 80],
        bounds: wkt('0 100, 0 9000'),
        how: ['crossed', 'gap', 0],
      },
    ]);
  });

  it('keep a truck in its zone if it is back after the gap, whatever its last fix before', () => {
    const zone = {
      id: 'a',
      type: { key: 'circle' as const },
      geometry: [[37.6, 55.75]] as [number, number][],
    };
    const index = new ZoneIndex([{ ...zone, name: '', width: 300 }]);
    const way: [number, number][] = wkt(
      '0 37.63, 600 37.6, 1200 37.60495, 12000 37.6, 12600 37.6, 13200 37.65',
    );
    const fixes = way.map(([s, lon]) => ({ time: START + s * 1000, lon, lat: 55.75 }));
    const visits = findVisits(readTrack(fixes), index, { exitBufferMeters: 50 });
    expect(visits.map(({ end, exit }) => [end, (exit! - START) / 1000])).toEqual([
      ['gap', 600],
      ['left', expect.closeTo(12_657, 0)],
    ]);
    expect(visits[0]!.exitBounds).toEqual([START + 600_000, START + 12_000_000]);
  });

  it('drop an unconfirmed entry', () => {
    const fixes = [fixAt(0, 0), fixAt(60, 150), fixAt(9000, 500)];
    expect(stays(fixes, { minInsideSeconds: 20 })).toEqual([[40, 60]]);
    expect(stays(fixes, { minInsideSeconds: 20.001 })).toEqual([]);
  });

  it('confirm an entry if the unit is asleep during them', () => {
    expect(stays([fixAt(0, 150), fixAt(9000, 150)], { minInsideSeconds: 9000 })).toEqual([[0, null]]);
  });
});

describe('crossed visits', () => {
  it('need a step shorter than maxCrossedMeters', () => {
    expect(stays([fixAt(0, 0), fixAt(60, 4900)])).toHaveLength(1);
    expect(stays([fixAt(0, 0), fixAt(60, 5100)])).toEqual([]);
    expect(stays([fixAt(0, 0), fixAt(60, 300)], { maxCrossedMeters: 299 })).toEqual([]);
  });

  it('on a long step are dropped, unlike the visits of its fixes', () => {
    const fixes = [fixAt(0, 0), fixAt(50, 500), fixAt(60, 350)];
    expect(stays(fixes, { maxCrossedMeters: 300 }, [TWO])).toEqual([[56.667, null]]);
    expect(stays([fixAt(0, 150), fixAt(50, 650)], { maxCrossedMeters: 300 }, [TWO])).toEqual([[0, 5]]);
  });

  it('merge into one per step, from the first entry to the last exit, with an exit buffer', () => {
    expect(visitsOf([fixAt(0, 0), fixAt(50, 500)], [TWO], { exitBufferMeters: 10 })).toMatchObject([
      { stay: [10, 40], how: ['crossed', 'left', 0] },
    ]);
  });
});

describe('the exit buffer', () => {
  const jitter = [fixAt(0, 150), fixAt(10, 210), fixAt(20, 190), fixAt(30, 210), fixAt(40, 260)];

  it('keeps a unit near the boundary inside, and sets the exit to the last crossing outwards', () => {
    expect(visitsOf(jitter, [A], { exitBufferMeters: 50 })).toMatchObject([
      {
        stay: [0, 25],
        bounds: [
          [null, 0],
          [20, 30],
        ],
        how: ['inside', 'left', 2],
      },
    ]);
    expect(stays(jitter)).toHaveLength(2);
  });

  it('must be exceeded, not just reached', () => {
    expect(stays([fixAt(0, 150), fixAt(10, 250)], { exitBufferMeters: 50 })).toEqual([[0, null]]);
    expect(stays([fixAt(0, 150), fixAt(10, 250.01)], { exitBufferMeters: 50 })).toHaveLength(1);
    expect(stays([fixAt(0, 150), fixAt(10, 250.01)], { exitBufferMeters: 50 })).not.toEqual([[0, null]]);
  });

  it('applies to exits only: an entry is at the boundary', () => {
    expect(stays([fixAt(0, 300), fixAt(10, 201), fixAt(20, 300)], { exitBufferMeters: 50 })).toEqual([]);
  });

  it('keeps a visit open if the track ends within it', () => {
    expect(stays([fixAt(0, 150), fixAt(10, 230)], { exitBufferMeters: 50 })).toEqual([[0, null]]);
  });

  it('counts as left after it was exceeded once', () => {
    const fixes = [fixAt(0, 150), fixAt(10, 260), fixAt(20, 220), fixAt(60, 220)];
    expect(stays(fixes, { exitBufferMeters: 50, minOutsideSeconds: 50 })).toEqual([[0, 4.545]]);
  });

  it('makes 1000 jumps of a metre across the edge one visit', () => {
    const fixes = Array.from({ length: 1000 }, (_, i) => fixAt(i, i % 2 ? 200.5 : 199.5));
    expect(visitsOf(fixes, [A], { exitBufferMeters: 5 })).toMatchObject([{ how: ['inside', 'open', 500] }]);
    expect(stays(fixes)).toHaveLength(500);
  });
});

describe('the accuracy of a fix outside', () => {
  it('adds to the buffer, up to the cap', () => {
    const out = (accuracyMeters: number): Fix[] => [fixAt(0, 150), fixAt(10, 230, 0, { accuracyMeters })];
    expect(stays(out(30), { accuracyCapMeters: 100 })).toEqual([[0, null]]);
    expect(stays(out(29), { accuracyCapMeters: 100 })).toEqual([[0, 6.25]]);
    expect(stays(out(500), { accuracyCapMeters: 29 })).toEqual([[0, 6.25]]);
    expect(stays(out(20), { accuracyCapMeters: 20, exitBufferMeters: 10 })).toEqual([[0, null]]);
    expect(stays(out(500))).toEqual([[0, 6.25]]);
  });

  it('when unknown adds nothing', () => {
    const fixes = [fixAt(0, 150, 0, { accuracyMeters: 90 }), fixAt(10, 230)];
    expect(stays(fixes, { accuracyCapMeters: 100 })).toEqual([[0, 6.25]]);
  });
});

describe('minInsideSeconds and minOutsideSeconds', () => {
  const through = [fixAt(0, 0), fixAt(60, 300)];
  const backAndForth = [fixAt(0, 150), fixAt(10, 250), fixAt(20, 150), fixAt(30, 150)];

  it('compare interpolated durations; equality counts', () => {
    expect(stays(through, { minInsideSeconds: 20 })).toEqual([[20, 40]]);
    expect(stays(through, { minInsideSeconds: 20.001 })).toEqual([]);
    expect(stays(backAndForth, { minOutsideSeconds: 10 })).toEqual([
      [0, 5],
      [15, null],
    ]);
    expect(stays(backAndForth, { minOutsideSeconds: 10.001 })).toEqual([[0, null]]);
  });

  it('also apply to a stretch outside between two fixes', () => {
    expect(stays([fixAt(0, 0), fixAt(50, 500)], { minOutsideSeconds: 10 }, [TWO])).toEqual(
      wkt('10 20, 30 40'),
    );
    const merged = [fixAt(0, 0), fixAt(50, 500), fixAt(90, 500)];
    expect(stays(merged, { minOutsideSeconds: 11 }, [TWO])).toEqual([[10, 40]]);
  });

  it('confirm each change separately: a too short visit is dropped even if the unit returns soon', () => {
    const fixes = [fixAt(0, 150), fixAt(10, 250), fixAt(20, 150), fixAt(30, 250), fixAt(90, 250)];
    expect(stays(fixes, { minInsideSeconds: 11, minOutsideSeconds: 11 })).toEqual([]);
    const longer = [
      fixAt(0, 150),
      fixAt(20, 150),
      ...fixes.map((fix) => ({ ...fix, time: fix.time + 20_000 })),
    ];
    expect(stays(longer, { minInsideSeconds: 11, minOutsideSeconds: 11 })).toEqual([[0, 45]]);
  });

  it('keep a visit open if its exit is unconfirmed at the end, and drop an unconfirmed entry', () => {
    const out = [fixAt(0, 150), fixAt(10, 250), fixAt(20, 250)];
    expect(stays(out, { minOutsideSeconds: 15 })).toEqual([[0, 5]]);
    expect(visitsOf(out, [A], { minOutsideSeconds: 15.001 })).toMatchObject([
      { stay: [0, null], bounds: [[null, 0], null], how: ['inside', 'open', 1] },
    ]);
    expect(stays([fixAt(0, 0), fixAt(60, 150)], { minInsideSeconds: 20.001 })).toEqual([]);
  });
});

describe('errors', () => {
  const track = readTrack([fixAt(0, 150)]);

  it('name the invalid option', () => {
    for (const name of ['exitBufferMeters', 'minInsideSeconds', 'maxGapSeconds', 'parkedMeters'] as const) {
      for (const value of [-1, Number.NaN, '5']) {
        const error = errorOf(() => findVisits(track, planeIndex([]), { [name]: value }));
        expect(error).toMatchObject({ code: 'option-value', field: `options.${name}` });
      }
    }
    const error = errorOf(() => findVisits(track, planeIndex([]), 7 as VisitOptions));
    expect(error).toMatchObject({ code: 'option-type', field: 'options' });
  });

  it('report an invalid track, and one out of order', () => {
    const index = planeIndex([]);
    expect(errorOf(() => findVisits([] as never, index))).toMatchObject({ code: 'track-invalid' });
    const two = readTrack([fixAt(0, 1), fixAt(1, 1)]);
    const reversed = { ...two, time: two.time.toReversed() };
    expect(errorOf(() => findVisits(reversed, index))).toMatchObject({
      code: 'track-invalid',
      field: 'track.time[1]',
    });
  });
});
