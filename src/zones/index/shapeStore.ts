/**
 * The shapes of an index in columns: no object per zone, vertex or edge.
 *
 * A zone is a run of pieces. A piece is a part of a polygon (its rings), a disc, or a run of up to 16 edges of a line; the tree and
 * the cells speak of pieces. The vertices are the exact ones of `readShape`.
 */

import { crossesAntimeridian } from '../../core/angles.js';
import type { Bbox } from '../../core/geometry.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import { lonBoxes } from '../lonBoxes.js';
import { partBounds } from '../polygon.js';
import type { Ring } from '../ring.js';
import type { NormalShape } from '../shape.js';
import { lowerFloat, upperFloat, withRoom } from './columns.js';
import { flatMetric, surelyBeyond, surelyWithin } from './flatMetric.js';
import { lineRunBoxes } from './lineRuns.js';

export const POLYGON = 0;
export const POINT = 1;
export const CIRCLE = 2;
export const LINE = 3;

/** A ring that holds the north pole, the south pole; a hole; a ring with an edge over the antimeridian. */
export const NORTH = 4;
export const SOUTH = 8;
export const HOLE = 16;
export const WRAPS = 32;

/** Edges of a ring under one box. */
export const CHUNK = 16;

/** Edges of a line in one piece. */
export const RUN = 16;

/** Numbers of a disc: lon, lat, metres² per degree² of lon and lat (least, greatest), metres² surely in, metres² surely out. */
export const DISC = 8;

/** Numbers of a chunk's box. */
export const CHUNK_NUMBERS = 4;

export type BoxSink = (piece: number, box: Bbox) => void;

export class ShapeStore {
  coords: Float64Array = new Float64Array(64);
  vertexCount = 0;
  /** First vertex of each ring, and its end. */
  ringFrom: Uint32Array = new Uint32Array(16);
  ringTo: Uint32Array = new Uint32Array(16);
  /** Turns + 1, and the marks above. */
  ringMarks: Uint8Array = new Uint8Array(16);
  /** First chunk of each ring. */
  ringChunk: Uint32Array = new Uint32Array(16);
  ringCount = 0;
  /** Of each chunk of edges: west, south, east, north, rounded outwards. */
  chunkBoxes: Float32Array = new Float32Array(64);
  chunkCount = 0;
  discs: Float64Array = new Float64Array(8);
  discCount = 0;
  pieceZone: Uint32Array = new Uint32Array(16);
  pieceKind: Uint8Array = new Uint8Array(16);
  /** First ring, disc or first vertex. */
  pieceFrom: Uint32Array = new Uint32Array(16);
  /** End of the rings, or last vertex of the run. */
  pieceTo: Uint32Array = new Uint32Array(16);
  /** Of each piece one box around all of it, rounded outwards; over the antimeridian that is all longitudes. */
  pieceBoxes: Float32Array = new Float32Array(64);
  /** Radius or half-width in metres; of a polygon 0. */
  pieceSize: Float64Array = new Float64Array(16);
  pieceCount = 0;
  /** First piece of each zone, by ordinal, and how many; none when the zone is gone. */
  zoneFrom: Uint32Array = new Uint32Array(16);
  zonePieces: Uint32Array = new Uint32Array(16);
  zoneCount = 0;
  /** Vertices of shapes that are gone. */
  deadVertices = 0;
  /** Whether pieces are numbered in order of zone. */
  inOrder = true;
  #isShared = false;

  /** Bytes of all columns. */
  get bytes(): number {
    return [
      this.coords,
      this.ringFrom,
      this.ringTo,
      this.ringMarks,
      this.ringChunk,
      this.chunkBoxes,
      this.discs,
      this.pieceZone,
      this.pieceKind,
      this.pieceFrom,
      this.pieceTo,
      this.pieceSize,
      this.pieceBoxes,
      this.zoneFrom,
      this.zonePieces,
    ].reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Takes in the shape of a zone, new or in place of its old one; `box` hears of each piece's boxes. */
  put(ordinal: number, shape: NormalShape, box: BoxSink): void {
    const first = this.pieceCount;
    if (shape.key === 'polygon') {
      for (const part of shape.parts) this.#putPart(ordinal, part, box);
    } else if (shape.key === 'line') {
      this.#putLine(ordinal, shape.coords, shape.halfWidth, box);
    } else {
      const kind = shape.key === 'point' ? POINT : CIRCLE;
      this.putDisc(ordinal, kind, shape.lon, shape.lat, shape.radius ?? 0, box);
    }
    this.settle(ordinal, first);
  }

  /** The columns are views of their exact length: counts follow from them, and what is written in place is copied first. */
  openColumns(): void {
    this.vertexCount = this.coords.length / 2;
    this.ringCount = this.ringFrom.length;
    this.chunkCount = this.chunkBoxes.length / CHUNK_NUMBERS;
    this.discCount = this.discs.length / DISC;
    this.pieceCount = this.pieceZone.length;
    this.zoneCount = this.zoneFrom.length;
    this.#isShared = true;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.zoneFrom = Uint32Array.from(this.zoneFrom);
    this.zonePieces = Uint32Array.from(this.zonePieces);
  }

  /** Names the pieces from `first` on the zone's own. */
  settle(ordinal: number, first: number): void {
    this.#own();
    this.zoneFrom = withRoom(this.zoneFrom, ordinal + 1);
    this.zonePieces = withRoom(this.zonePieces, ordinal + 1);
    if (ordinal < this.zoneCount) this.inOrder = false;
    this.zoneFrom[ordinal] = first;
    this.zonePieces[ordinal] = this.pieceCount - first;
    this.zoneCount = Math.max(this.zoneCount, ordinal + 1);
  }

  /** Whether a piece belongs to its zone still: not to a shape that was replaced or removed. */
  isAlive(piece: number): boolean {
    const zone = this.pieceZone[piece]!;
    const at = piece - this.zoneFrom[zone]!;
    return at >= 0 && at < this.zonePieces[zone]!;
  }

  piece(ordinal: number, kind: number, from: number, to: number, size: number): number {
    const at = this.pieceCount++;
    if (at >= this.pieceZone.length || at >= this.pieceSize.length) {
      this.pieceZone = withRoom(this.pieceZone, at + 1);
      this.pieceKind = withRoom(this.pieceKind, at + 1);
      this.pieceFrom = withRoom(this.pieceFrom, at + 1);
      this.pieceTo = withRoom(this.pieceTo, at + 1);
      this.pieceSize = withRoom(this.pieceSize, at + 1);
      this.pieceBoxes = withRoom(this.pieceBoxes, 4 * this.pieceZone.length);
    }
    this.pieceZone[at] = ordinal;
    this.pieceKind[at] = kind;
    this.pieceFrom[at] = from;
    this.pieceTo[at] = to;
    this.pieceSize[at] = size;
    const { pieceBoxes } = this;
    pieceBoxes[4 * at] = pieceBoxes[4 * at + 1] = Infinity;
    pieceBoxes[4 * at + 2] = pieceBoxes[4 * at + 3] = -Infinity;
    return at;
  }

  /** Widens the piece's box by one of its boxes, and tells `sink` of that. */
  widen(piece: number, bounds: Bbox, sink: BoxSink): void {
    const { pieceBoxes } = this;
    const at = 4 * piece;
    pieceBoxes[at] = Math.min(pieceBoxes[at]!, lowerFloat(bounds[0]));
    pieceBoxes[at + 1] = Math.min(pieceBoxes[at + 1]!, lowerFloat(bounds[1]));
    pieceBoxes[at + 2] = Math.max(pieceBoxes[at + 2]!, upperFloat(bounds[2]));
    pieceBoxes[at + 3] = Math.max(pieceBoxes[at + 3]!, upperFloat(bounds[3]));
    sink(piece, bounds);
  }

  /** Makes room once for so many zones and vertices. */
  reserve(zones: number, vertices: number): void {
    this.coords = withRoom(this.coords, 2 * vertices);
    this.ringFrom = withRoom(this.ringFrom, zones);
    this.ringTo = withRoom(this.ringTo, zones);
    this.ringMarks = withRoom(this.ringMarks, zones);
    this.ringChunk = withRoom(this.ringChunk, zones);
    this.chunkBoxes = withRoom(this.chunkBoxes, CHUNK_NUMBERS * Math.ceil(vertices / CHUNK + zones / 2));
    this.pieceZone = withRoom(this.pieceZone, zones);
    this.pieceKind = withRoom(this.pieceKind, zones);
    this.pieceFrom = withRoom(this.pieceFrom, zones);
    this.pieceTo = withRoom(this.pieceTo, zones);
    this.pieceSize = withRoom(this.pieceSize, zones);
    this.pieceBoxes = withRoom(this.pieceBoxes, 4 * zones);
    this.zoneFrom = withRoom(this.zoneFrom, zones);
    this.zonePieces = withRoom(this.zonePieces, zones);
  }

  putDisc(ordinal: number, kind: number, lon: number, lat: number, radius: number, box: BoxSink): void {
    const disc = this.discCount++;
    this.discs = withRoom(this.discs, DISC * (disc + 1));
    const piece = this.piece(ordinal, kind, disc, disc + 1, radius);
    const { discs } = this;
    const at = DISC * disc;
    discs[at] = lon;
    discs[at + 1] = lat;
    const metric = flatMetric(lat, lat, radius);
    if (metric === null) {
      // Nothing is sure so near to a pole: every position falls between the two bounds.
      discs[at + 2] = discs[at + 3] = discs[at + 4] = discs[at + 5] = 0;
      discs[at + 6] = -1;
      discs[at + 7] = 1;
    } else {
      const beyond = surelyBeyond(radius);
      const within = surelyWithin(radius);
      discs[at + 2] = metric.lonMin * metric.lonMin;
      discs[at + 3] = metric.latMin * metric.latMin;
      discs[at + 4] = metric.lonMax * metric.lonMax;
      discs[at + 5] = metric.latMax * metric.latMax;
      discs[at + 6] = within < 0 ? -1 : within * within;
      discs[at + 7] = beyond * beyond;
    }
    this.#discBoxes(piece, disc, radius, (_, bounds) => this.widen(piece, bounds, box));
  }

  #discBoxes(piece: number, disc: number, radius: number, box: BoxSink): void {
    const at = DISC * disc;
    const lon = this.discs[at]!;
    const lat = this.discs[at + 1]!;
    const lonMin = Math.sqrt(this.discs[at + 2]!);
    if (lonMin === 0) {
      for (const part of expandBbox([lon, lat, lon, lat], radius)) box(piece, part);
      return;
    }
    const beyond = Math.sqrt(this.discs[at + 7]!) * (1 + 1e-12);
    const x = beyond / lonMin;
    const y = beyond / Math.sqrt(this.discs[at + 3]!);
    if (lon - x > -180 && lon + x < 180) box(piece, [lon - x, lat - y, lon + x, lat + y]);
    else for (const part of lonBoxes(lon - x, lon + x, lat - y, lat + y)) box(piece, part);
  }

  #putPart(ordinal: number, part: readonly Ring[], box: BoxSink): void {
    const from = this.ringCount;
    for (const { coords, turns, pole, hole } of part) {
      const first = this.vertexCount;
      const count = coords.length / 2;
      this.coords = withRoom(this.coords, 2 * (first + count));
      this.coords.set(coords, 2 * first);
      this.vertexCount += count;
      const mark = (pole === 'north' ? NORTH : pole === 'south' ? SOUTH : 0) | (hole ? HOLE : 0);
      this.closeRing(first, turns + 1 + mark);
    }
    const piece = this.piece(ordinal, POLYGON, from, this.ringCount, 0);
    for (const bounds of partBounds(part).boxes) this.widen(piece, bounds, box);
  }

  /** The vertices from `first` on are a ring: boxes its edges by chunks. */
  closeRing(first: number, marks: number): void {
    const end = this.vertexCount;
    const ring = this.ringCount++;
    const chunks = Math.ceil((end - first) / CHUNK);
    this.ringFrom = withRoom(this.ringFrom, ring + 1);
    this.ringTo = withRoom(this.ringTo, ring + 1);
    this.ringMarks = withRoom(this.ringMarks, ring + 1);
    this.ringChunk = withRoom(this.ringChunk, ring + 1);
    this.chunkBoxes = withRoom(this.chunkBoxes, 4 * (this.chunkCount + chunks));
    this.ringFrom[ring] = first;
    this.ringTo[ring] = end;
    this.ringChunk[ring] = this.chunkCount;
    const { coords, chunkBoxes } = this;
    let wraps = 0;
    for (let from = first; from < end; from += CHUNK) {
      let west = coords[2 * from]!;
      let south = coords[2 * from + 1]!;
      let [east, north] = [west, south];
      let lon = west;
      const last = Math.min(from + CHUNK, end);
      for (let i = from + 1; i <= last; i++) {
        const at = 2 * (i < end ? i : first);
        const x = coords[at]!;
        const y = coords[at + 1]!;
        if (crossesAntimeridian(lon, x)) wraps = WRAPS;
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
        lon = x;
      }
      const at = 4 * this.chunkCount++;
      chunkBoxes[at] = lowerFloat(west);
      chunkBoxes[at + 1] = lowerFloat(south);
      chunkBoxes[at + 2] = upperFloat(east);
      chunkBoxes[at + 3] = upperFloat(north);
    }
    this.ringMarks[ring] = marks | wraps;
  }

  #putLine(ordinal: number, coords: Float64Array, halfWidth: number, box: BoxSink): void {
    const first = this.vertexCount;
    const last = coords.length / 2 - 1;
    this.coords = withRoom(this.coords, 2 * (first + last + 1));
    this.coords.set(coords, 2 * first);
    this.vertexCount += last + 1;
    for (let from = 0; from === 0 || from < last; from += RUN) {
      const to = Math.min(last, from + RUN);
      const piece = this.piece(ordinal, LINE, first + from, first + to, halfWidth);
      for (const bounds of lineRunBoxes(coords.subarray(2 * from, 2 * to + 2), halfWidth))
        this.widen(piece, bounds, box);
    }
  }

  /** Takes a zone's shape away; `box` of the tree is for the caller. */
  drop(ordinal: number): void {
    this.#own();
    this.deadVertices += this.verticesOf(ordinal);
    this.zonePieces[ordinal] = 0;
  }

  /** The first piece of a zone and how many it has. */
  piecesOf(ordinal: number): [first: number, count: number] {
    return [this.zoneFrom[ordinal]!, this.zonePieces[ordinal]!];
  }

  /** Vertices of a zone; a disc counts as one. */
  verticesOf(ordinal: number): number {
    let vertices = 0;
    const first = this.zoneFrom[ordinal]!;
    for (let piece = first; piece < first + this.zonePieces[ordinal]!; piece++) {
      const from = this.pieceFrom[piece]!;
      const to = this.pieceTo[piece]!;
      const kind = this.pieceKind[piece]!;
      if (kind === POLYGON) vertices += this.ringTo[to - 1]! - this.ringFrom[from]!;
      else if (kind === LINE) vertices += piece === first ? to - from + 1 : to - from;
      else vertices++;
    }
    return vertices;
  }

  /** The shape of a zone as `readShape` gave it; its coordinates are views. */
  shapeOf(ordinal: number): NormalShape {
    const first = this.zoneFrom[ordinal]!;
    const last = first + this.zonePieces[ordinal]! - 1;
    const kind = this.pieceKind[first]!;
    if (kind === POLYGON) {
      const parts: Ring[][] = [];
      for (let piece = first; piece <= last; piece++) parts.push(this.#partOf(piece));
      return { key: 'polygon', parts };
    }
    if (kind === LINE) {
      const coords = this.coords.subarray(2 * this.pieceFrom[first]!, 2 * this.pieceTo[last]! + 2);
      return { key: 'line', coords, halfWidth: this.pieceSize[first]! };
    }
    const at = DISC * this.pieceFrom[first]!;
    return {
      key: kind === POINT ? 'point' : 'circle',
      lon: this.discs[at]!,
      lat: this.discs[at + 1]!,
      radius: this.pieceSize[first]!,
    };
  }

  #partOf(piece: number): Ring[] {
    const rings: Ring[] = [];
    for (let ring = this.pieceFrom[piece]!; ring < this.pieceTo[piece]!; ring++) {
      const marks = this.ringMarks[ring]!;
      rings.push({
        coords: this.coords.subarray(2 * this.ringFrom[ring]!, 2 * this.ringTo[ring]!),
        turns: (marks & 3) - 1,
        pole: (marks & NORTH) !== 0 ? 'north' : (marks & SOUTH) !== 0 ? 'south' : null,
        hole: (marks & HOLE) !== 0,
      });
    }
    return rings;
  }
}
