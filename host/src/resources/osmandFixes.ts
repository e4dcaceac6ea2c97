/** The fixes of a message of the OsmAnd protocol, read as Traccar's decoder of the protocol reads them. */

import { type Fix, WayzoneError } from 'wayzone';
import { validateFix } from 'wayzone/schemas';
import { withFields } from '../http/refusal.js';

const KPH_OF_KNOT = 1.852;
const KPH_OF_METER_PER_SECOND = 3.6;
/** Maximum number of locations of one message. */
const MOST_LOCATIONS = 1000;

export type Fields = Readonly<Record<string, unknown>>;

/**
 * One fix of flat fields (`lat`, `lon` or `location=lat,lon`), or one for each location of newer clients. A fix that is marked as not
 * valid keeps the mark, so that no track contains it. Throws every field error.
 */
export function osmandFixes(fields: Fields, receivedAt: number): Fix[] {
  const { location } = fields;
  if (typeof location !== 'object' || location === null) return [flatFix(fields, receivedAt)];
  const list = [location].flat() as unknown[];
  if (list.length > MOST_LOCATIONS)
    throw new WayzoneError(
      'limit-fixes',
      'location',
      `expected at most ${MOST_LOCATIONS} locations, received ${list.length}`,
    );
  return list.map((one) => nestedFix(Object(one) as Fields, receivedAt));
}

function flatFix(fields: Fields, receivedAt: number): Fix {
  const parts = text(fields['location'])?.split(',') ?? [];
  const [lat, lon] = parts.length === 2 ? parts.map((part) => numberOf(part.trim())) : [];
  return fixOf({
    time: timeOf(fields['timestamp'], receivedAt),
    lat: lat ?? numberOf(fields['lat']),
    lon: lon ?? numberOf(fields['lon']),
    speedKph: scaled(fields['speed'], KPH_OF_KNOT),
    courseDegrees: numberOf(fields['bearing'] ?? fields['heading']),
    altitudeMeters: numberOf(fields['altitude']),
    accuracyMeters: numberOf(fields['accuracy']),
    batteryPercent: numberOf(fields['batt']),
    ...validOf(fields['valid']),
  });
}

/** `{timestamp, coords: {latitude, longitude, speed (m/s), heading, altitude, accuracy}, battery: {level (0 to 1)}}`. */
function nestedFix(location: Fields, receivedAt: number): Fix {
  const coords = Object(location['coords']) as Fields;
  const { level } = Object(location['battery']) as Fields;
  return fixOf({
    time: timeOf(location['timestamp'], receivedAt),
    lat: numberOf(coords['latitude']),
    lon: numberOf(coords['longitude']),
    speedKph: known(scaled(coords['speed'], KPH_OF_METER_PER_SECOND)),
    courseDegrees: known(numberOf(coords['heading'])),
    altitudeMeters: numberOf(coords['altitude']),
    accuracyMeters: known(numberOf(coords['accuracy'])),
    batteryPercent: known(scaled(level, 100)),
  });
}

function fixOf(fields: Fields): Fix {
  try {
    return validateFix(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  } catch (error) {
    throw withFields(error, (field) => SENT_NAMES[field] ?? field);
  }
}

/** The protocol's names of the fields of a fix. */
const SENT_NAMES: Readonly<Record<string, string>> = {
  time: 'timestamp',
  speedKph: 'speed',
  courseDegrees: 'bearing',
  altitudeMeters: 'altitude',
  accuracyMeters: 'accuracy',
  batteryPercent: 'batt',
};

/** Phones send -1 for a value that they do not know. */
function known(value: number | undefined): number | undefined {
  return value !== undefined && value < 0 ? undefined : value;
}

function scaled(value: unknown, factor: number): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : number * factor;
}

export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** NaN for a value that is not a number; `undefined` for an absent value. */
function numberOf(value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  return Number(text(value) ?? Number.NaN);
}

function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Traccar: `true` and `1` mark a valid position. Any other value marks an invalid position. */
function validOf(value: unknown): { readonly valid?: boolean } {
  if (isAbsent(value)) return {};
  return { valid: value === true || ['true', '1'].includes(text(value)?.toLowerCase() ?? '') };
}

/** Seconds, milliseconds or ISO 8601, by default the time of receipt. */
function timeOf(value: unknown, receivedAt: number): number {
  if (isAbsent(value)) return receivedAt;
  const stamp = text(value) ?? '';
  const given = /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : isoTime(stamp);
  // Present times have 10 digits in seconds, 13 in milliseconds.
  return Math.round(given < 1e11 ? given * 1000 : given);
}

/** Date and time of ISO 8601; UTC without an offset. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Epoch milliseconds; NaN for other texts and for a day that does not exist. `Date.parse` would return a time for both. */
function isoTime(stamp: string): number {
  const [, day = '', time = '00:00', offset = 'Z'] = ISO_TIME.exec(stamp) ?? [];
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(`${day}T${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2').toUpperCase()}`);
}
