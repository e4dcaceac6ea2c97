/** Writes the state of a `TripTracker` as plain JSON with a version and a checksum, and reads it. */

import type { TripInput } from '../../core/trip.js';
import { intakeOf, type PlainIntake, plainIntake } from '../../tracks/fixIntake.js';
import { corrupt, openSealed, STATE_VERSION, sealed } from '../../tracks/stream/sealed.js';
import type { JsonOptions } from '../../tracks/streamOptions.js';
import type { Dwell } from '../../tracks/visitMachine.js';
import type { Predictions, PredictionsState } from '../predict/predictions.js';
import { type JournalState, journalState } from '../seen/journalState.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import { checkPoints, type GivenChange, readChange } from '../terms/readChanges.js';
import type { TripAmendment, TripChange } from '../terms/tripChange.js';
import type { TripEvent } from '../terms/tripReport.js';

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
export interface TripState {
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
