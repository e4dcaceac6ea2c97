import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import type { Position } from '../../src/index.js';
import { PolarChart, SHEET } from '../../src/zones/corridor/chart.js';
import type { CorridorPlan } from '../../src/zones/corridor/corridorPlan.js';
import { densifyLonLat } from '../../src/zones/corridor/densifyLine.js';
import { atBands } from '../../src/zones/corridor/globeCorridor.js';
import { GlobeCurve } from '../../src/zones/corridor/globeCurve.js';
import { fitsMap } from '../../src/zones/corridor/mapCorridor.js';
import { OffsetCurve } from '../../src/zones/corridor/offsetCurve.js';
import { onSheet } from '../../src/zones/corridor/onSheet.js';
import { piecesOf } from '../../src/zones/corridor/pieces.js';
import { readCorridor } from '../../src/zones/corridor/readCorridor.js';
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
function rawCurves(plan: CorridorPlan): RawCurves[] {
  if (fitsMap(plan)) return curvesOnMap(plan);
  const pieces = piecesOf(plan, (line) => atBands(plan, line, NO_LIMIT));
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
          rings: onSheet(around, curve.freePole(from, to) ?? 'south'),
          place: (position) => [position[0], position[1]],
        });
      }
      from = to;
    }
  }
  return found;
}

function curvesOnMap(plan: CorridorPlan): RawCurves[] {
  const pieces = piecesOf(plan, (line) => densifyLonLat(plan, line));
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
  { radius, tolerance }: CorridorPlan,
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
      wrong.push(`winding ${windings} at ${position}, ${meters} m from the line`);
    }
  }
  return wrong;
}

describe('the raw curve of a corridor', () => {
  test.each(LINE_KINDS)('%s: winds around exactly the positions within the radius', (kind: LineKind) => {
    for (let seed = 0; seed < volume(4000); seed++) {
      const random = seeded(seed * 31 + kind.length);
      const { line, width } = hardLine(kind, random);
      const plan = readCorridor(line, width, {});
      if (plan.coords.length === 2) continue;
      const wrong = wrongProbes(line, plan, rawCurves(plan), 100, random);
      expect(wrong, `${kind} ${seed}: ${JSON.stringify({ line, width })}`).toEqual([]);
    }
  });

  // The rest of the line may hide a kite that reaches beyond its two bands. A part alone shows it.
  test.each(LINE_KINDS)('%s: so does the curve around any part', (kind: LineKind) => {
    for (let seed = 0; seed < volume(2000); seed++) {
      const random = seeded(seed * 37 + kind.length);
      const { line, width } = hardLine(kind, random);
      const plan = readCorridor(line, width, {});
      if (plan.coords.length === 2 || !fitsMap(plan)) continue;
      const pieces = piecesOf(plan, (coords) => densifyLonLat(plan, coords));
      const { coords, starts } = pieces;
      const curve = new OffsetCurve(plan, pieces);
      for (let part = 0; part < 6; part++) {
        const piece = Math.floor(random() * (starts.length - 1));
        const [first, last] = [starts[piece]!, starts[piece + 1]! - 1];
        if (last <= first) continue;
        const from = first + Math.floor(random() * (last - first));
        const to = Math.min(last, from + 1 + Math.floor(20 * random()));
        const edges: Position[] = [];
        for (let i = from; i <= to; i++) edges.push([wrapLon(coords[2 * i]!), coords[2 * i + 1]!]);
        const rings = [curve.around(from, to, NO_LIMIT, false, false)];
        // A piece that is cut off at an end is not round there.
        if (pieces.isCut[from] === 1 || pieces.isCut[to] === 1) continue;
        const wrong = wrongProbes(edges, plan, [{ rings, place: placeNear(coords[2 * from]!) }], 40, random);
        expect(wrong, `${kind} ${seed}: ${JSON.stringify({ edges, width })}`).toEqual([]);
      }
    }
  });
});
