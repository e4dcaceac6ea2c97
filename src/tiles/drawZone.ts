/** Draws one zone in one tile. */

import { crossesAntimeridian } from '../core/angles.js';
import { WayzoneError } from '../core/errors.js';
import { corridorRings } from '../zones/corridor/corridor.js';
import { corridorPlanOf } from '../zones/corridor/readCorridor.js';
import { discOf, lineOf } from '../zones/kinds/index.js';
import { LINE, POLYGON, type ShapeColumns, SOUTH_POLE, WRAPS } from '../zones/shapes/index.js';
import { ARC_UNITS, drawDisc, leastUnitMeters } from './drawDisc.js';
import { clipLine, drawLoop } from './drawLoop.js';
import { PathBuilder } from './pathBuilder.js';
import { type Polygons, soundPolygons } from './soundPolygons.js';
import { HIGH, LOW, type TileFrame } from './tileFrame.js';
import type { TileLine } from './tileWriter.js';
import { isThin } from './zoneSize.js';

/** A zone in one tile, in its units. */
export interface DrawnZone {
  readonly polygons: Polygons;
  /** The zone's borders. */
  readonly lines: readonly TileLine[];
}

/** Least tolerance of a corridor, metres. */
const LEAST_TOLERANCE = 1e-4;

/** Draws zones of a tile one after the other. */
export class ZonePen {
  readonly #frame: TileFrame;
  readonly #path: PathBuilder;

  constructor(frame: TileFrame) {
    this.#frame = frame;
    this.#path = new PathBuilder(frame);
  }

  /** Draws the zone of an ordinal that is not small. Without borders only a zone without an area has lines. */
  draw(columns: ShapeColumns, ordinal: number, hasBorders: boolean): DrawnZone {
    const first = columns.zoneFrom[ordinal]!;
    const end = first + columns.zonePieces[ordinal]!;
    if (columns.pieceKind[first] === LINE && isThin(columns, ordinal, this.#frame)) {
      return { polygons: [], lines: this.#centreLine(lineOf(columns, first, end - 1)) };
    }
    const parts = this.#parts(columns, first, end);
    if (parts === null) return { polygons: [], lines: this.#centreLine(lineOf(columns, first, end - 1)) };
    if (parts.length === 0) return { polygons: [], lines: [] };
    const polygons = soundPolygons(parts);
    return { polygons, lines: hasBorders || polygons.length === 0 ? borderLines(polygons, parts) : [] };
  }

  /** The rings of each piece that reaches the tile. Null for a corridor that crosses itself too often to have an area. */
  #parts(columns: ShapeColumns, first: number, end: number): number[][][] | null {
    const parts: number[][][] = [];
    for (let piece = first; piece < end; piece++) {
      try {
        const rings = this.#rings(columns, piece);
        if (rings.length > 0) parts.push(rings);
      } catch (error) {
        if (error instanceof WayzoneError && error.code === 'limit-vertices') return null;
        throw error;
      }
    }
    return parts;
  }

  #rings(columns: ShapeColumns, piece: number): number[][] {
    const kind = columns.pieceKind[piece]!;
    const rings: number[][] = [];
    if (kind === POLYGON) {
      for (let ring = columns.pieceFrom[piece]!; ring < columns.pieceTo[piece]!; ring++) {
        const first = columns.ringFrom[ring]!;
        const marks = columns.ringMarks[ring]!;
        const loop = {
          coords: columns.coords,
          first,
          count: columns.ringTo[ring]! - first,
          turns: (marks & 3) - 1,
          isSouth: (marks & SOUTH_POLE) !== 0,
          wraps: (marks & WRAPS) !== 0,
        };
        drawLoop(loop, this.#frame, this.#path, rings);
      }
    } else if (kind === LINE) this.#corridor(columns, piece, rings);
    else drawDisc(discOf(columns, piece), this.#frame, this.#path, rings);
    return rings;
  }

  /**
   * Adds the corridor of one run of edges. Together, the corridors of all runs are the corridor of the line. The corridor does not depend on the
   * tile, so that neighbouring tiles get the same one.
   */
  #corridor(columns: ShapeColumns, piece: number, rings: number[][]): void {
    const { pieceBoxes } = columns;
    const frame = this.#frame;
    const box = 4 * piece;
    if (pieceBoxes[box + 1]! > frame.north || pieceBoxes[box + 3]! < frame.south) return;
    if (frame.west >= -180 && frame.east <= 180) {
      if (pieceBoxes[box]! > frame.east || pieceBoxes[box + 2]! < frame.west) return;
    }
    const line = lineOf(columns, piece, piece);
    const halfWidth = columns.pieceSize[piece]!;
    let high = 0;
    for (let i = 1; i < line.length; i += 2) high = Math.max(high, Math.abs(line[i]!));
    const toleranceMeters = Math.max(LEAST_TOLERANCE, ARC_UNITS * leastUnitMeters(high, halfWidth, frame));
    for (const { coords, turns, pole } of corridorRings(
      corridorPlanOf(line, halfWidth, { toleranceMeters }),
    ).rings()) {
      const isSouth = pole === 'south';
      drawLoop(
        { coords, first: 0, count: coords.length / 2, turns, isSouth, wraps: true },
        frame,
        this.#path,
        rings,
      );
    }
  }

  #centreLine(line: ArrayLike<number>): TileLine[] {
    const frame = this.#frame;
    let [west, east] = [Infinity, -Infinity];
    let turn = 0;
    for (let i = 0; i < line.length; i += 2) {
      turn += i === 0 ? 0 : turnBetween(line[i - 2]!, line[i]!);
      west = Math.min(west, line[i]! + 360 * turn);
      east = Math.max(east, line[i]! + 360 * turn);
    }
    const lines: TileLine[] = [];
    const to = Math.floor((frame.east - west) / 360);
    for (let copy = Math.ceil((frame.west - east) / 360); copy <= to; copy++) {
      turn = copy;
      for (let i = 0; i < line.length; i += 2) {
        turn += i === 0 ? 0 : turnBetween(line[i - 2]!, line[i]!);
        this.#path.vertex(line[i]!, line[i + 1]!, turn);
      }
      for (const points of clipLine(this.#path.line())) lines.push({ points, isClosed: false });
    }
    return lines;
  }
}

function turnBetween(from: number, to: number): number {
  if (!crossesAntimeridian(from, to)) return 0;
  return from > to ? 1 : -1;
}

/** The borders of the polygons. For a zone too thin to have borders at this zoom, its rings as lines. */
function borderLines(polygons: Polygons, parts: readonly (readonly number[][])[]): TileLine[] {
  const lines: TileLine[] = [];
  if (polygons.length === 0) {
    for (const ring of parts.flat()) addBorder(ring, lines);
    return lines;
  }
  for (const polygon of polygons) for (const ring of polygon) addBorder(ring, lines);
  return lines;
}

/** Adds the lines of a ring that lie between edges along the border of the buffer. */
function addBorder(ring: readonly number[], lines: TileLine[]): void {
  const count = ring.length;
  let first = -1;
  for (let i = 0; i < count && first < 0; i += 2) if (isAlong(ring, i)) first = i;
  if (first < 0) {
    lines.push({ points: ring, isClosed: true });
    return;
  }
  let line: number[] = [];
  for (let k = 2; k <= count; k += 2) {
    const i = (first + k) % count;
    if (isAlong(ring, i)) {
      if (line.length > 0) lines.push({ points: line, isClosed: false });
      line = [];
      continue;
    }
    const next = (i + 2) % count;
    if (line.length === 0) line.push(ring[i]!, ring[i + 1]!);
    line.push(ring[next]!, ring[next + 1]!);
  }
}

/** Whether the edge that begins at a vertex lies along one side of the buffer's border. */
function isAlong(ring: readonly number[], i: number): boolean {
  const next = i + 2 < ring.length ? i + 2 : 0;
  const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
  return (ax === bx && (ax === LOW || ax === HIGH)) || (ay === by && (ay === LOW || ay === HIGH));
}
