import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import type { Position } from '../../src/index.js';
import { chainsOf } from '../../src/zones/corridor/chainsOf.js';
import { cutAtAntimeridian, PolarChart, SHEET } from '../../src/zones/corridor/chart.js';
import { atArcs } from '../../src/zones/corridor/globeCorridor.js';
import { GlobeCurve } from '../../src/zones/corridor/globeCurve.js';
import { densifyLonLat, fitsMap } from '../../src/zones/corridor/mapCorridor.js';
import { OffsetCurve } from '../../src/zones/corridor/offsetCurve.js';
import { type CorridorInput, readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { seeded, volume } from '../volume.js';
import { LineDistance, moved } from './corridorChecker.js';
import { hardLine, LINE_KINDS, type LineKind } from './lines.js';

/** Closed curves on one map, and the way of a position to that map. */
interface RawCurves {
  readonly rings: readonly ArrayLike<number>[];
  readonly place: (position: Position) => readonly [x: number, y: number];
}

const NO_LIMIT = 1e9;

/** The raw curves of a plan as `mapCorridor` and `globeCorridor` make them, before any union. */
function rawCurves(plan: CorridorInput): RawCurves[] {
  if (fitsMap(plan)) return curvesOnMap(plan);
  const pieces = chainsOf(plan, (line) => atArcs(plan, line, NO_LIMIT));
  const curve = new GlobeCurve(plan, pieces);
  const found: RawCurves[] = [];
  for (let p = 0; p + 1 < pieces.starts.length; p++) {
    const end = pieces.starts[p + 1]! - 1;
    for (let from = pieces.starts[p]!; from < end; ) {
      const pole = curve.poleOf(from);
      let to = from + 1;
      // One edge at a time where a longer part might contain both poles.
      while (to < end && curve.poleOf(to) === pole && curve.freePole(from, to + 1) !== null) to++;
      const chart = pole === null ? SHEET : new PolarChart(pole);
      const around = curve.around(from, to, NO_LIMIT, chart, false, false);
      if (chart instanceof PolarChart) {
        const ring: number[] = [];
        for (let i = 0; i < around.length; i += 2) ring.push(...chart.project(around[i]!, around[i + 1]!));
        found.push({ rings: [ring], place: ([lon, lat]) => chart.project(lon, lat) });
      } else {
        found.push({
          rings: cutAtAntimeridian(around, curve.freePole(from, to) ?? 'south'),
          place: (position) => [position[0], position[1]],
        });
      }
      from = to;
    }
  }
  return found;
}

function curvesOnMap(plan: CorridorInput): RawCurves[] {
  const pieces = chainsOf(plan, (line) => densifyLonLat(plan, line));
  const curve = new OffsetCurve(plan, pieces);
  const rings: Float64Array[] = [];
  for (let p = 0; p + 1 < pieces.starts.length; p++) {
    rings.push(curve.around(pieces.starts[p]!, pieces.starts[p + 1]! - 1, NO_LIMIT, false, false));
  }
  return [{ rings, place: placeNear(plan.coords[0]!) }];
}

/** Puts positions on the map whose longitudes continue around `middle`. */
const placeNear =
  (middle: number) =>
  ([lon, lat]: Position): [number, number] => [lon + 360 * Math.round((middle - lon) / 360), lat];

/** Times that closed rings go counterclockwise around a point. */
function windingNumber(rings: readonly ArrayLike<number>[], [x, y]: readonly [number, number]): number {
  let winding = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = i + 2 < ring.length ? i + 2 : 0;
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!];
      if (ay > y === by > y) continue;
      const isLeft = (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
      if (isLeft === by > ay) winding += by > ay ? 1 : -1;
    }
  }
  return winding;
}

/** Positions where a raw curve may go wrong: at all distances around vertices and edges, and at the corners of bands. */
function* probes(
  line: readonly Position[],
  radius: number,
  count: number,
  random: () => number,
): Generator<Position> {
  for (let k = 0; k < count; k++) {
    const i = Math.floor(random() * line.length);
    const from = line[i]!;
    const to = line[Math.min(line.length - 1, i + 1)]!;
    const [lonSpan, latSpan] = [to[0] - from[0], to[1] - from[1]];
    if (random() < 0.6 && Math.abs(lonSpan) < 180) {
      const along = Math.atan2(lonSpan * Math.cos((from[1] * Math.PI) / 180), latSpan) * (180 / Math.PI);
      const azimuth = along + (random() < 0.5 ? 90 : -90) + (random() - 0.5);
      yield moved(random() < 0.5 ? from : to, azimuth, radius * (1 - 0.5 * random() ** 2));
    } else {
      const share = random() < 0.5 || Math.abs(lonSpan) > 180 ? 0 : random();
      const reach = random() < 0.3 ? 0.97 + 0.06 * random() : 1.1 * random();
      yield moved([from[0] + share * lonSpan, from[1] + share * latSpan], 360 * random(), radius * reach);
    }
  }
}

/** The probes of a line whose winding number around some curves is wrong, or negative. */
function wrongProbes(
  line: readonly Position[],
  { radius, tolerance }: CorridorInput,
  curves: readonly RawCurves[],
  count: number,
  random: () => number,
): string[] {
  const distance = new LineDistance(line);
  const wrong: string[] = [];
  for (const position of probes(line, radius, count, random)) {
    if (Math.abs(position[1]) > 89.9999) continue;
    const windings = curves.map(({ rings, place }) => windingNumber(rings, place(position)));
    const meters = distance.meters(position);
    const isUnclear = Math.abs(meters - radius) <= tolerance;
    const isWound = windings.some((winding) => winding > 0);
    if (windings.some((winding) => winding < 0) || (!isUnclear && isWound !== meters < radius)) {
      wrong.push(`winding ${String(windings)} at ${String(position)}, ${meters} m from the line`);
    }
  }
  return wrong;
}

/**
 * Whether a position is in the band of an edge, in the sector of a bend or in the half disc of an end that is not cut off; null within the
 * margin of any of their borders. On the plane at the position.
 */
function isCovered(
  line: Float64Array,
  [isFromCut, isToCut]: readonly [boolean, boolean],
  [lon, lat]: readonly [number, number],
  radius: number,
  margin: number,
): boolean | null {
  const perLat = 111_132.95 - 559.85 * Math.cos((2 * lat * Math.PI) / 180);
  const perLon = 111_412.88 * Math.cos((lat * Math.PI) / 180) - 93.5 * Math.cos((3 * lat * Math.PI) / 180);
  const xy = Array.from(line, (value, i) => (i % 2 === 0 ? (value - lon) * perLon : (value - lat) * perLat));
  const count = xy.length / 2;
  const isWithin = (slack: number): boolean => {
    for (let i = 0; i < count; i++) {
      const [x, y] = [xy[2 * i]!, xy[2 * i + 1]!];
      // By how much the position is in front of the edge before the vertex, and behind the edge after it.
      const along = (from: number, to: number): number => {
        const [dx, dy] = [xy[2 * to]! - xy[2 * from]!, xy[2 * to + 1]! - xy[2 * from + 1]!];
        return -(x * dx + y * dy) / Math.hypot(dx, dy);
      };
      const before =
        i === 0 ? (isFromCut ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY) : along(i - 1, i);
      const after =
        i + 1 === count ? (isToCut ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY) : along(i, i + 1);
      const isRound = before >= -slack && after <= slack;
      if (isRound && Math.hypot(x, y) <= radius + slack) return true;
      if (i + 1 === count) continue;
      const [dx, dy] = [xy[2 * i + 2]! - x, xy[2 * i + 3]! - y];
      const length = Math.hypot(dx, dy);
      const isBeside = after >= -slack && after <= length + slack;
      if (isBeside && Math.abs(x * dy - y * dx) / length <= radius + slack) return true;
    }
    return false;
  };
  const [least, most] = [isWithin(-margin), isWithin(margin)];
  return least === most ? most : null;
}

describe('the raw curve of a corridor', () => {
  test.each(LINE_KINDS)('%s: winds around exactly the positions within the radius', (kind: LineKind) => {
    for (let seed = 0; seed < volume(2000); seed++) {
      const random = seeded(seed * 31 + kind.length);
      const { line, width } = hardLine(kind, random);
      const plan = readCorridor(line, width, {});
      if (plan.coords.length === 2) continue;
      const wrong = wrongProbes(line, plan, rawCurves(plan), 100, random);
      expect(wrong, `${kind} ${seed}: ${JSON.stringify({ line, width })}`).toEqual([]);
    }
  });

  // The resolver halves lines, and trails of repeated edges end at junctions: there parts are cut off at right angles.
  test.each(LINE_KINDS)(
    '%s: so does the curve around any part, round or cut off at its ends',
    (kind: LineKind) => {
      for (let seed = 0; seed < volume(1500); seed++) {
        const random = seeded(seed * 37 + kind.length);
        const { line, width } = hardLine(kind, random);
        const plan = readCorridor(line, width, {});
        // On the plane the bands of wider corridors, or nearer to a pole, are not right to the tolerance.
        const isFlat = plan.radius / Math.cos((plan.coords[1]! * Math.PI) / 180) < 1000;
        if (plan.coords.length === 2 || !isFlat) continue;
        const coords = densifyLonLat(plan, plan.coords);
        const last = coords.length / 2 - 1;
        const pieces = { coords, starts: Int32Array.of(0, last + 1), ends: new Uint8Array(last + 1) };
        const curve = new OffsetCurve(plan, pieces);
        for (let part = 0; part < 6; part++) {
          const from = Math.floor(random() * last);
          const to = Math.min(last, from + 1 + Math.floor(20 * random()));
          const cuts = [random() < 0.5, random() < 0.5] as const;
          const rings = [curve.around(from, to, NO_LIMIT, ...cuts)];
          const edges = coords.slice(2 * from, 2 * to + 2);
          const line = Array.from(
            { length: to - from + 1 },
            (_, i): Position => [wrapLon(edges[2 * i]!), edges[2 * i + 1]!],
          );
          const place = placeNear(edges[0]!);
          for (const position of probes(line, plan.radius, 40, random)) {
            const at = place(position);
            const winding = windingNumber(rings, at);
            const isInside = isCovered(edges, cuts, at, plan.radius, plan.tolerance);
            const isRight = winding >= 0 && (isInside === null || isInside === winding > 0);
            expect(
              isRight,
              `${kind} ${seed}, winding ${winding} at ${String(at)}: ${JSON.stringify({ line, width, cuts })}`,
            ).toBe(true);
          }
        }
      }
    },
  );
});
