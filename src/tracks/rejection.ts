/** Says why fixes were rejected: for each reason one example, with the field, the received value and what to do. */

import type { RejectReason } from '../core/errorCode.js';
import { describe, isArray } from '../core/errors.js';
import type { Fix, Issue } from '../core/fix.js';
import { positionProblem } from '../core/input.js';

/** The compiler finds a reason that is missing. */
const REASONS: Readonly<Record<RejectReason, true>> = {
  invalid: true,
  'time-implausible': true,
  'zero-island': true,
  duplicate: true,
  accuracy: true,
  satellites: true,
  speed: true,
  jammed: true,
  frozen: true,
  'other-unit': true,
};

/**
 * Every reason to leave a fix out of a track or a stream, as in `track.rejected`.
 *
 * @example
 * ```ts
 * import { REJECT_REASONS } from 'wayzone/tracks';
 * REJECT_REASONS.includes('zero-island'); // true
 * ```
 */
export const REJECT_REASONS: readonly RejectReason[] = Object.freeze(Object.keys(REASONS) as RejectReason[]);

/** The example of one reason. */
export interface RejectionExample {
  /** Of two examples the one of the lower rank is kept: mistakes of a program before noise of a unit. */
  readonly rank: number;
  /** Time of the fix; null if it has none. */
  readonly time: number | null;
  /** `fix.time`. */
  readonly field: string;
  readonly message: string;
}

/** At most one example for each reason, so that the memory does not grow. */
export type Examples = Partial<Record<RejectReason, RejectionExample>>;

/** Fault of a fix, before it is written as text. */
export interface Fault {
  readonly rank: number;
  readonly time: number | null;
  readonly field: string;
  /** The expected value, the received one, and the remedy, as text. */
  readonly message: () => string;
}

/**
 * Keeps the better of the example of a reason and a new fault: by rank, then the earlier one, then by text. The result depends on the set
 * of faults only, not on their order.
 */
export function noteFault(examples: Examples, reason: RejectReason, fault: Fault): void {
  const known = examples[reason];
  const order = known === undefined ? -1 : fault.rank - known.rank || timeOf(fault) - timeOf(known);
  if (order > 0) return;
  const { rank, time, field } = fault;
  const example = { rank, time, field, message: fault.message() };
  if (known === undefined || order < 0 || compareTexts(example, known) < 0) examples[reason] = example;
}

/** Adds the examples of another set. */
export function mergeExamples(into: Examples, from: Examples): void {
  for (const [reason, example] of Object.entries(from) as [RejectReason, RejectionExample][]) {
    const known = into[reason];
    const order =
      known === undefined
        ? -1
        : example.rank - known.rank || timeOf(example) - timeOf(known) || compareTexts(example, known);
    if (order < 0) into[reason] = example;
  }
}

/** One issue for each reason that has an example, with the number of fixes. */
export function issuesOf(
  examples: Examples,
  counts: Partial<Readonly<Record<RejectReason, number>>>,
): Issue[] {
  return (Object.entries(examples) as [RejectReason, RejectionExample][])
    .map(([code, { field, message }]): Issue => {
      const count = counts[code] ?? 1;
      const fixes = count === 1 ? '1 fix is left out' : `${count} fixes are left out for this reason`;
      return { code, severity: 'warning', field, message: `${message} (${fixes})` };
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Fixes without a time come last. */
function timeOf({ time }: { readonly time: number | null }): number {
  return time ?? Number.MAX_VALUE;
}

function compareTexts(a: RejectionExample, b: RejectionExample): number {
  return a.field < b.field ? -1 : a.field > b.field ? 1 : a.message < b.message ? -1 : a.message > b.message ? 1 : 0; // biome-ignore format: one line
}

function wanted(what: string, value: unknown, hint: string = ''): string {
  return `expected ${what}, received ${isDate(value) ? 'a Date' : describe(value)}${hint}`;
}

function isDate(value: unknown): value is Date {
  try {
    return value instanceof Date;
  } catch {
    return false;
  }
}

/** Faults of a fix that `FixReader` calls `invalid`. The fields are as `FixReader` read them. */
export function invalidFault(
  fix: unknown,
  { time, lon, lat }: Readonly<Record<'time' | 'lon' | 'lat', unknown>>,
): Fault {
  const at = typeof time === 'number' && Number.isFinite(time) ? time : null;
  const fault = (rank: number, field: string, message: () => string): Fault => ({
    rank,
    time: at,
    field,
    message,
  });
  if (typeof fix !== 'object' || fix === null || isArray(fix))
    return fault(0, 'fix', () => wanted('an object {time, lon, lat}', fix));
  if (at === null) return fault(1, 'fix.time', () => wanted('epoch milliseconds', time, timeHint(fix, time)));
  if (typeof lat !== 'number' || typeof lon !== 'number') {
    const [name, value] = typeof lat === 'number' ? (['lon', lon] as const) : (['lat', lat] as const);
    return fault(2, `fix.${name}`, () => wanted('a number of degrees', value, degreesHint(fix, name, value)));
  }
  const problem = positionProblem(lon, lat);
  if (problem === null)
    return fault(
      4,
      'fix.valid',
      () => 'expected a valid position, received valid: false from the unit itself',
    );
  return fault(3, problem.code === 'lat-range' ? 'fix.lat' : 'fix.lon', () => problem.message);
}

const NUMERIC = /^\s*[+-]?\d+(?:\.\d*)?\s*$/;

const TIME_NAMES = [
  'timestamp',
  'ts',
  'datetime',
  'dateTime',
  'date',
  'timeMs',
  'time_ms',
  'utc',
  't',
  'Time',
];
const DEGREE_NAMES = {
  lat: ['latitude', 'Latitude', 'Lat', 'LAT', 'y'],
  lon: ['lng', 'longitude', 'long', 'Longitude', 'Lng', 'Lon', 'LON', 'x'],
} as const;
const NESTED_NAMES = ['position', 'coords', 'coordinates', 'location', 'point', 'geometry', 'pos', 'latLng'];

function timeHint(fix: object, time: unknown): string {
  if (isDate(time)) return '; pass date.getTime()';
  if (typeof time === 'bigint') return '; pass Number(time)';
  if (typeof time === 'string') return NUMERIC.test(time) ? '; pass Number(time)' : '; pass Date.parse(time)';
  const other = time === undefined ? presentOf(fix, TIME_NAMES) : null;
  return other === null ? '' : `; rename ${other} to time`;
}

function degreesHint(fix: object, name: 'lat' | 'lon', value: unknown): string {
  if (typeof value === 'string' && NUMERIC.test(value)) return `; pass Number(${name})`;
  if (value !== undefined) return '';
  const renamed = (['lat', 'lon'] as const).flatMap((to) => {
    const from = presentOf(fix, [to]) === null ? presentOf(fix, DEGREE_NAMES[to]) : null;
    return from === null ? [] : [`${from} to ${to}`];
  });
  if (renamed.length > 0) return `; rename ${renamed.join(' and ')}`;
  const nested = presentOf(fix, NESTED_NAMES);
  return nested === null ? '' : `; lat and lon are fields of the fix itself, not of ${nested}`;
}

/** The first of the names that the object has. */
function presentOf(fix: object, names: readonly string[]): string | null {
  try {
    return names.find((name) => name in fix) ?? null;
  } catch {
    return null;
  }
}

const OTHER_UNITS = [
  ['seconds', 1e3, 'multiply by 1000'],
  ['microseconds', 1e-3, 'divide by 1000'],
  ['nanoseconds', 1e-6, 'divide by 1,000,000'],
] as const;

/** A time outside the accepted ones. */
export function timeFault(time: number, earliest: number, latest: number): Fault {
  const fits = (ms: number): boolean => ms >= earliest && ms <= latest;
  const message = (): string => {
    const unit = OTHER_UNITS.find(([, factor]) => fits(time * factor));
    const hint = unit === undefined ? '' : `; ${unit[0]}? ${unit[2]}`;
    return wanted(`epoch milliseconds from ${earliest} to ${latest}`, time, hint);
  };
  return { rank: 1, time, field: 'fix.time', message };
}

/** A time later than its receipt allows (`maxFutureSeconds`). */
export function futureFault(time: number, receivedAt: number, maxFutureMs: number): Fault {
  const hint = `, which was received at ${receivedAt}; check the clock of the unit`;
  const message = (): string => wanted(`a time up to ${receivedAt + maxFutureMs}`, time, hint);
  return { rank: 2, time, field: 'fix.time', message };
}

/** A time far ahead of the other fixes of a unit (`maxAheadSeconds`). */
export function aheadFault(time: number): Fault {
  const hint = '; check the clock of the unit, or pass receivedAt';
  return {
    rank: 3,
    time,
    field: 'fix.time',
    message: () => wanted('a time that the next fix confirms', time, hint),
  };
}

/** A time far from all others of the track (`maxLoneDays`). */
export function loneFault(time: number): Fault {
  const hint =
    ', which is far from all others; check the clock of the unit, or see rolloverWindow and maxLoneDays';
  const message = (): string =>
    wanted('a time near the others of the track', new Date(time).toISOString(), hint);
  return { rank: 4, time, field: 'fix.time', message };
}

/** A position at exactly 0, 0. */
export function zeroFault(time: number): Fault {
  const message = (): string =>
    'expected a position, received 0, 0, which units without reception send; pass keepZeroIsland to keep it';
  return { rank: 0, time, field: 'fix', message };
}

/** A fix that is less accurate than `maxAccuracyMeters`. */
export function accuracyFault(time: number, accuracyMeters: number, maxAccuracyMeters: number): Fault {
  const message = (): string => wanted(`an accuracy of at most ${maxAccuracyMeters} m`, accuracyMeters);
  return { rank: 0, time, field: 'fix.accuracyMeters', message };
}

/** A fix with fewer satellites than `minSatellites`. */
export function satellitesFault(time: number, satellites: number, minSatellites: number): Fault {
  const message = (): string => wanted(`at least ${minSatellites} satellites`, satellites);
  return { rank: 0, time, field: 'fix.satellites', message };
}

type Where = Pick<Fix, 'time' | 'lon' | 'lat'>;

/** A fix of a unit that is not in charge of the run. */
export function otherUnitFault(time: number, unitId: unknown, inCharge: string | null): Fault {
  return {
    rank: 0,
    time,
    field: 'fix.unitId',
    message: () =>
      wanted(`the unit in charge, ${describe(inCharge)}`, unitId, '; hand the run over to it first'),
  };
}

/** A fix that is later than a run looks at fixes. */
export function afterRunFault(time: number, last: number): Fault {
  return {
    rank: 0,
    time,
    field: 'fix.time',
    message: () => wanted(`a time up to a day after the window of the run, ${last}`, time),
  };
}

/** A fix that its neighbours leave out. */
export function neighbourFault(
  reason: 'speed' | 'jammed' | 'frozen',
  { time, lon, lat }: Where,
  maxSpeedKph: number,
): Fault {
  const message = (): string => {
    const fix = `of time ${time} at [${lon}, ${lat}]`;
    const limit = `expected at most ${maxSpeedKph} km/h from the last good fix`;
    const hint = 'raise maxSpeedKph for vehicles as fast';
    if (reason === 'speed') return `${limit}, received a faster fix ${fix}; ${hint}`;
    if (reason === 'jammed')
      return `${limit}, received faster fixes in a row, one ${fix}; the receiver was jammed, or ${hint}`;
    return `expected positions that change while the unit drives, received a repeated one ${fix}; check the receiver`;
  };
  return { rank: 0, time, field: 'fix', message };
}
