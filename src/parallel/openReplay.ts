/** Computes the results of one unit for `replay`, in workers and in the caller's thread, and the messages between them. */

import { inputError, isArray, messageOf, WayzoneError } from '../core/errors.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { Trip } from '../core/trip.js';
import { detectTrips } from '../tracks/detectTrips.js';
import { findVisits } from '../tracks/findVisits.js';
import type { FixColumns, FixColumnsData } from '../tracks/fixColumns.js';
import { measureVisits } from '../tracks/ledger/measureVisits.js';
import { meterTrack } from '../tracks/meter/meterTrack.js';
import type { MovementOptions } from '../tracks/movementRules.js';
import { type Rejected, type TrackRules, trackOfColumns } from '../tracks/readTrack.js';
import type { VisitOptions } from '../tracks/visitRules.js';
import { evaluateTrip } from '../trips/follow/evaluateTrip.js';
import { readDay } from '../trips/plan/readDueTrip.js';
import { changesOfRun } from '../trips/terms/readChanges.js';
import type { TripOptions, TripReport } from '../trips/terms/tripReport.js';
import type { ZoneRow } from '../zones/index/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import type { ReplayError, ReplayResult } from './replayOptions.js';

/** Settings of all units, sent to the workers. */
export interface ReplayTask {
  /** The zones as a buffer, or the index itself in the caller's thread. */
  readonly index: ArrayBuffer | SharedArrayBuffer | ZoneIndex<ZoneRow> | null;
  readonly track: TrackRules;
  readonly visits: VisitOptions;
  /** Settings for measuring visits; null: they are not measured. */
  readonly measure: TripDetectorSettings | null;
  readonly movement: { readonly settings: TripDetectorSettings; readonly options: MovementOptions } | null;
  readonly trips: TripOptions | null;
  /** Days `yyyy-MM-dd` whose runs are evaluated; `null`: all. */
  readonly dates: readonly string[] | null;
}

/** Data of a unit besides its fixes. */
export interface UnitOrder {
  readonly unitId: string;
  readonly rejected: Rejected;
  readonly rolledOver: number;
  readonly settings: TripDetectorSettings | null;
  readonly trips: readonly Trip[];
}

type ReplayWork = (columns: FixColumns, order: UnitOrder) => ReplayResult;

export function openReplay({
  index: buffer,
  track,
  visits,
  measure,
  movement,
  trips,
  dates,
}: ReplayTask): ReplayWork {
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
    const read = columns.length + sumOf(order.rejected.counts);
    const own = trackOfColumns(columns, track, order.rejected, order.rolledOver);
    const found = index && attempt(() => findVisits(own, index, visits), null, null);
    const measured =
      found &&
      measure &&
      attempt(() => measureVisits(found, meterTrack(own, order.settings ?? measure, visits)), null, null);
    const moved =
      movement &&
      attempt(() => detectTrips(own, order.settings ?? movement.settings, movement.options), null, null);
    const reports: TripReport[] = [];
    for (const trip of trips === null ? [] : order.trips) {
      for (const date of attempt(() => runsOf(trip, dates), idOf(trip), null) ?? []) {
        const report = attempt(
          () => evaluateTrip(trip, date, own, optionsOf(trip, date, trips!)),
          idOf(trip),
          date,
        );
        if (report !== null) reports.push(report);
      }
    }
    return {
      unitId: order.unitId,
      fixes: { read, used: own.length, rejected: own.rejected, issues: own.issues },
      visits: measured ?? found ?? [],
      movement: moved ?? null,
      trips: reports,
      errors,
    };
  };
}

/** Options of a run, with the changes in the trip's row. */
function optionsOf(trip: Trip, date: string, options: TripOptions): TripOptions {
  const changes = changesOfRun(trip, date);
  const handOver = changes.find(({ type }) => type === 'handOver');
  if (handOver !== undefined)
    throw inputError(
      'change-invalid',
      'changes',
      'no hand-over, as only the fixes of one unit are read; pass the tracks of all units to evaluateTrip',
      handOver.type,
    );
  return changes.length === 0 ? options : { ...options, changes: [...(options.changes ?? []), ...changes] };
}

/** The result of a unit that failed. */
export function failedUnit(unitId: string, read: number, error: unknown): ReplayResult {
  return {
    unitId,
    fixes: { read, used: 0, rejected: {}, issues: [] },
    visits: [],
    movement: null,
    trips: [],
    errors: [replayError(error, null, null)],
  };
}

function sumOf(rejected: Rejected['counts']): number {
  return Object.values(rejected).reduce((sum, count) => sum + count, 0);
}

function replayError(error: unknown, tripId: string | null, date: string | null): ReplayError {
  if (error instanceof WayzoneError) {
    const { code, field, message } = error;
    return { code, field, message, tripId, date };
  }
  const message = messageOf(error);
  return { code: 'input-unreadable', field: '', message, tripId, date };
}

/** The requested days of a trip, without repeats. A date that cannot be read is always included, so that `evaluateTrip` rejects it. */
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

/** The unit id of each trip. Error: `trip-type`. */
export function unitOfTrip(trip: Trip, field: string): string {
  const id: unknown = trip?.unit?.id;
  if (typeof id === 'string') return id;
  throw inputError('trip-type', field, 'a trip with the id of its unit', trip);
}

/** Number of fixes sent at a time. */
export const CHUNK_FIXES = 16_384;

/** Fixes of a job, its completion, or its cancellation. */
export type ReplayMessage =
  | { readonly kind: 'fixes'; readonly job: number; readonly columns: FixColumnsData }
  | { readonly kind: 'finish'; readonly job: number; readonly order: UnitOrder }
  | { readonly kind: 'drop'; readonly job: number };

/** A worker's answer. `null` acknowledges fixes. */
export interface ReplayAnswer {
  readonly job: number;
  readonly result: ReplayResult | null;
}
