/** Writes geometries of zones as well-known binary (OGC 06-103r4 §8), little-endian. */

import type { Position } from '../../../core/geometry.js';
import type { ZoneGeometry } from '../../common/zoneGeometry.js';

const CODES: Readonly<Record<ZoneGeometry['type'], number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiLineString: 5,
  MultiPolygon: 6,
};

export function toWkb({ type, coordinates }: ZoneGeometry): Uint8Array {
  const bytes = new WkbBytes(9 * 4 + 16 * count(coordinates));
  bytes.head(CODES[type]);
  if (type === 'Point') bytes.position(coordinates);
  else if (type === 'LineString') bytes.positions(coordinates);
  else if (type === 'Polygon') bytes.rings(coordinates);
  else {
    bytes.uint32(coordinates.length);
    for (const member of coordinates) {
      bytes.head(type === 'MultiPolygon' ? CODES.Polygon : CODES.LineString);
      if (type === 'MultiPolygon') bytes.rings(member as Position[][]);
      else bytes.positions(member as Position[]);
    }
  }
  return bytes.take();
}

/** Upper bound of the number of positions and of lists around them. */
function count(coordinates: readonly unknown[]): number {
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce<number>((sum, item) => sum + count(item as readonly unknown[]), 1);
}

class WkbBytes {
  readonly #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#view = new DataView(new ArrayBuffer(capacity));
  }

  head(code: number): void {
    this.#view.setUint8(this.#at++, 1);
    this.uint32(code);
  }

  uint32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  position([x, y]: Position): void {
    this.#view.setFloat64(this.#at, x, true);
    this.#view.setFloat64(this.#at + 8, y, true);
    this.#at += 16;
  }

  positions(list: readonly Position[]): void {
    this.uint32(list.length);
    for (const position of list) this.position(position);
  }

  rings(rings: readonly (readonly Position[])[]): void {
    this.uint32(rings.length);
    for (const ring of rings) this.positions(ring);
  }

  take(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#at);
  }
}
