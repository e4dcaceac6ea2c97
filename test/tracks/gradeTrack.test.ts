import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { type GradedRun, gradeTrack, readTrack, type TrackGradation } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { fixAt, metersOf, START } from './planeIndex.js';

const GRADATION: TrackGradation = {
  styles: [
    { max: 20, hex_color: '#1BB934' },
    { max: 50, hex_color: '#e68a2f' },
    { max: null, hex_color: '#F56C6C' },
  ],
};

const WORDS: Readonly<Record<string, string>> = { '#1BB934': 'slow', '#e68a2f': 'town', '#F56C6C': 'fast' };

/** Fixes with these speeds, every minute and 100 m apart. */
function fixesOf(speeds: readonly (number | null)[]): Fix[] {
  return speeds.map((speedKph, i) => fixAt(60 * i, 100 * i, 0, speedKph === null ? {} : { speedKph }));
}

function graded(fixes: readonly Fix[], options?: Parameters<typeof gradeTrack>[2]): GradedRun[] {
  return gradeTrack(readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY }), GRADATION, options);
}

/** `slow 0 30: 0 50`: colour, seconds, metres of the points. */
function lines(runs: readonly GradedRun[]): string[] {
  return runs.map(({ hex_color, from, to, points }) => {
    const meters = points.map((point) => Math.round(metersOf(point)[0] * 1000) / 1000);
    return `${WORDS[hex_color]} ${(from - START) / 1000} ${(to - START) / 1000}: ${meters.join(' ')}`;
  });
}

describe('gradeTrack', () => {
  it('splits exactly where the speed between two fixes crosses a limit', () => {
    expect(lines(graded(fixesOf([10, 30])))).toEqual(['slow 0 30: 0 50', 'town 30 60: 50 100']);
    expect(lines(graded(fixesOf([60, 10])))).toEqual([
      'fast 0 12: 0 20',
      'town 12 48: 20 80',
      'slow 48 60: 80 100',
    ]);
  });

  it('assigns a speed equal to `max` to that style, at fixes and between them', () => {
    expect(lines(graded(fixesOf([20, 20, 20])))).toEqual(['slow 0 120: 0 100 200']);
    expect(lines(graded(fixesOf([20, 50])))).toEqual(['town 0 60: 0 100']);
    expect(lines(graded(fixesOf([50, 20])))).toEqual(['town 0 60: 0 100']);
    expect(lines(graded(fixesOf([10, 20, 10])))).toEqual(['slow 0 120: 0 100 200']);
    expect(lines(graded(fixesOf([30, 20, 30])))).toEqual(['town 0 120: 0 100 200']);
    expect(lines(graded(fixesOf([50, 51])))).toEqual(['fast 0 60: 0 100']);
  });

  it('joins consecutive parts of one colour', () => {
    expect(lines(graded(fixesOf([5, 15, 25, 30, 15])))).toEqual([
      'slow 0 90: 0 100 150',
      'town 90 220: 150 200 300 366.667',
      'slow 220 240: 366.667 400',
    ]);
  });

  it('uses the speed of the step if fixes have none', () => {
    // 100 m a minute are 6 km/h, 1000 m a minute 60 km/h.
    expect(lines(graded([fixAt(0, 0), fixAt(60, 100), fixAt(120, 1100)]))).toEqual([
      'slow 0 60: 0 100',
      'fast 60 120: 100 1100',
    ]);
    expect(lines(graded(fixesOf([30, null, 30, 40])))).toEqual([
      'slow 0 120: 0 100 200',
      'town 120 180: 200 300',
    ]);
  });

  it('leaves out gaps and ambiguous steps', () => {
    const fixes = [
      ...fixesOf([10, 10]),
      fixAt(3661, 200, 0, { speedKph: 10 }),
      fixAt(3700, 300, 0, { speedKph: 10 }),
    ];
    expect(lines(graded(fixes))).toEqual(['slow 0 60: 0 100', 'slow 3661 3700: 200 300']);
    expect(graded(fixes, { maxGapSeconds: Number.POSITIVE_INFINITY })).toHaveLength(1);
    const half = [-100, 80].map((lon, i) => ({ time: START + i * 1000, lon, lat: 0 }));
    expect(graded(half)).toEqual([]);
  });

  it('crosses the antimeridian the short way', () => {
    const over = [179.99, -179.99].map((lon, i) => ({
      time: START + i * 60_000,
      lon,
      lat: 0,
      speedKph: 10 + 20 * i,
    }));
    const [slow, town] = graded(over);
    expect(slow!.points).toEqual(wkt('179.99 0, 180 0'));
    expect(town!.points).toEqual(wkt('180 0, -179.99 0'));
  });

  it('is empty for fewer than two fixes', () => {
    expect([graded([]), graded([fixAt(0, 0)])]).toEqual([[], []]);
  });

  it('covers the track without overlap, each part in the colour of its speed', () => {
    for (let seed = 0; seed < volume(2000); seed++) {
      const random = seeded(seed);
      const fixes = fixesOf(Array.from({ length: 12 }, () => Math.round(random() * 8) * 10));
      const runs = graded(fixes);
      expect(runs[0]!.from).toBe(fixes[0]!.time);
      expect(runs.at(-1)!.to).toBe(fixes.at(-1)!.time);
      runs.forEach(({ from, to, points, hex_color }, i) => {
        expect(to).toBeGreaterThan(from);
        const before = runs[i - 1];
        if (before) {
          expect(before.to).toBe(from);
          expect(before.points.at(-1)).toEqual(points[0]);
          expect(before.hex_color).not.toBe(hex_color);
        }
        for (let k = 0; k < 10; k++) {
          const time = from + 1 + (to - from - 2) * random();
          const at = (time - START) / 60_000;
          const [a, b] = [fixes[Math.floor(at)]!.speedKph!, fixes[Math.floor(at) + 1]!.speedKph!];
          const speed = a + (at - Math.floor(at)) * (b - a);
          const style = GRADATION.styles.find(({ max }) => max === null || speed <= max)!;
          expect(hex_color, `seed ${seed}, ${speed} km/h`).toBe(style.hex_color);
        }
      });
    }
  });

  it('names the invalid argument', () => {
    const track = readTrack([]);
    const style = { max: null, hex_color: '#ffffff' };
    for (const [styles, field] of [
      [undefined, 'styles'],
      [[], 'styles'],
      [[{ max: 5, hex_color: '#ffffff' }], 'styles[0].max'],
      [[style, style], 'styles[0].max'],
      [[{ max: 5, hex_color: '#aaaaaa' }, { max: 5, hex_color: '#bbbbbb' }, style], 'styles[1].max'],
      [[{ max: '5', hex_color: '#aaaaaa' }, style], 'styles[0].max'],
      [[{ max: null, hex_color: 7 }], 'styles[0].hex_color'],
      [[{ max: null, hex_color: 'not a colour' }], 'styles[0].hex_color'],
      [[{ max: 5, hex_color: '#fff' }, style], 'styles[0].hex_color'],
      [[null], 'styles[0].hex_color'],
      [Object.assign([], { 1: style }), 'styles[0].hex_color'],
    ] as const) {
      expect(errorOf(() => gradeTrack(track, { styles } as never))).toMatchObject({
        code: 'gradation-invalid',
        field,
      });
    }
    expect(errorOf(() => gradeTrack(track, null as never))).toMatchObject({ code: 'gradation-invalid' });
    expect(errorOf(() => gradeTrack(track, GRADATION, { maxGapSeconds: -1 }))).toMatchObject({
      code: 'option-value',
    });
    expect(errorOf(() => gradeTrack(null as never, GRADATION))).toMatchObject({ code: 'track-invalid' });
  });
});
