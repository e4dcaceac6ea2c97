import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMeters } from '../../src/index.js';
import { packReplay, REPLAY_TOLERANCE_METERS } from '../../src/report/trackLines.js';
import { trackOf } from './sample.js';

const GAP = 600_000;
/** Half a step of latitude and longitude, and the curve of the Earth. */
const ROUNDING = 1.5;

/** Reads the pieces by running sums. */
function read(pieces: readonly (readonly number[])[]): [seconds: number, lat: number, lon: number][][] {
  return pieces.map((piece) => {
    let own: [number, number, number] = [0, 0, 0];
    const list: [number, number, number][] = [];
    for (let i = 0; i < piece.length; i += 3) {
      own = [own[0] + piece[i]!, own[1] + piece[i + 1]!, own[2] + piece[i + 2]!];
      list.push([own[0], own[1] / 1e5, own[2] / 1e5]);
    }
    return list;
  });
}

const walk = fc.array(
  fc.record({
    seconds: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 120 }) }, fc.constant(7200)),
    east: fc.integer({ min: -800, max: 800 }),
    north: fc.integer({ min: -800, max: 800 }),
    stands: fc.boolean(),
  }),
  { minLength: 1, maxLength: 80 },
);

test('at each fix the replayed unit is within the tolerance, and gaps end a piece', () => {
  fc.assert(
    fc.property(walk, fc.constantFrom(0, 55, -70), fc.constantFrom(10, 179.998), (steps, lat0, lon0) => {
      let [time, lat, lon]: [number, number, number] = [1_700_000_000_000, lat0, lon0];
      const fixes: [number, number, number][] = [[time, lon, lat]];
      let gaps = 0;
      for (const { seconds, east, north, stands } of steps) {
        time += 1000 * seconds;
        if (1000 * seconds > GAP) gaps++;
        if (!stands) {
          lat += north / 111_000;
          lon += east / 111_000;
          lon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        }
        fixes.push([time, lon, lat]);
      }
      const pieces = read(packReplay(trackOf(fixes), GAP, fixes[0]![0]));
      expect(pieces).toHaveLength(gaps + 1);
      for (const [at, fixLon, fixLat] of fixes) {
        const second = (at - fixes[0]![0]) / 1000;
        const piece = pieces.find((own) => own[0]![0] <= second && second <= own.at(-1)![0])!;
        const next = piece.findIndex(([own]) => own >= second);
        const [b, a] = [piece[next]!, piece[Math.max(0, next - 1)]!];
        const share = b[0] === a[0] ? 0 : (second - a[0]) / (b[0] - a[0]);
        const place: [number, number] = [a[2] + share * (b[2] - a[2]), a[1] + share * (b[1] - a[1])];
        place[0] = place[0] > 180 ? place[0] - 360 : place[0] < -180 ? place[0] + 360 : place[0];
        expect(distanceMeters(place, [fixLon, fixLat])).toBeLessThan(
          1.01 * REPLAY_TOLERANCE_METERS + ROUNDING,
        );
      }
    }),
  );
});

test('a long stay keeps its two ends only', () => {
  const fixes = Array.from({ length: 200 }, (_, i): [number, number, number] => [i * 30_000, 10, 50]);
  const moved: [number, number, number][] = [...fixes, [200 * 30_000, 10.02, 50]];
  const [piece] = read(packReplay(trackOf(moved), GAP, 0));
  expect(piece!.map(([seconds]) => seconds)).toEqual([0, 199 * 30, 200 * 30]);
});

test('no fix, no piece', () => {
  expect(packReplay(trackOf([]), GAP, 0)).toEqual([]);
});
