/** Parses the geometry of a cell: well-known text, or well-known binary in hexadecimal digits as PostGIS prints it. */

import { readWkb } from '../parquet/geo/readWkb.js';
import { parseWkt, type WktGeometry } from './parseWkt.js';

const EMPTY = { type: 'GeometryCollection', geometries: [] } as const;

/** Whether a cell is WKB or EWKB in hexadecimal digits: a byte order, a type and more. */
export function isHexGeometry(text: string): boolean {
  const digits = text.trim();
  return digits.length >= 18 && digits.length % 2 === 0 && /^(?:\\x)?0[01][0-9A-Fa-f]+$/.test(digits);
}

/** Throws `wkt-syntax`, `wkb-invalid`, `geometry-unsupported`, `limit-depth`. */
export function parseGeometryText(text: string): WktGeometry {
  if (!isHexGeometry(text)) return parseWkt(text);
  const digits = text.trim().replace(/^\\x/, '');
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  const { geometry, srid } = readWkb(bytes);
  return { geometry: { ...(geometry ?? EMPTY) }, srid };
}

/** The position of a point in hexadecimal WKB, WGS84; null for any other text. */
export function hexPoint(text: string): readonly [number, number] | null {
  if (!isHexGeometry(text)) return null;
  try {
    const { geometry, srid } = parseGeometryText(text);
    const [x, y] = (geometry['coordinates'] ?? []) as readonly unknown[];
    const isWgs84 = srid === null || srid === 0 || srid === 4326;
    return geometry['type'] === 'Point' && isWgs84 && typeof x === 'number' && typeof y === 'number'
      ? [x, y]
      : null;
  } catch {
    return null;
  }
}
