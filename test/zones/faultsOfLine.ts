/** Checks the corridor of one line against its contract, for the seeded attacks and their long run. */

import {
  corridor,
  lineToPolygon,
  type MultiPolygon,
  measureZone,
  type Polygon,
  type Position,
} from '../../src/index.js';
import { checkCorridor, LineDistance, partsOf } from './corridorChecker.js';

/** Twice the area of rings in square degrees by the shoelace rule, in whole numbers so that narrow corridors lose no digits. */
function shoelace(rings: readonly (readonly (readonly [number, number])[])[]): number {
  const whole = (degrees: number): bigint =>
    BigInt(Math.round(degrees * 2 ** 44)) * 2n ** 16n +
    BigInt(Math.round((degrees * 2 ** 44 - Math.round(degrees * 2 ** 44)) * 2 ** 16));
  let sum = 0n;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      sum += whole(ring[i - 1]![0]) * whole(ring[i]![1]) - whole(ring[i]![0]) * whole(ring[i - 1]![1]);
    }
  }
  return Number(sum >> 60n) / 2 ** 60;
}

/** Upper bound for the area of a corridor: its bands, its ends, and a sector at each turn. */
function mostArea(line: readonly Position[], width: number, perimeter: number): number {
  const length = measureZone({ type: { key: 'line' }, geometry: line, width: 1 }).length!;
  const vertices = line.length;
  const tolerance = Math.max(0.01, width / 2000);
  return (
    1.02 * (length * width + (Math.PI * width * width * Math.max(1, vertices - 1)) / 4) +
    tolerance * perimeter
  );
}

/** Checks all parts of the contract of a corridor on one line, and returns the faults as texts. */
export function faultsOfLine(line: readonly Position[], width: number, random: () => number): string[] {
  const polygon: Polygon | MultiPolygon = corridor(line, width);
  const parts = partsOf(polygon);
  const faults: string[] = [];
  const tolerance = Math.max(0.01, width / 2000);
  const { boundaryMeters, wrong, invalid } = checkCorridor(line, width, polygon, {
    samples: 40,
    probes: 12,
    random,
  });
  faults.push(...invalid);
  if (!(boundaryMeters <= tolerance)) faults.push(`boundary ${boundaryMeters / tolerance} tolerances off`);
  if (wrong.length > 0) faults.push(`wrong side ${String(wrong[0])}`);
  const distance = new LineDistance(line);
  const positions = parts.flat(2);
  for (let i = 0; i < positions.length; i += Math.ceil(positions.length / 60)) {
    const [lon, lat] = positions[i]!;
    if (Math.abs(lon) === 180 || Math.abs(lat) === 90) continue;
    const meters = distance.meters([lon, lat]);
    if (!(meters <= width / 2 + tolerance)) faults.push(`${lon} ${lat} is ${meters} m away`);
  }
  const measured = measureZone({ type: { key: 'line' }, geometry: line, width });
  if (!(measured.area! <= mostArea(line, width, measured.perimeter!))) faults.push(`area ${measured.area}`);
  const { polygon_geometry: ring } = lineToPolygon({ width, geometry: line });
  const share = shoelace([ring]) / shoelace(parts.flat());
  if (!(Math.abs(share - 1) <= 1e-9)) faults.push(`flat ring ${share}`);
  return faults;
}
