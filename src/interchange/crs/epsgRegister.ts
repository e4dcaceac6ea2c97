/** Systems of the EPSG register by their codes, and datums by their names. */

import { EPSG_GEOGRAPHIC } from './epsgGeographic.js';
import { EPSG_PROJECTED } from './epsgProjected.js';
import { PROJ_METHODS, plainName } from './projMethods.js';

/** A datum: its ellipsoid, prime meridian and shift to WGS84. */
export interface Datum {
  /** Metres. */
  readonly a: number;
  /** Inverse flattening; 0 for a sphere. */
  readonly rf: number;
  /** Degrees from Greenwich. */
  readonly meridian: number;
  /** Degrees in a unit of the geographic coordinates. */
  readonly unitDegrees: number;
  /** Three or seven numbers as `+towgs84` has them; empty for WGS84 itself and datums equal to it. */
  readonly shift: string;
  /** Metres by which positions may be off after the shift: 2 for "at most 2", infinite if no shift is known. */
  readonly errorMeters: number;
}

/** A system by its code: the parameters of PROJ without those of the datum. */
export interface RegisteredSystem {
  readonly proj: string;
  readonly datum: Datum;
}

/** A system, or what is not known to be read right. */
export type ReadSystem = RegisteredSystem | { readonly refused: string };

/** The datum of a geographic system; `code` is its own or that of its datum. */
export function datumByCode(code: number, of: 'system' | 'datum'): Datum | null {
  const pattern = of === 'system' ? `\n${code}\\|` : `\n\\d+\\|${code}\\|`;
  const start = EPSG_GEOGRAPHIC.search(pattern);
  return start < 0 ? null : datumOf(lineAt(EPSG_GEOGRAPHIC, start + 1).split('|'));
}

/** The datum of a name of a geographic system or datum, as the register or ESRI writes it. `rf` tells datums of one name apart. */
export function datumByName(name: string, a: number, rf: number): Datum | null {
  const short = plainName(name.replace(/^(?:GCS|D)_/, ''));
  if (short === '') return null;
  let best: Datum | null = null;
  let bestPlace = Number.POSITIVE_INFINITY;
  for (const line of EPSG_GEOGRAPHIC.split('\n')) {
    if (!line.includes(short)) continue;
    const columns = line.split('|');
    const place = columns.at(-1)!.split(' ').indexOf(short);
    // The first names are those of the system and the datum, the others may be of further datums too.
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

/** The system of a code; null for one that is not known to be read right. */
export function registeredSystem(code: number): RegisteredSystem | null {
  const geographic = datumByCode(code, 'system');
  if (geographic !== null) return { proj: '+proj=longlat', datum: geographic };
  const line = projectedLine(code);
  if (line === undefined) return null;
  const [codes, base, method, values, unit = '', shift = '', error = ''] = line.split('|');
  const from = Number.parseInt(codes!, 10);
  const { takes, proj } = PROJ_METHODS.find((one) => one.codes.includes(Number(method)))!;
  const names = takes.map((name) => name.replace('?', ''));
  const parameters = new Map(names.map((name) => [name, name === 'k' ? 1 : 0]));
  for (const [i, text] of values!.split(',').entries()) {
    const [, value, step] = /^(-?[\d.e-]+?)(?:([+-][\d.e-]+))?$/.exec(text)!;
    parameters.set(names[i]!, Number(value) + (code - from) * Number(step ?? 0));
  }
  const datum = datumByCode(Number(base), 'system')!;
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
