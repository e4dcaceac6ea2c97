/** What `replay` works out of one unit: the same function in a worker and in the thread of the caller. */

import type { ErrorCode } from '../core/errorCode.js';
import { expected, isArray, WayzoneError } from '../core/errors.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { Trip } from '../core/trip.js';
import { detectTrips, type MovementReport } from '../tracks/detectTrips.js';
import { findVisits } from '../tracks/findVisits.js';
import type { FixColumns } from '../tracks/fixColumns.js';
import type { MovementOptions } from '../tracks/movementSettings.js';
import { type Rejected, type TrackRules, trackOfColumns } from '../tracks/readTrack.js';
import type { Visit, VisitOptions } from '../tracks/visit.js';
import { evaluateTrip } from '../trips/evaluateTrip.js';
import { readDay } from '../trips/readTrip.js';
import type { TripOptions, TripReport } from '../trips/tripReport.js';
import type { ZoneRow } from '../zones/index/types.js';
import { ZoneIndex } from '../zones/zoneIndex.js';

/** What of a unit could not be worked out, and why: the fields of a `WayzoneError`, and the trip that it is about. */
export interface ReplayError {
  /** A stable kebab-case word. */
  readonly code: ErrorCode;
  /** The path of the wrong field. */
  readonly field: string;
  /** What was expected and what was received. */
  readonly message: string;
  /** The trip that could not be evaluated; null: the unit. */
  readonly tripId: string | null;
  /** The run's date; null: all of it. */
  readonly date: string | null;
}

/** The results of one unit. */
export interface UnitReplay {
  /** The unit's. */
  readonly unitId: string;
  /** `read` = `used` + all of `rejected`, that of `readTrack`; of a unit whose fixes cannot be read, `read` alone counts. */
  readonly fixes: { readonly read: number; readonly used: number; readonly rejected: Readonly<Rejected> };
  /** As `findVisits`; `[]` without `zones`. */
  readonly visits: readonly Visit[];
  /** As `detectTrips`; `null` without `movement`. */
  readonly movement: MovementReport | null;
  /** A report for each run of the unit's trips, in the order of `trips` and their `dates`. */
  readonly trips: readonly TripReport[];
  /** What failed; the other results are valid. A unit whose fixes cannot be read has no other results. */
  readonly errors: readonly ReplayError[];
}

/** What holds for all units; it travels to the workers. */
export interface ReplayTask {
  /** The zones as a buffer; or themselves, for a task that stays in its thread. */
  readonly index: ArrayBuffer | SharedArrayBuffer | ZoneIndex<ZoneRow> | null;
  readonly track: TrackRules;
  readonly visits: VisitOptions;
  readonly movement: { readonly settings: TripDetectorSettings; readonly options: MovementOptions } | null;
  readonly trips: TripOptions | null;
  /** Days `yyyy-MM-dd`; `null`: all. */
  readonly dates: readonly string[] | null;
}

/** The data of a unit besides its fixes. */
export interface UnitOrder {
  readonly unitId: string;
  readonly rejected: Rejected;
  readonly rolledOver: number;
  readonly settings: TripDetectorSettings | null;
  readonly trips: readonly Trip[];
}

export type ReplayWork = (columns: FixColumns, order: UnitOrder) => UnitReplay;

export function openReplay({ index: buffer, track, visits, movement, trips, dates }: ReplayTask): ReplayWork {
  const index =
    buffer === null || buffer instanceof ZoneIndex
      ? buffer
      : ZoneIndex.fromBuffer<ZoneRow>(buffer, { verify: false });
  return (columns, order) => {
    const errors: ReplayError[] = [];
    const attempt = <Result>(
      work: () => Result,
      tripId: string | null,
      date: string | null,
    ): Result | null => {
      try {
        return work();
      } catch (error) {
        errors.push(replayError(error, tripId, date));
        return null;
      }
    };
    const read = columns.length + sumOf(order.rejected);
    const own = trackOfColumns(columns, track, order.rejected, order.rolledOver);
    const found = index && attempt(() => findVisits(own, index, visits), null, null);
    const moved =
      movement &&
      attempt(() => detectTrips(own, order.settings ?? movement.settings, movement.options), null, null);
    const reports: TripReport[] = [];
    for (const trip of trips === null ? [] : order.trips) {
      for (const date of attempt(() => runsOf(trip, dates), idOf(trip), null) ?? []) {
        const report = attempt(() => evaluateTrip(trip, date, own, trips!), idOf(trip), date);
        if (report !== null) reports.push(report);
      }
    }
    return {
      unitId: order.unitId,
      fixes: { read, used: own.length, rejected: own.rejected },
      visits: found ?? [],
      movement: moved ?? null,
      trips: reports,
      errors,
    };
  };
}

/** The result of a unit that failed. */
export function failedUnit(unitId: string, read: number, error: unknown): UnitReplay {
  return {
    unitId,
    fixes: { read, used: 0, rejected: {} },
    visits: [],
    movement: null,
    trips: [],
    errors: [replayError(error, null, null)],
  };
}

function sumOf(rejected: Rejected): number {
  return Object.values(rejected).reduce((sum, count) => sum + count, 0);
}

function replayError(error: unknown, tripId: string | null, date: string | null): ReplayError {
  if (error instanceof WayzoneError) {
    const { code, field, message } = error;
    return { code, field, message, tripId, date };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'input-unreadable', field: '', message, tripId, date };
}

/** The wanted days of a trip, each once; what cannot be read as a day is left to `evaluateTrip` to refuse, whatever is wanted. */
function runsOf({ dates }: Trip, wanted: readonly string[] | null): string[] {
  if (!isArray(dates) || dates.length === 0) return [''];
  const days = new Set<string>();
  for (const date of dates as readonly unknown[]) {
    const text = typeof date === 'string' ? date.slice(0, 10) : '';
    if (wanted === null || wanted.includes(text) || !isDay(date)) days.add(text);
  }
  return [...days];
}

function isDay(date: unknown): boolean {
  try {
    readDay(date, 'date');
    return true;
  } catch {
    return false;
  }
}

function idOf({ id }: Trip): string | null {
  return typeof id === 'string' ? id : null;
}

/** The unit's id of each trip; error `trip-type`. */
export function unitOfTrip(trip: Trip, field: string): string {
  const id: unknown = trip?.unit?.id;
  if (typeof id === 'string') return id;
  throw new WayzoneError('trip-type', field, expected('a trip with the id of its unit', trip));
}
