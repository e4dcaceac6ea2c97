/** A prepared zone: a shape in columns, its own or those of an index, with queries of this zone. */

import type { Position } from '../core/geometry.js';
import { readOption } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { edgeDistance, nearerEdgeDistance } from '../geodesy/edgeDistance.js';
import { decidedDistance } from '../geodesy/inverse.js';
import { sublevelIntervals } from '../geodesy/sublevelIntervals.js';
import { MAX_RADIUS_METERS, type NormalShape, readShape } from './readShape.js';
import { settleEnds } from './settleEnds.js';
import {
  boxContains,
  discIntervalsAt,
  kindContains,
  LINE,
  lineIntervalsAt,
  lineOf,
  POLYGON,
  PolygonCuts,
  partMeetsBox,
  putShape,
  ROUND,
  ShapeColumns,
} from './shapes/index.js';
/** Reads and prepares a shape. Errors are those of `readShape`, with `field` before every path. */
export function prepareZone(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): PreparedZone {
  const normal = readShape(shape, options, field);
  const boundary = readOption(ZONE_OPTIONS.boundary, options.boundary, 'options.boundary');
  return prepareNormal(normal, boundary === 'half-open');
}

export function prepareNormal(shape: NormalShape, halfOpen: boolean): PreparedZone {
  const columns = new ShapeColumns();
  putShape(columns, 0, shape);
  return new PreparedZone(columns, 0, halfOpen);
}

/** A prepared shape. Positions must be wrapped, as `readPosition` returns them; they are not checked. Later edits of the zone do not change the shape. */
export class PreparedZone {
  readonly #columns: ShapeColumns;
  /** The zone's pieces. */
  readonly #pieces: Uint32Array;
  readonly #kind: number;
  readonly halfOpen: boolean;

  constructor(columns: ShapeColumns, ordinal: number, halfOpen: boolean) {
    this.#columns = columns;
    const first = columns.zoneFrom[ordinal]!;
    this.#pieces = new Uint32Array(columns.zonePieces[ordinal]!);
    for (let i = 0; i < this.#pieces.length; i++) this.#pieces[i] = first + i;
    this.#kind = columns.pieceKind[first]!;
    this.halfOpen = halfOpen;
  }

  /** A position of each connected part of the zone. */
  get anchors(): Position[] {
    const { coords, rounds, pieceFrom, ringFrom } = this.#columns;
    const kind = this.#kind;
    return Array.from(this.#pieces, (piece): Position => {
      const from = pieceFrom[piece]!;
      if (kind === POLYGON) return [coords[2 * ringFrom[from]!]!, coords[2 * ringFrom[from]! + 1]!];
      if (kind === LINE) return [coords[2 * from]!, coords[2 * from + 1]!];
      return [rounds[ROUND * from]!, rounds[ROUND * from + 1]!];
    });
  }

  /** Whether a polygon with its boundary meets a closed box, which has flushed sides and west ≤ east. Null for a zone of another kind. */
  polygonMeetsBox(west: number, south: number, east: number, north: number): boolean | null {
    if (this.#kind !== POLYGON) return null;
    return this.#pieces.some((piece) => partMeetsBox(this.#columns, piece, west, south, east, north));
  }

  contains(lon: number, lat: number): boolean {
    return this.#contains(lon, lat, this.halfOpen);
  }

  /** Metres to the boundary, negative inside. */
  signedDistanceMeters(lon: number, lat: number): number {
    const columns = this.#columns;
    const first = this.#pieces[0]!;
    const kind = this.#kind;
    const size = columns.pieceSize[first]!;
    if (kind === POLYGON) {
      const meters = this.#borderMeters(lon, lat);
      return meters !== 0 && this.#contains(lon, lat, false) ? -meters : meters;
    }
    if (kind === LINE) return this.#lineMeters(lon, lat) - size;
    return this.#discMeters(lon, lat) - size;
  }

  /** Metres to the zone, 0 inside. Equal to `signedDistanceMeters` outside. */
  distanceMeters(lon: number, lat: number): number {
    // Containment is cheaper than the distance to a border.
    if (this.#kind === POLYGON) return this.#contains(lon, lat, false) ? 0 : this.#borderMeters(lon, lat);
    return Math.max(0, this.signedDistanceMeters(lon, lat));
  }

  /**
   * Fractions `[from0, to0, from1, …]` of the straight lon/lat segment a→b that are inside: ascending, disjoint, closed. The first `from` is 0 if and
   * only if a is inside. The last `to` is 1 if and only if b is inside. A touch has from = to.
   */
  intervals(aLon: number, aLat: number, bLon: number, bLat: number): number[] {
    const columns = this.#columns;
    const pieces = this.#pieces;
    const first = pieces[0]!;
    const kind = this.#kind;
    if (kind === POLYGON)
      return new PolygonCuts(this.halfOpen).intervalsOf(columns, pieces, aLon, aLat, bLon, bLat);
    const [south, north] = [Math.min(aLat, bLat), Math.max(aLat, bLat)];
    const segment = Float64Array.of(
      aLon,
      aLat,
      bLon,
      bLat,
      Math.min(aLon, bLon),
      south,
      Math.max(aLon, bLon),
      north,
    );
    const edges: number[] = [];
    const sure =
      kind === LINE
        ? lineIntervalsAt(columns, pieces, 0, pieces.length, segment, edges)
        : discIntervalsAt(columns, first, segment);
    if (sure !== 2) return sure === 1 ? [0, 1] : [];
    const size = columns.pieceSize[first]!;
    const meters = (lon: number, lat: number): number =>
      kind === LINE ? nearestOf(edges, lon, lat, size) : this.#discMeters(lon, lat);
    const found = sublevelIntervals(meters, size, aLon, aLat, bLon, bLat);
    return settleEnds(found, this.contains(aLon, aLat), this.contains(bLon, bLat));
  }

  #contains(lon: number, lat: number, halfOpen: boolean): boolean {
    const columns = this.#columns;
    return this.#pieces.some(
      (piece) =>
        boxContains(columns, piece, lon, lat) && kindContains(columns, this.#kind, piece, lon, lat, halfOpen),
    );
  }

  /** Metres to the nearest edge of a polygon. Half of a meridian's circumference for the whole Earth, which has no edge. */
  #borderMeters(lon: number, lat: number): number {
    const { coords, pieceFrom, pieceTo, ringFrom, ringTo } = this.#columns;
    let best = MAX_RADIUS_METERS;
    for (const piece of this.#pieces) {
      for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
        for (let at = 2 * ringFrom[ring]!; at < 2 * ringTo[ring]!; at += 2) {
          const [ax, ay, bx, by] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
          // An edge along a pole is a point and no boundary.
          if (ay === by && Math.abs(ay) === 90) continue;
          best = nearerEdgeDistance(best, lon, lat, ax, ay, bx, by);
          if (best === 0) return 0;
        }
      }
    }
    return best;
  }

  /** Metres to the nearest edge of a line. The comparison with the half-width is exact. */
  #lineMeters(lon: number, lat: number): number {
    const columns = this.#columns;
    const halfWidth = columns.pieceSize[this.#pieces[0]!]!;
    const line = lineOf(columns, this.#pieces[0]!, this.#pieces.at(-1)!);
    // A line of one position has one edge of length 0.
    const next = line.length === 2 ? 0 : 2;
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i + next < line.length; i += 2) {
      const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[i + next]!, line[i + next + 1]!];
      best = nearerEdgeDistance(best, lon, lat, ax, ay, bx, by, halfWidth);
    }
    return best;
  }

  /** Metres to the centre of a disc. The comparison with the radius is exact. */
  #discMeters(lon: number, lat: number): number {
    const { rounds, pieceFrom, pieceSize } = this.#columns;
    const at = ROUND * pieceFrom[this.#pieces[0]!]!;
    return decidedDistance(rounds[at]!, rounds[at + 1]!, lon, lat, pieceSize[this.#pieces[0]!]!);
  }
}

/** Metres from a position to the nearest of several edges. The comparison with `limit` is exact. */
function nearestOf(edges: readonly number[], lon: number, lat: number, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < edges.length; i += 4) {
    const meters = edgeDistance(lon, lat, edges[i]!, edges[i + 1]!, edges[i + 2]!, edges[i + 3]!, limit);
    best = Math.min(best, meters);
  }
  return best;
}
