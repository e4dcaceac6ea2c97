/** Reads PROJJSON as parameters of PROJ, or reports a part that may be read wrongly. */

import { isArray } from '../../core/errors.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { type Datum, datumByCode, datumByName, type ReadSystem } from './epsgRegister.js';
import { parameterKey, projMethod } from './projMethods.js';
import { readProjString } from './readProjString.js';

const refuse = (what: string): { readonly refused: string } => ({ refused: what });

/** The code of the EPSG register in the member `id`; null without one. */
export function epsgCode(json: unknown): number | null {
  const id = isRecord(json) ? own(json, 'id') : undefined;
  if (!isRecord(id) || own(id, 'authority') !== 'EPSG') return null;
  const code = Number(own(id, 'code'));
  return Number.isInteger(code) ? code : null;
}

/** Reads a geographic or projected system, also as a part of a compound system or bound to WGS84. */
export function readProjJson(json: PlainRecord, given: string | null = null): ReadSystem {
  switch (own(json, 'type')) {
    case 'CompoundCRS': {
      const components = own(json, 'components');
      const first: unknown = isArray(components) ? components[0] : undefined;
      return isRecord(first) ? readProjJson(first, given) : refuse('no components');
    }
    case 'BoundCRS': {
      const source = own(json, 'source_crs');
      const shift = boundShift(own(json, 'transformation'));
      if (!isRecord(source)) return refuse('no source system');
      return shift === null
        ? refuse('a shift of its datum other than by three or seven parameters')
        : readProjJson(source, shift);
    }
    case 'GeographicCRS':
    case 'GeodeticCRS': {
      const datum = readDatum(json, given);
      if ('refused' in datum) return datum;
      const factor = axisUnit(json);
      if (factor === null) return refuse('axes of one unit');
      return { proj: '+proj=longlat', datum: { ...datum, unitDegrees: (factor * 180) / Math.PI } };
    }
    case 'ProjectedCRS':
      return readProjected(json, given);
    default:
      return refuse('a type other than a geographic or projected system');
  }
}

function readProjected(json: PlainRecord, given: string | null): ReadSystem {
  const base = own(json, 'base_crs');
  const conversion = own(json, 'conversion');
  const method = isRecord(conversion) ? own(conversion, 'method') : undefined;
  if (!isRecord(base) || !isRecord(conversion) || !isRecord(method)) return refuse('no conversion');
  const extension = own(json, 'extension');
  if (typeof extension === 'string') return readProjString(extension);
  const datum = readDatum(base, given);
  if ('refused' in datum) return datum;
  const methodName = textAt(method, 'name');
  const known = projMethod(epsgCode(method), methodName);
  if (known === null) return refuse(`the method ${methodName}`);
  const parameters = new Map<string, number>();
  const list = own(conversion, 'parameters');
  for (const item of isArray(list) ? (list as readonly unknown[]) : []) {
    const name = isRecord(item) ? textAt(item, 'name') : '';
    const key = parameterKey(epsgCode(item), name);
    const isTaken = key !== null && known.takes.some((taken) => taken.replace('?', '') === key);
    if (!isRecord(item) || !isTaken) return refuse(`the parameter ${name} of ${methodName}`);
    const isLength = key === 'x_0' || key === 'y_0';
    const isNumber = isLength || key === 'k' || key === 'auxiliary';
    const factor = unitFactor(own(item, 'unit'), isLength ? 1 : isNumber ? 1 : Math.PI / 180);
    const value = Number(own(item, 'value')) * factor;
    if (!Number.isFinite(value)) return refuse(`a number for ${name}`);
    parameters.set(key, isNumber ? value : Math.round(((value * 180) / Math.PI) * 1e13) / 1e13);
  }
  for (const taken of known.takes) {
    const key = taken.replace('?', '');
    if (parameters.has(key)) continue;
    if (!taken.endsWith('?')) return refuse(`no parameter ${key} of ${methodName}`);
    if (key !== 'gamma') parameters.set(key, key === 'k' ? 1 : 0);
  }
  const proj = known.proj(parameters);
  if (proj === null) return refuse(`these parameters of ${methodName}`);
  const factor = axisUnit(json);
  const axis = axisLetters(json, proj);
  if (factor === null || axis === null) return refuse('these axes');
  return { proj: `${proj}${axis}${factor === 1 ? '' : ` +to_meter=${factor}`}`, datum };
}

/** PROJ's letters for axes other than east and north, in the order of the file; null for unknown axes. */
function axisLetters(json: PlainRecord, proj: string): string | null {
  if (proj.includes('+axis=')) return '';
  const directions = axesOf(json).map((axis) => String(own(axis, 'direction')));
  const [first = '', second = ''] = directions;
  const both = `${first} ${second}`;
  if (both === 'east north' || both === 'north east') return '';
  if (both === 'west south') return ' +axis=wsu';
  if (both === 'south west') return ' +axis=swu';
  // Around a pole both axes run north or south, or text names a meridian.
  const isPolar = /\+lat_0=-?90\b/.test(proj) && /stere|laea/.test(proj);
  return isPolar && /^(?:north|south).* (?:north|south)/.test(both) ? '' : null;
}

function axesOf(json: PlainRecord): PlainRecord[] {
  const system = own(json, 'coordinate_system');
  const axes = isRecord(system) ? own(system, 'axis') : undefined;
  return isArray(axes) ? axes.slice(0, 2).filter(isRecord) : [];
}

/** Unit of both axes, metres or radians; null if the axes have two units. */
function axisUnit(json: PlainRecord): number | null {
  const axes = axesOf(json);
  if (axes.length !== 2) return null;
  const [p, q] = axes.map((axis) => unitFactor(own(axis, 'unit'), Number.NaN)) as [number, number];
  return p === q && p > 0 ? p : null;
}

/** Metres or radians per unit of PROJJSON: a word, or an object with its factor. */
function unitFactor(unit: unknown, otherwise: number): number {
  if (unit === 'metre' || unit === 'unity') return 1;
  if (unit === 'degree') return Math.PI / 180;
  if (unit === undefined) return otherwise;
  return isRecord(unit) ? Number(own(unit, 'conversion_factor')) : Number.NaN;
}

function readDatum(json: PlainRecord, given: string | null): Datum | { readonly refused: string } {
  const stated = own(json, 'datum') ?? own(json, 'datum_ensemble');
  const ellipsoid = isRecord(stated) ? own(stated, 'ellipsoid') : undefined;
  if (!isRecord(stated) || !isRecord(ellipsoid)) return refuse('no datum with an ellipsoid');
  if (own(json, 'extension') !== undefined) return refuse('an EXTENSION of its datum');
  const a = lengthOf(own(ellipsoid, 'semi_major_axis') ?? own(ellipsoid, 'radius'));
  const b = lengthOf(own(ellipsoid, 'semi_minor_axis') ?? Number.NaN);
  const rf = Number(own(ellipsoid, 'inverse_flattening') ?? (Number.isNaN(b) || a === b ? 0 : a / (a - b)));
  if (!(a > 6e6 && a < 7e6 && (rf === 0 || (rf > 200 && rf < 400)))) return refuse('this ellipsoid');
  const meridian = meridianOf(own(stated, 'prime_meridian'));
  if (meridian === null) return refuse('this prime meridian');
  const towgs84 = own(json, 'towgs84');
  const shift = given ?? (isArray(towgs84) ? shiftOf(towgs84.map(Number)) : null);
  const plain = { a, rf, meridian, unitDegrees: 1 };
  if (shift !== null) return { ...plain, shift, errorMeters: 2 };
  const code = epsgCode(json);
  const datumCode = epsgCode(stated);
  const known =
    (code === null ? null : datumByCode(code, 'system')) ??
    (datumCode === null ? null : datumByCode(datumCode, 'datum')) ??
    datumByName(String(own(stated, 'name')), a, rf) ??
    datumByName(String(own(json, 'name')), a, rf);
  if (known === null || Math.abs(known.a - a) > 1 || Math.abs(known.rf - rf) > 0.01)
    return { ...plain, shift: '', errorMeters: Number.POSITIVE_INFINITY };
  return { ...plain, shift: known.shift, errorMeters: known.errorMeters };
}

function lengthOf(value: unknown): number {
  if (!isRecord(value)) return Number(value);
  return Number(own(value, 'value')) * unitFactor(own(value, 'unit'), 1);
}

/** Prime meridian, degrees from Greenwich. */
function meridianOf(stated: unknown): number | null {
  if (stated === undefined) return 0;
  const longitude = isRecord(stated) ? own(stated, 'longitude') : undefined;
  const degrees = isRecord(longitude)
    ? (Number(own(longitude, 'value')) * unitFactor(own(longitude, 'unit'), Math.PI / 180) * 180) / Math.PI
    : Number(longitude);
  if (!(Math.abs(degrees) <= 180)) return null;
  return Math.round(degrees * 1e12) / 1e12;
}

/**
 * The shift in the form of proj4: three or seven numbers (metres, arc seconds, ppm); empty if all are 0. Null for another count, or for a
 * number that is not finite.
 */
function shiftOf(numbers: readonly number[]): string | null {
  if ((numbers.length !== 3 && numbers.length !== 7) || !numbers.every(Number.isFinite)) return null;
  return numbers.every((value) => value === 0) ? '' : numbers.join(',');
}

/** One arc second, radians. */
const ARC_SECOND = Math.PI / 648_000;
/** Units in which PROJ writes translations, rotations and the scale: metres, radians and parts. */
const SHIFT_UNITS = [1, ARC_SECOND, 1e-6] as const;

/** Codes in the register of the parameters of a shift, in the order of PROJ. */
const SHIFTS = [8605, 8606, 8607, 8608, 8609, 8610, 8611];

/** The shift of a bound system: geocentric translations (9603), position vector (9606) and coordinate frame (9607), also of 2D (1031 to 1033). */
function boundShift(transformation: unknown): string | null {
  if (!isRecord(transformation)) return null;
  const method = epsgCode(own(transformation, 'method'));
  if (method === null || ![9603, 9606, 9607, 1031, 1032, 1033].includes(method)) return null;
  const list = own(transformation, 'parameters');
  const isFrame = method === 9607 || method === 1032;
  const numbers = [0, 0, 0, 0, 0, 0, 0];
  for (const item of isArray(list) ? list.filter(isRecord) : []) {
    const at = SHIFTS.indexOf(epsgCode(item) ?? -1);
    if (at < 0) return null;
    const kind = SHIFT_UNITS[at < 3 ? 0 : at < 6 ? 1 : 2]!;
    const unit = own(item, 'unit');
    const value = Number(own(item, 'value'));
    // Well-known text writes the scale as a factor, without a unit or with the unit `unity`.
    const isFactor = at === 6 && !isRecord(unit) && Math.abs(value - 1) < 0.01;
    const amount = isFactor ? value - 1 : value * unitFactor(unit, kind);
    numbers[at] = (amount / kind) * (isFrame && kind === ARC_SECOND ? -1 : 1);
  }
  return shiftOf(numbers);
}

/** The text of a field; empty for another value. */
function textAt(record: PlainRecord, name: string): string {
  const value = own(record, name);
  return typeof value === 'string' ? value : '';
}
