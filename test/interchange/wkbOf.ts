/** Writes GeoJSON geometries as well-known binary, in each of its dialects. */

export interface WkbForm {
  readonly little: boolean;
  /** `iso`: 1000s for Z and M; `ewkb`: the flags of PostGIS. */
  readonly flavour: 'iso' | 'ewkb';
  readonly z: boolean;
  readonly m: boolean;
  readonly srid?: number;
}

export const PLAIN: WkbForm = { little: true, flavour: 'iso', z: false, m: false };

const KINDS = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
];
const MEMBER: Readonly<Record<string, string>> = {
  MultiPoint: 'Point',
  MultiLineString: 'LineString',
  MultiPolygon: 'Polygon',
};

export interface Json {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Json[];
}

export function wkbOf(geometry: Json, form: WkbForm = PLAIN, isMember: boolean = false): Buffer {
  const { little, flavour, z, m, srid } = form;
  const parts: Buffer[] = [];
  const uint = (value: number): void => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value >>> 0);
    else bytes.writeUInt32BE(value >>> 0);
    parts.push(bytes);
  };
  const position = (pair: readonly number[]): void => {
    const numbers = [pair[0] ?? NaN, pair[1] ?? NaN, ...(z ? [7] : []), ...(m ? [9] : [])];
    const bytes = Buffer.alloc(8 * numbers.length);
    for (const [i, number] of numbers.entries()) {
      if (little) bytes.writeDoubleLE(number, 8 * i);
      else bytes.writeDoubleBE(number, 8 * i);
    }
    parts.push(bytes);
  };
  const list = <T>(items: readonly T[], write: (item: T) => void): void => {
    uint(items.length);
    for (const item of items) write(item);
  };
  const kind = KINDS.indexOf(geometry.type) + 1;
  const hasSrid = srid !== undefined && !isMember;
  parts.push(Buffer.from([little ? 1 : 0]));
  if (flavour === 'iso') uint(kind + (z ? 1000 : 0) + (m ? 2000 : 0));
  else uint(kind | (z ? 0x8000_0000 : 0) | (m ? 0x4000_0000 : 0) | (hasSrid ? 0x2000_0000 : 0));
  if (hasSrid) uint(srid);
  const member = MEMBER[geometry.type];
  const coordinates = geometry.coordinates as never;
  if (geometry.type === 'Point') position(coordinates);
  else if (geometry.type === 'LineString') list(coordinates, position);
  else if (geometry.type === 'Polygon') list(coordinates, (ring: never) => list(ring, position));
  else {
    const members: readonly Json[] =
      member === undefined
        ? geometry.geometries!
        : (coordinates as readonly unknown[]).map((own) => ({ type: member, coordinates: own }));
    list(members, (own) => void parts.push(wkbOf(own, form, true)));
  }
  return Buffer.concat(parts);
}
