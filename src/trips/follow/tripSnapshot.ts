/** Writes the state of a `TripTracker` as plain JSON with a version and a checksum, and reads it. */

import { guarded } from '../../core/input.js';
import { type OptionTable, OWN, pickOptions } from '../../core/options.js';
import type { TripInput } from '../../core/trip.js';
import { intakeOf, type PlainIntake, plainIntake } from '../../tracks/fixIntake.js';
import { FIX_OPTIONS } from '../../tracks/fixReader.js';
import { corrupt, openSealed, STATE_VERSION, sealed } from '../../tracks/stream/sealed.js';
import { type JsonOptions, STREAM_OPTIONS, type StreamOptions } from '../../tracks/streamOptions.js';
import { textHash } from '../../tracks/textHash.js';
import type { Dwell } from '../../tracks/visitMachine.js';
import { zonesOf } from '../plan/tripZones.js';
import type { Predictions, PredictionsState } from '../predict/predictions.js';
import { type JournalState, journalState } from '../seen/journalState.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripRun } from '../seen/tripRun.js';
import { checkPoints, type GivenChange, readChange } from '../terms/readChanges.js';
import type { TripAmendment, TripChange } from '../terms/tripChange.js';
import type { TripEvent, TripOptions } from '../terms/tripReport.js';
import { TRIP_OPTIONS } from '../terms/tripRules.js';

/** Plain JSON, so it may be stored as text or in a JSON column of a database. */
export interface TripSnapshot {
  /** Always `trip`. */
  readonly kind: 'trip';
  /** Version of the format. */
  readonly version: number;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** A hash of the fields of the trip that the tracker read. */
  readonly trip: string;
  /** Options of the tracker. */
  readonly options: JsonOptions;
  /** Time of the last `advance`, or `null`. */
  readonly clock: number | null;
  /** State of the unit. */
  readonly unit: object;
  /** The journal so far. */
  readonly journal: object;
  /** The forecasts, or `null`. */
  readonly predictions: object | null;
  /** The changes of the run. */
  readonly changes: readonly object[];
  /** The trip before all amendments, if there are any; else `null`. */
  readonly first: object | null;
  /** The emitted events, each as `[type, time, pointIndex]`. */
  readonly emitted: readonly (readonly [type: TripEvent['type'], time: number, pointIndex: number | null])[];
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** The state of a tracker, and the events that it emitted. */
interface TripState {
  readonly unit: RunUnit;
  readonly journal: TripJournal;
  readonly predictions: Predictions | null;
  /** -Infinity before the first `advance`. */
  readonly clock: number;
  /** In order of `at`. */
  readonly changes: readonly TripChange[];
  /** The trip before all amendments. */
  readonly first: TripInput;
  readonly emitted: readonly TripEvent[];
}

export type SnapshotHead = Pick<TripSnapshot, 'date' | 'trip' | 'options'>;

export function sealTripSnapshot(head: SnapshotHead, state: TripState): TripSnapshot {
  const { unit, journal, predictions, clock, changes, first, emitted } = state;
  const { dwells, ...intake } = unit;
  return sealed({
    kind: 'trip',
    version: STATE_VERSION,
    ...head,
    clock: clock === Number.NEGATIVE_INFINITY ? null : clock,
    unit: { intake: plainIntake(intake), dwells },
    journal: journalState(journal),
    predictions: predictions?.state() ?? null,
    changes,
    first: changes.some(({ type }) => type === 'amend') ? JSON.parse(JSON.stringify(first)) : null,
    emitted: emitted.map(({ type, time, pointIndex }) => [type, time, pointIndex]),
  });
}

/** A snapshot whose seal was checked. */
export interface OpenTripSnapshot extends SnapshotHead {
  readonly clock: number | null;
  readonly unit: { readonly intake: PlainIntake; readonly dwells: Dwell[] };
  readonly journal: JournalState;
  readonly predictions: PredictionsState | null;
  readonly changes: readonly Partial<TripAmendment>[];
  readonly first: TripInput | null;
  readonly emitted: TripSnapshot['emitted'];
}

/** Opens a snapshot or its JSON text. Errors: `state-version` for another version, `state-corrupt` for anything else. */
export function openTripSnapshot(snapshot: unknown): OpenTripSnapshot {
  return openSealed<OpenTripSnapshot>(snapshot, 'trip', 'snapshot');
}

/** The unit of a snapshot. */
export function unitOf({ unit: { intake, dwells } }: OpenTripSnapshot): RunUnit {
  return Object.assign(intakeOf(intake), { dwells });
}

/** The changes of a snapshot. Errors: `state-corrupt` for what no tracker wrote. `points`: their number before all changes. */
export function changesOf({ changes }: OpenTripSnapshot, points: number): GivenChange[] {
  const given = changes.map((one, i) => {
    const field = `snapshot.changes[${i}]`;
    return { field, change: understood(field, () => readChange(one, field)) };
  });
  understood('snapshot.changes', () => checkPoints(given, points));
  return given;
}

function understood<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw corrupt(path, 'a change of the run', error instanceof Error ? error.message : error);
  }
}

/** The head for a run of a trip: the hash covers every field of the trip that was read. */
export function snapshotHead(trip: TripInput, run: TripRun, options: TripTrackerOptions): SnapshotHead {
  const { plan, zones, unitId, passageOrder, activationKind } = run;
  const shapes = guarded('points', () =>
    zonesOf(trip, options).map(({ id: _id, name: _name, type, geometry, width, ...others }) => [
      type.key,
      geometry,
      width,
      // An absent field has no entry, so that the hashes of trips without it do not change.
      ...Object.values(others).filter((value) => value !== undefined),
    ]),
  );
  return {
    date: plan.date,
    trip: textHash(JSON.stringify([plan, zones, unitId, passageOrder, activationKind, shapes])),
    options: trackerOptionsToJson(options),
  };
}

/** Options of a `TripTracker`. */
export interface TripTrackerOptions
  extends Omit<TripOptions, 'now' | 'changes'>,
    Omit<StreamOptions, 'maxUnits'> {}

const { now: _now, changes: _changes, ...RUN_OPTIONS } = TRIP_OPTIONS;

export const TRIP_TRACKER_OPTIONS: OptionTable<TripTrackerOptions> = {
  ...RUN_OPTIONS,
  latenessSeconds: STREAM_OPTIONS.latenessSeconds,
  maxFutureSeconds: STREAM_OPTIONS.maxFutureSeconds,
  maxAheadSeconds: STREAM_OPTIONS.maxAheadSeconds,
  ...FIX_OPTIONS,
};
/** The table of the options of `TripTracker.restore`. */
export const TRIP_RESTORE_OPTIONS: OptionTable<Pick<TripTrackerOptions, 'predict'>> = { predict: OWN };

/** The given options as JSON, without the function `predict`. `Infinity`, which JSON lacks, is written as a text. */
function trackerOptionsToJson(given: TripTrackerOptions): JsonOptions {
  const options: Record<string, number | string | boolean> = {};
  for (const [name, value] of Object.entries(pickOptions(given, TRIP_TRACKER_OPTIONS))) {
    if (name !== 'predict' && value !== null)
      options[name] = value === Number.POSITIVE_INFINITY ? 'Infinity' : (value as number | string | boolean);
  }
  return options;
}
