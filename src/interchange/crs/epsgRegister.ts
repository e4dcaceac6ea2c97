/** Systems of the EPSG register by their codes, datums by their names, and the comparison of a definition's datum shift with registered ones. */

import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { EPSG_GEOGRAPHIC } from './epsgGeographic.js';
import { EPSG_PROJECTED } from './epsgProjected.js';
import { PROJ_METHODS, plainName } from './projMethods.js';

/** EPSG operation 5044, GOST R 51794-2008, for all of Russia. */
const PULKOVO_1942 = '+ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22';
/** EPSG operation 5043, GOST R 51794-2008. */
const PULKOVO_1995 = '+ellps=krass +towgs84=24.47,-130.89,-81.56,0,0,0.13,-0.22';
/** GOST 32453-2017. EPSG operation 9773 treats it as WGS84, accurate to a metre. */
const GSK_2011 = '+a=6378136.5 +rf=298.2564151 +towgs84=0,0,0,0,0,0,0';
const MERCATOR = '+proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0';
const SINGLE: ReadonlyMap<number, string> = new Map([
  [3857, `${MERCATOR} +a=6378137 +b=6378137 +lat_ts=0 +nadgrids=@null +units=m +no_defs`],
  [3395, `${MERCATOR} +datum=WGS84 +units=m +no_defs`],
  [4284, `+proj=longlat ${PULKOVO_1942} +no_defs`],
  [4200, `+proj=longlat ${PULKOVO_1995} +no_defs`],
  [7683, `+proj=longlat ${GSK_2011} +no_defs`],
]);
/** Gauss-Krüger zones of 6°, by ranges of codes. The number of a zone is its code minus `zero`. */
const GAUSS_KRUEGER: readonly (readonly [first: number, last: number, zero: number, datum: string])[] = [
  [28402, 28432, 28400, PULKOVO_1942],
  [20004, 20032, 20000, PULKOVO_1995],
  [20904, 20932, 20900, GSK_2011],
];
/** Latitudes of comparison for projections whose parameters name none, degrees. */
const LATITUDES = [-70, -50, -30, -10, 10, 30, 50, 70];

/** A datum: its ellipsoid, prime meridian and shift to WGS84. */
export interface Datum {
  /** Equatorial axis, metres. */
  readonly a: number;
  /** Inverse flattening; 0 for a sphere. */
  readonly rf: number;
  /** Prime meridian, degrees from Greenwich. */
  readonly meridian: number;
  /** Degrees per unit of the geographic coordinates. */
  readonly unitDegrees: number;
  /** Three or seven numbers as in `+towgs84`; empty for WGS84 and datums equal to it. */
  readonly shift: string;
  /** Largest error of positions after the shift, metres: 2 for "at most 2", infinite if no shift is known. */
  readonly errorMeters: number;
}

/** A system found by its code: parameters of PROJ without those of the datum. */
export interface RegisteredSystem {
  readonly proj: string;
  readonly datum: Datum;
}

/** A system, or the reason why it is not read: a part that may be read wrongly. */
export type ReadSystem = RegisteredSystem | { readonly refused: string };

/** The datum of a geographic system. `code`: of the system or of the datum, by `of`. */
export function datumByCode(code: number, of: 'system' | 'datum'): Datum | null {
  const pattern = of === 'system' ? `\n${code}\\|` : `\n\\d+\\|${code}\\|`;
  const start = EPSG_GEOGRAPHIC.search(pattern);
  return start < 0 ? null : datumOf(lineAt(EPSG_GEOGRAPHIC, start + 1).split('|'));
}

/** The datum by the name of a geographic system or datum, as the register or ESRI writes it. `rf` distinguishes datums of one name. */
export function datumByName(name: string, a: number, rf: number): Datum | null {
  const short = plainName(name.replace(/^(?:GCS|D)_/, ''));
  if (short === '') return null;
  let best: Datum | null = null;
  let bestPlace = Number.POSITIVE_INFINITY;
  for (const line of EPSG_GEOGRAPHIC.split('\n')) {
    if (!line.includes(short)) continue;
    const columns = line.split('|');
    const place = columns.at(-1)!.split(' ').indexOf(short);
    // The first names are those of the system and its datum; further names may be shared with other datums.
    if (place < 0 || place >= bestPlace) continue;
    const datum = datumOf(columns);
    if (Math.abs(datum.a - a) >= 1 || Math.abs(datum.rf - rf) >= 0.01) continue;
    best = datum;
    bestPlace = place;
  }
  return best;
}

function datumOf(columns: readonly string[]): Datum {
  const [, , a, rf, meridian, unit, shift, error] = columns;
  return {
    a: Number(a),
    rf: Number(rf),
    meridian: Number(meridian),
    unitDegrees: unit === 'g' ? 0.9 : 1,
    shift: shift!,
    errorMeters: metersOf(error!),
  };
}

/** The system of a code; null if it may be read wrongly. */
export function registeredSystem(code: number): RegisteredSystem | null {
  const geographic = datumByCode(code, 'system');
  if (geographic !== null) return { proj: '+proj=longlat', datum: geographic };
  const line = projectedLine(code);
  if (line === undefined) return null;
  const columns = line.split('|');
  return projectedOf(columns, code, datumByCode(Number(columns[1]), 'system')!);
}

/** The projected systems that have the ellipsoid and the prime meridian of a datum, with their codes. */
function* projectedSystems(of: Datum): Generator<readonly [code: number, RegisteredSystem]> {
  const bases = new Map<string, Datum>();
  for (const line of EPSG_GEOGRAPHIC.trim().split('\n')) {
    const base = datumOf(line.split('|'));
    const { a, rf, meridian } = base;
    const isSame =
      Math.abs(a - of.a) < 1 && Math.abs(rf - of.rf) < 0.01 && Math.abs(meridian - of.meridian) < 1e-6;
    if (isSame) bases.set(line.slice(0, line.indexOf('|')), base);
  }
  for (const line of EPSG_PROJECTED.trim().split('\n')) {
    const columns = line.split('|');
    const base = bases.get(columns[1]!);
    if (base === undefined) continue;
    const [first, last = first] = columns[0]!.split('-').map(Number) as [number, number?];
    for (let code = first; code <= last; code++) yield [code, projectedOf(columns, code, base)];
  }
}

/** The system of a code in the range of a line. */
function projectedOf(columns: readonly string[], code: number, datum: Datum): RegisteredSystem {
  const [codes, , method, values, unit = '', shift = '', error = ''] = columns;
  const from = Number.parseInt(codes!, 10);
  const { takes, proj } = PROJ_METHODS.find((one) => one.codes.includes(Number(method)))!;
  const names = takes.map((name) => name.replace('?', ''));
  const parameters = new Map(names.map((name) => [name, name === 'k' ? 1 : 0]));
  for (const [i, text] of values!.split(',').entries()) {
    const [, value, step] = /^(-?[\d.e-]+?)(?:([+-][\d.e-]+))?$/.exec(text)!;
    parameters.set(names[i]!, Number(value) + (code - from) * Number(step ?? 0));
  }
  return {
    proj: `${proj(parameters)!}${unit === '' ? '' : ` +to_meter=${unit}`}`,
    datum: {
      ...datum,
      unitDegrees: 1,
      shift: shift === '' ? datum.shift : shift === '0' ? '' : shift,
      errorMeters: metersOf(error),
    },
  };
}

function projectedLine(code: number): string | undefined {
  return EPSG_PROJECTED.split('\n').find((line) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?\|/.exec(line) ?? [];
    return first !== undefined && code >= Number(first) && code <= Number(last);
  });
}

function lineAt(table: string, from: number): string {
  return table.slice(from, table.indexOf('\n', from));
}

function metersOf(error: string): number {
  return error === '' ? 2 : error === '?' ? Number.POSITIVE_INFINITY : Number(error);
}

/** The definition of `EPSG:<code>` as a proj string; datum shifts are position vector transformations. Null for a code that is not built in. */
export function epsgDefinition(name: string): string | null {
  const digits = /^EPSG:(\d{4,5})$/.exec(name)?.[1];
  if (digits === undefined) return null;
  const code = Number(digits);
  const single = SINGLE.get(code);
  if (single !== undefined) return single;
  const utm = code % 100;
  if (utm >= 1 && utm <= 60 && (code - utm === 32600 || code - utm === 32700)) {
    return `+proj=utm +zone=${utm}${code > 32700 ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`;
  }
  for (const [first, last, zero, datum] of GAUSS_KRUEGER) {
    if (code < first || code > last) continue;
    const zone = code - zero;
    const meridian = zone <= 30 ? 6 * zone - 3 : 6 * zone - 363;
    return `+proj=tmerc +lat_0=0 +lon_0=${meridian} +k=1 +x_0=${zone}500000 +y_0=0 ${datum} +units=m +no_defs`;
  }
  return null;
}

/** The words of proj4 for the shift of a datum. Without a known shift, degrees are not changed, as in PROJ. */
export function shiftWord({ shift, errorMeters }: Datum): string {
  if (errorMeters === Number.POSITIVE_INFINITY) return '+nadgrids=@null';
  return `+towgs84=${shift === '' ? '0,0,0' : shift}`;
}

/** A registered system with the same projection as a definition. */
interface LikeSystem {
  readonly code: number;
  /** Distance of a position shifted by both systems, metres: the least of several places of the projection. */
  readonly gapMeters: number;
  /** Error of the registered shift, metres. */
  readonly errorMeters: number;
}

/** The registered systems of the same projection whose shift is known, the nearest first. Cost: O(size of the register). */
export async function likeSystems({ proj, datum }: RegisteredSystem): Promise<readonly LikeSystem[]> {
  const { default: proj4 } = await import('proj4');
  const own = parametersOf(proj);
  const lon = (own.get('lon_0') ?? 0) + (own.get('lonc') ?? 0) + datum.meridian;
  const lat = [own.get('lat_1'), own.get('lat_0')].find((value = 0) => Math.abs(value) % 90 > 0);
  const places = (lat === undefined ? LATITUDES : [lat]).map((y) => [lon, y]);
  const shifted = (of: Datum): number[][] => {
    const plain = proj4(`+proj=longlat +a=${of.a} +rf=${of.rf} ${shiftWord(of)}`);
    return places.map((place) => plain.inverse(place));
  };
  const stated = shifted(datum);
  const like: LikeSystem[] = [];
  for (const [code, system] of projectedSystems(datum)) {
    const { shift, errorMeters } = system.datum;
    const isUnknown = errorMeters === Number.POSITIVE_INFINITY || (shift === '' && errorMeters > 2);
    if (isUnknown || !isSame(own, parametersOf(system.proj))) continue;
    const gaps = shifted(system.datum).map(([x = 0, y = 0], i) => {
      const [p = 0, q = 0] = stated[i]!;
      return geodesicDistance(x, y, p, q);
    });
    like.push({ code, gapMeters: Math.min(...gaps), errorMeters });
  }
  return like.sort((one, other) => one.gapMeters - other.gapMeters);
}

/** The numbers of a projection that differ from their defaults; a zone of UTM is written as Transverse Mercator. */
function parametersOf(proj: string): Map<string, number> {
  const found = new Map<string, number>();
  let method = '';
  for (const word of proj.split(' ')) {
    const [key = '', value = '1'] = word.slice(1).split('=');
    if (key === 'proj') method = value.replace('etmerc', 'tmerc');
    else if (key === 'axis') method += value;
    else if (key === 'zone') {
      found
        .set('lon_0', 6 * Number(value) - 183)
        .set('k', 0.9996)
        .set('x_0', 500_000);
    } else if (key === 'south') found.set('y_0', 10_000_000);
    else found.set(key === 'k_0' ? 'k' : key, Number(value));
  }
  if (method === 'krovak') found.delete('alpha');
  for (const [key, value] of found) {
    if (value === (key === 'k' || key === 'to_meter' ? 1 : 0)) found.delete(key);
  }
  return found.set(method === 'utm' ? 'tmerc' : method, 1);
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (!(Math.abs(value - (b.get(key) ?? Number.NaN)) <= 1e-6 * Math.max(1, Math.abs(value)))) return false;
  }
  return true;
}
