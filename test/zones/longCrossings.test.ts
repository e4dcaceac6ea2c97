/** Long segments along and across narrow corridors: the intervals in a line are the union of those in each of its edges alone. */

import { expect, test } from 'vitest';
import { type Geozone, type Position, signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';

type Interval = [from: number, to: number];

const lineOf = (geometry: readonly Position[], width: number): Geozone =>
  ({ id: 'z', name: 'z', type: { key: 'line' }, geometry, width }) as unknown as Geozone;

function intervalsIn(zone: Geozone, a: Position, b: Position): Interval[] {
  return new ZoneIndex([zone]).crossing(a, b).map(({ from, to }) => [from, to]);
}

/** The union; gaps of up to `least` are closed. */
function union(intervals: readonly Interval[], least: number): Interval[] {
  const joined: Interval[] = [];
  for (const [from, to] of [...intervals].sort((p, q) => p[0] - q[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + least) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

test('a gap is not lost beside a long stretch inside', () => {
  const geometry: Position[] = wkt('30.0536 57.0653, 30.1315 57.1675, 30.0541 57.0653, 30.3645 57.1027');
  const zone = lineOf(geometry, 11.1);
  const [a, b] = [geometry[0]!, geometry[3]!];
  const at = (t: number): Position => [a[0]! + t * (b[0]! - a[0]!), a[1]! + t * (b[1]! - a[1]!)];
  const found = intervalsIn(zone, a, b);
  expect(found.length).toBe(3);
  for (const t of [0.0004, 0.0008, 0.0012, 0.1]) {
    expect(signedDistanceMeters(zone, at(t))).toBeGreaterThan(0);
    expect(found.some(([from, to]) => from <= t && t <= to)).toBe(false);
  }
});

test('the intervals are the union of those in each edge', () => {
  const random = seeded(1130);
  let cuts = 0;
  for (let n = 0; n < volume(8000); n++) {
    const [west, south] = wkt('30 57, -70.2 -33.4, 13 0.1, 179.7 10')[Math.floor(4 * random())] as [
      number,
      number,
    ];
    const span = [0.004, 0.05, 0.4][Math.floor(3 * random())]!;
    const vertex = (): Position => {
      const lon = west + span * random();
      return [lon > 180 ? lon - 360 : lon, south + span * random()];
    };
    const geometry = Array.from({ length: 2 + Math.floor(20 * random()) }, vertex);
    const width = [2, 11.1, 60][Math.floor(3 * random())]!;
    const pick = (): Position =>
      random() < 0.6 ? geometry[Math.floor(random() * geometry.length)]! : vertex();
    const [a, b] = [pick(), pick()];
    if (a[0] === b[0] && a[1] === b[1]) continue;
    // Gaps and intervals of less than a centimetre, which either side may miss or join.
    const least = 0.01 / (111_000 * Math.hypot(((b[0]! - a[0]! + 540) % 360) - 180, b[1]! - a[1]!) * 0.5);
    const edges = geometry
      .slice(1)
      .flatMap((end, i) => intervalsIn(lineOf([geometry[i]!, end], width), a, b));
    const wide = (list: readonly Interval[]): Interval[] =>
      union(list, least).filter(([from, to]) => to - from > 10 * least);
    const [found, expected] = [wide(intervalsIn(lineOf(geometry, width), a, b)), wide(edges)];
    const message = JSON.stringify([geometry, width, a, b]);
    expect(found.length, message).toBe(expected.length);
    for (const [i, [from, to]] of found.entries()) {
      expect(Math.abs(from - expected[i]![0]), message).toBeLessThan(2 * least);
      expect(Math.abs(to - expected[i]![1]), message).toBeLessThan(2 * least);
    }
    cuts += found.length;
    // An oracle of its own: the sign of the distance, most of all near the ends, where edges meet.
    const all = intervalsIn(lineOf(geometry, width), a, b);
    for (let k = 0; k < 12; k++) {
      const near = 10 ** (-5 * random());
      const t = [random(), near, 1 - near][k % 3]!;
      const lon = a[0]! + t * (((b[0]! - a[0]! + 540) % 360) - 180);
      const excess = signedDistanceMeters(lineOf(geometry, width), [
        lon > 180 ? lon - 360 : lon,
        a[1]! + t * (b[1]! - a[1]!),
      ]);
      if (Math.abs(excess) < 0.01) continue;
      const isInside = all.some(([from, to]) => from <= t && t <= to);
      expect(isInside, `${message} at ${t}: ${excess}`).toBe(excess < 0);
    }
  }
  expect(cuts).toBeGreaterThan(volume(8000));
});
