import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packLine, thin } from '../../src/report/thin.js';
import { positionAtTime, trackLines } from '../../src/report/trackLines.js';
import { volume } from '../volume.js';
import { trackOf } from './sample.js';

const METERS = 111_195;

/** Metres from a point to a segment, near the equator. */
function offset(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const size = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = size === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / size));
  return METERS * Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

test('removed positions are within the tolerance of the drawn line', () => {
  const degrees = fc.double({ min: -0.01, max: 0.01, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(degrees, degrees), { maxLength: 60 }), (positions) => {
      const lon = positions.map(([x]) => x);
      const lat = positions.map(([, y]) => y);
      const kept = thin(lon, lat, 50);
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      if (positions.length > 0) expect([kept[0], kept.at(-1)]).toEqual([0, positions.length - 1]);
      for (let k = 1; k < kept.length; k++) {
        const [from, to] = [kept[k - 1] as number, kept[k] as number];
        for (let i = from; i <= to; i++) {
          const at = (n: number): [number, number] => [lon[n] as number, lat[n] as number];
          expect(offset(...at(i), ...at(from), ...at(to))).toBeLessThanOrEqual(50.01);
        }
      }
    }),
    { numRuns: volume(4000) },
  );
});

test('packed steps add up to the positions, without drift', () => {
  const lon = Array.from({ length: 500 }, (_, i) => 10 + i * 1e-6 * 0.4);
  const lat = lon.map((value) => value * 3);
  const packed = packLine(lon, lat, thin(lon, lat, 0));
  let sum = 0;
  for (let i = 1; i < packed.length; i += 2) sum += packed[i] as number;
  expect(sum / 1e6).toBeCloseTo(lon.at(-1) as number, 6);
});

test('a track is cut at a gap and continues over the antimeridian', () => {
  const track = trackOf([
    [0, 179.9, 0],
    [1000, -179.9, 0],
    [5000, -179.8, 0],
  ]);
  expect(trackLines(track, 2000)).toEqual([
    { lon: [179.9, expect.closeTo(180.1, 9)], lat: [0, 0] },
    { lon: [-179.8], lat: [0] },
  ]);
});

test('positions are interpolated on the straight line between two fixes, also over the antimeridian', () => {
  const track = trackOf([
    [0, 179.9, 0],
    [1000, -179.9, 1],
  ]);
  expect(positionAtTime(track, 750)).toEqual([0.75, -179.95]);
  expect(positionAtTime(track, -5)).toEqual([0, 179.9]);
  expect(positionAtTime(track, 9999)).toEqual([1, -179.9]);
});
