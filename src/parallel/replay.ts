/** Computes visits, movement and trips of every unit of an archive in worker threads. Results come in the order of the units. */

import { availableParallelism } from 'node:os';
import { inputError, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { readOptions } from '../core/options.js';
import type { Trip } from '../core/trip.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import { MOVEMENT_OPTIONS, readMovement } from '../tracks/movementRules.js';
import { readTrackRules } from '../tracks/readTrack.js';
import { readVisitRules, VISIT_OPTIONS } from '../tracks/visitRules.js';
import { notAnIndex } from '../tracks/zoneIndexLike.js';
import { planOf } from '../trips/plan/planTrip.js';
import { dayText, readDay } from '../trips/plan/readDueTrip.js';
import type { TripOptions } from '../trips/terms/tripReport.js';
import { readTripRules, TRIP_OPTIONS } from '../trips/terms/tripRules.js';
import type { ZoneRow } from '../zones/index/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import { isIterable } from './fixFeed.js';
import { type ReplayTask, unitOfTrip } from './openReplay.js';
import { REPLAY_OPTIONS, type ReplayInput, type ReplayOptions, type ReplayResult } from './replayOptions.js';
import { runReplay } from './runReplay.js';
import { MAX_WORKERS, readCount } from './startThread.js';

/**
 * Evaluates a fleet's archive in threads and yields one result per unit, in the order of the units. With any number of threads the results equal
 * `readTrack`, `findVisits`, `detectTrips` and `evaluateTrip` bit for bit. Memory is bounded. Details: docs/guide/archives.md.
 *
 * Errors of one unit or one run are in `errors` of its result. Other units continue. An error while the list of units is read ends the
 * iteration. If you leave the loop, the threads end. A unit that occurs only in `trips` comes last, as a unit without fixes.
 *
 * Errors, thrown at once: `option-type`, `option-value`, `settings-type`, `setting-value`, `tz-unknown`, `date`, `trip-type`, `units-type`,
 * `input-unreadable`, and as `ZoneIndex.toBuffer`; thrown by the iteration: `aborted`. Errors of units: `duplicate-id`, `unit-id`, `fixes-type`,
 * `limit-fixes`, `worker-failed`, and the errors of the four functions. Cost: the cost of the four functions, divided over the threads. The
 * caller's thread reads the fixes.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { replay } from 'wayzone/parallel';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const fixes = [0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 }));
 * const done = [];
 * for await (const unit of replay([{ unitId: 'truck', fixes }], { index, workers: 0 })) done.push(unit);
 * done.map(({ unitId, visits }) => [unitId, visits.length]); // [['truck', 1]]
 * ```
 */
export function replay<Row extends ZoneRow>(
  units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>,
  options: ReplayOptions<Row> = {},
): AsyncGenerator<ReplayResult, void, undefined> {
  return replayOf(units, options, false);
}

/** `replay` for zones that are not edited during the work. Without threads it queries them in place, not copied. */
export function replayUnedited<Row extends ZoneRow>(
  units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>,
  options: ReplayOptions<Row>,
): AsyncGenerator<ReplayResult, void, undefined> {
  return replayOf(units, options, true);
}

function replayOf<Row extends ZoneRow>(
  units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>,
  options: ReplayOptions<Row>,
  isUnedited: boolean,
): AsyncGenerator<ReplayResult, void, undefined> {
  const { maxFixes, ...given } = readOptions(options, REPLAY_OPTIONS) as Given<Row>;
  if (!isIterable(units)) {
    throw inputError('units-type', 'units', 'an iterable of units', units);
  }
  const trips = tripsByUnit(given.trips);
  const workers = readCount(given.workers ?? availableParallelism(), 'workers', 0, MAX_WORKERS);
  return runReplay(units, {
    task: readTask(given, trips !== null, workers, isUnedited && workers === 0),
    trips: trips ?? new Map<string, Trip[]>(),
    workers,
    maxFixes,
    onProgress: given.onProgress,
    signal: given.signal,
  });
}

/** Options given by the caller, with `maxFixes` checked. */
type Given<Row extends ZoneRow> = ReplayOptions<Row> & { readonly maxFixes: number };

function readTask<Row extends ZoneRow>(
  given: ReplayOptions<Row>,
  hasTrips: boolean,
  workers: number,
  keepsZones: boolean,
): ReplayTask {
  const name = given.index === undefined ? 'zones' : 'index';
  const index = given[name];
  if (index !== undefined && !(index instanceof ZoneIndex)) {
    throw notAnIndex(index, `options.${name}`, 'option-type');
  }
  const movement = given.movement;
  const visits =
    copied('visitOptions', given.visitOptions, (own) => {
      checkRunOptions(own, VISIT_OPTIONS);
      readVisitRules(own);
    }) ?? {};
  const track = within('trackOptions', () => readTrackRules(given.trackOptions));
  const movementOptions =
    copied('movementOptions', given.movementOptions, (own) => {
      checkRunOptions(own, MOVEMENT_OPTIONS);
      readMovement(undefined, own);
    }) ?? {};
  const settings = movement === true || movement === undefined ? {} : movement;
  const tripOptions = copiedTripOptions(given.tripOptions, workers);
  if (hasTrips && tripOptions === undefined) {
    throw inputError(
      'option-type',
      'options.tripOptions',
      'options with a time zone, as there are trips',
      tripOptions,
    );
  }
  const dates = given.dates;
  return {
    index: (keepsZones ? index : index?.toBuffer({ shared: true, cells: true })) ?? null,
    track,
    visits,
    measure:
      given.measure === undefined
        ? null
        : copied('measure', given.measure === true ? {} : given.measure, (own) =>
            readMovement(own, undefined),
          )!,
    movement:
      movement === undefined
        ? null
        : {
            settings: copied('movement', settings, (own) => readMovement(own, undefined))!,
            options: movementOptions,
          },
    trips: hasTrips ? tripOptions! : null,
    dates: dates === undefined ? null : readDates(dates),
  };
}

function readDates(dates: unknown): string[] {
  if (!isArray(dates)) throw inputError('option-type', 'options.dates', 'a list of dates', dates);
  return Array.from(dates, (date, i) => dayText(readDay(date, `options.dates[${i}]`)));
}

function checkTripOptions(options: TripOptions): void {
  checkRunOptions(options, TRIP_OPTIONS);
  readTripRules(options);
  const point = { name: '', type: { key: 'point' as const } };
  planOf({ dates: ['2000-01-01'], points: [point] }, '2000-01-01', options);
}

/** Copies the options of trips. `predict` is a function, so it stays in the caller's thread. */
function copiedTripOptions(options: TripOptions | undefined, workers: number): TripOptions | undefined {
  if (typeof options !== 'object' || options === null) {
    return copied('tripOptions', options, checkTripOptions);
  }
  const { predict, ...rest } = guarded('options.tripOptions', () => ({ ...options }));
  const copy = copied('tripOptions', rest as TripOptions, checkTripOptions);
  if (copy === undefined || predict === undefined || predict === null) return copy;
  within('tripOptions', () => readTripRules({ ...copy, predict }));
  if (workers === 0) return { ...copy, predict };
  throw inputError(
    'option-value',
    'options.tripOptions.predict',
    'no function, as none can be handed to worker threads, or workers: 0',
    predict,
  );
}

/** A checked copy that can be sent to a worker. Errors have the field `options.NAME`. */
function copied<Options>(
  name: string,
  options: Options | undefined,
  check: (options: Options) => unknown,
): Options | undefined {
  if (options === undefined) return undefined;
  const copy = guarded(`options.${name}`, () => structuredClone(options));
  within(name, () => check(copy));
  return copy;
}

function within<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code, field, message } = error;
    throw new WayzoneError(code, `options.${name}${field.replace(/^(options|settings)\b/, '')}`, message);
  }
}

function tripsByUnit(trips: Iterable<Trip> | undefined): Map<string, Trip[]> | null {
  if (trips === undefined) return null;
  return guarded('options.trips', () => {
    if (typeof (trips as Partial<Iterable<Trip>> | null)?.[Symbol.iterator] !== 'function') {
      throw inputError('option-type', 'options.trips', 'an iterable of trips', trips);
    }
    const byUnit = new Map<string, Trip[]>();
    let i = 0;
    for (const trip of trips) {
      const unitId = unitOfTrip(trip, `options.trips[${i++}]`);
      const own = byUnit.get(unitId);
      if (own === undefined) byUnit.set(unitId, [trip]);
      else own.push(trip);
    }
    return byUnit;
  });
}
