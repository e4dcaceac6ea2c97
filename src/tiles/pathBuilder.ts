/**
 * Places the vertices of a ring or line on the grid of the world, in units of a tile.
 *
 * An edge, straight in longitude and latitude, is a curve on the map. It is divided into equal parts, whose number depends on the edge
 * alone: not on its direction, the tile, or where the ring begins. So rings with a common border get the same vertices along it. Vertices
 * between two collinear neighbours are left out. Parts of a path that stay on one side of the tile and its buffer are shortened; no others.
 */

import { cosLat } from '../geodesy/ellipsoid.js';
import { DRAWN_LAT, mercatorShare, SNAP, type TileFrame } from './tileFrame.js';

/** Largest distance of a chord from the curve of its edge, units. */
const CHORD_UNITS = 0.5;
/** Bound below which products of whole numbers are exact. */
const EXACT = 2 ** 53;

const WEST = 1;
const EAST = 2;
const SOUTH = 4;
const NORTH = 8;

export class PathBuilder {
  readonly #frame: TileFrame;
  /** Bend of edges, units per degree² of latitude: chord error = bend · sec φ · tan φ · Δφ². */
  readonly #bend: number;
  /** The points so far. The list is reused for each path. */
  readonly #points: number[] = [];
  #length = 0;
  /** The last placed vertex, and a later one that may be left out. */
  #lon = 0;
  #lat = 0;
  #turn = 0;
  #code = -1;
  #nextLon = 0;
  #nextLat = 0;
  #nextTurn = 0;
  #nextCode = -1;

  constructor(frame: TileFrame) {
    this.#frame = frame;
    this.#bend = ((Math.PI / 180) ** 2 * frame.world) / (16 * Math.PI);
  }

  /** Adds a vertex. `turn` counts the turns around the Earth that its longitude lacks. */
  vertex(lon: number, lat: number, turn: number): void {
    const code = this.#codeOf(lon + 360 * turn, lat);
    if (this.#code === -1) {
      this.#placeVertex(lon, lat, turn, code);
      return;
    }
    if (this.#nextCode !== -1 && (this.#code & this.#nextCode & code) === 0) this.#placeNext();
    this.#nextLon = lon;
    this.#nextLat = lat;
    this.#nextTurn = turn;
    this.#nextCode = code;
  }

  /** Adds a point in units of the world, without a curve from the last one. */
  worldPoint(x: number, y: number): void {
    const { left, top } = this.#frame;
    this.#push(SNAP * Math.round(x / SNAP) - left, SNAP * Math.round(y / SNAP) - top);
  }

  /** Ends the path of a ring whose first vertex was added again at its end: x0, y0, x1, y1, …, not closed. */
  ring(): number[] {
    return closedUp(this.line());
  }

  /** Ends the path of a line. */
  line(): number[] {
    if (this.#nextCode !== -1) this.#placeNext();
    const points = this.#points.slice(0, this.#length);
    this.#length = 0;
    this.#code = -1;
    this.#nextCode = -1;
    return points;
  }

  #codeOf(lon: number, lat: number): number {
    const { west, south, east, north } = this.#frame;
    return (lon < west ? WEST : lon > east ? EAST : 0) | (lat < south ? SOUTH : lat > north ? NORTH : 0);
  }

  #placeNext(): void {
    const isOutside = (this.#code & this.#nextCode) !== 0;
    if (!isOutside && this.#lat !== this.#nextLat && this.#lon !== this.#nextLon) this.#placeCurve();
    this.#placeVertex(this.#nextLon, this.#nextLat, this.#nextTurn, this.#nextCode);
    this.#nextCode = -1;
  }

  #placeVertex(lon: number, lat: number, turn: number, code: number): void {
    this.#lon = lon;
    this.#lat = lat;
    this.#turn = turn;
    this.#code = code;
    this.#place(lon, lat, turn);
  }

  #place(lon: number, lat: number, turn: number): void {
    const { world, perDegree, left, top } = this.#frame;
    const x = SNAP * Math.round(((lon + 180) * perDegree) / SNAP) + turn * world - left;
    const y = SNAP * Math.round((mercatorShare(lat) * world) / SNAP) - top;
    this.#push(x, y);
  }

  /** Adds a point. Removes the last point if it equals the new one, or lies straight between its neighbours. */
  #push(x: number, y: number): void {
    const points = this.#points;
    const end = this.#length;
    if (end >= 2) {
      const bx = points[end - 2]!;
      const by = points[end - 1]!;
      if (bx === x && by === y) return;
      if (end >= 4 && isBetween(points[end - 4]!, points[end - 3]!, bx, by, x, y)) {
        points[end - 2] = x;
        points[end - 1] = y;
        return;
      }
    }
    points[end] = x;
    points[end + 1] = y;
    this.#length = end + 2;
  }

  /** Places the inner points of the edge from the last vertex to the next one. */
  #placeCurve(): void {
    const [lat, nextLat] = [this.#lat, this.#nextLat];
    const dLat = Math.abs(nextLat - lat);
    const high = Math.min(DRAWN_LAT, Math.max(Math.abs(lat), Math.abs(nextLat)));
    const cos = cosLat(high);
    const vertical = (this.#bend * dLat * dLat * Math.sqrt(1 - cos * cos)) / (cos * cos);
    if (vertical <= CHORD_UNITS) return;
    const step = this.#nextLon - this.#lon + 360 * (this.#nextTurn - this.#turn);
    // The chord's slope is at least the slope of the map at the lowest latitude.
    const slant = Math.abs(step) / Math.hypot(step, dLat);
    const parts = Math.ceil(Math.sqrt((vertical * slant) / CHORD_UNITS));
    if (parts > 1) this.#placeParts(parts, step);
  }

  #placeParts(parts: number, step: number): void {
    // The points must be equal in both directions, so they start from the western end, whose longitude is wrapped.
    const isForward = step > 0;
    const lon = isForward ? this.#lon : this.#nextLon;
    const lat = isForward ? this.#lat : this.#nextLat;
    const turn = isForward ? this.#turn : this.#nextTurn;
    const dLon = Math.abs(step);
    const dLat = isForward ? this.#nextLat - this.#lat : this.#lat - this.#nextLat;
    const { west, south, east, north } = this.#frame;
    const fromWest = (west - (lon + 360 * turn)) / dLon;
    const fromEast = (east - (lon + 360 * turn)) / dLon;
    const [low, high] = dLat > 0 ? [south, north] : [north, south];
    let from = Math.max(0, fromWest, (low - lat) / dLat);
    let to = Math.min(1, fromEast, (high - lat) / dLat);
    // The curve passes a corner of the box outside it. With one part there, its chords stay outside too.
    if (from > to) from = to = (from + to) / 2;
    const first = Math.max(1, Math.floor(from * parts));
    const last = Math.min(parts - 1, Math.max(first, Math.ceil(to * parts)));
    for (let i = 0; i <= last - first; i++) {
      const part = isForward ? first + i : last - i;
      this.#place(lon + (dLon * part) / parts, lat + (dLat * part) / parts, turn);
    }
  }
}

/** Whether b lies on the segment from a to c. Exact. */
function isBetween(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  const px = bx - ax;
  const py = by - ay;
  const qx = cx - bx;
  const qy = cy - by;
  const product = px * qy;
  return product === py * qx && Math.abs(product) < EXACT && px * qx + py * qy > 0;
}

/** Removes the repeated first point of a ring, and points between collinear neighbours where it closes. */
function closedUp(points: number[]): number[] {
  let end = points.length;
  if (end >= 4 && points[0] === points[end - 2] && points[1] === points[end - 1]) end -= 2;
  points.length = end;
  if (end >= 6) {
    const at = (i: number): [number, number] => [points[i]!, points[i + 1]!];
    if (isBetween(...at(end - 4), ...at(end - 2), ...at(0))) {
      end -= 2;
      points.length = end;
    }
    if (end >= 6 && isBetween(...at(end - 2), ...at(0), ...at(2))) points.splice(0, 2);
  }
  return points;
}
