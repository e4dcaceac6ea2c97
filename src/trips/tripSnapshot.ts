/** Writes the state of a `TripTracker` as plain JSON with a version and a checksum, and reads it. */

import { guarded } from '../core/input.js';
import { corrupt, type StateReader } from '../tracks/stateReader.js';
import type { JsonOptions } from '../tracks/streamOptions.js';
import { readSnapshot } from '../tracks/streamSnapshot.js';
import { textHash } from '../tracks/textHash.js';
import { unitFromJson, unitToJson, type VisitUnit } from '../tracks/visitUnit.js';
import { journalToJson, readJournal, readSettlements } from './journalToJson.js';
import { type PredictionRules, type Predictions, readEvent, readPredictions } from './predictions.js';
import { checkPoints, type GivenChange, readChange } from './readChanges.js';
import type { Settlement } from './settlement.js';
import type { TripChange } from './tripChange.js';
import type { TripJournal } from './tripJournal.js';
import type { TripEvent } from './tripReport.js';

const VERSION = 6;
/** Versions that are read: 5 has no hand-overs, and is as 6 otherwise. */
const READ = [5, VERSION];

/** Plain JSON, so it may be stored as text or in a JSON column of a database. */
export interface TripSnapshot {
  /** Always `trip`. */
  readonly kind: 'trip';
  /** Version of the format. */
  readonly version: number;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** A hash of the fields that the tracker read of its trip. */
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
  /** The emitted events. */
  readonly told: readonly object[];
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** The state of a tracker, and the events that it emitted. */
export interface TripState {
  readonly unit: VisitUnit;
  readonly journal: TripJournal;
  predictions: Predictions | null;
  clock: number;
  /** In order of `at`. */
  changes: readonly TripChange[];
  emitted: readonly TripEvent[];
}

export type SnapshotHead = Pick<TripSnapshot, 'date' | 'trip' | 'options'>;

export function sealTripSnapshot(
  head: SnapshotHead,
  state: TripState,
  version: number = VERSION,
): TripSnapshot {
  const body = {
    kind: 'trip',
    version,
    date: head.date,
    trip: head.trip,
    options: head.options,
    clock: state.clock === Number.NEGATIVE_INFINITY ? null : state.clock,
    unit: unitToJson(state.unit),
    journal: journalToJson(state.journal),
    predictions: state.predictions?.toJson() ?? null,
    changes: state.changes.map((change) => ({ ...change })),
    told: state.emitted.map(({ type, time, pointIndex }) => ({ type, time, pointIndex })),
  } as const;
  return { ...body, checksum: textHash(JSON.stringify(body)) };
}

/** Opens a snapshot or its JSON text. Errors: `state-version` for another version, `state-corrupt` for anything else. */
export function openTripSnapshot(snapshot: unknown): {
  readonly head: SnapshotHead;
  readonly body: StateReader;
} {
  return guarded('snapshot', () => {
    const body = readSnapshot(snapshot, 'trip', READ);
    const options = body.child('options').scalars();
    return { head: { date: body.text('date'), trip: body.text('trip'), options }, body };
  });
}

/**
 * Reads the state of an opened snapshot. `journalOf` makes a journal to which the changes' amendments were applied as far as they are settled;
 * `rulesOf` is called if the tracker made forecasts. `state-corrupt` unless every field was understood.
 */
export function readTripState(
  { head, body }: ReturnType<typeof openTripSnapshot>,
  journalOf: (changes: readonly GivenChange[], settlements: readonly Settlement[]) => TripJournal,
  rulesOf: (changes: readonly TripChange[], journal: TripJournal) => PredictionRules,
  points: number,
): TripState {
  return guarded('snapshot', () => {
    const given = changesOf(body, points);
    const changes = given.map(({ change }) => change);
    const journal = journalOf(given, readSettlements(body.child('journal')));
    readJournal(body.child('journal'), journal);
    const forecast = body.childOrNull('predictions');
    const state: TripState = {
      clock: body.timeOr('clock', Number.NEGATIVE_INFINITY),
      unit: unitFromJson(body.child('unit')),
      journal,
      predictions: forecast && readPredictions(forecast, rulesOf(changes, journal)),
      changes,
      emitted: body.children('told').map(readEvent),
    };
    const { checksum } = sealTripSnapshot(head, state, body.number('version'));
    if (checksum === body.text('checksum')) return state;
    throw corrupt('snapshot.checksum', `the checksum of the rest, ${checksum}`, body.text('checksum'));
  });
}

/** `state-corrupt` for what no tracker wrote. */
function changesOf(body: StateReader, points: number): GivenChange[] {
  const given = body.children('changes').map((child) => ({
    field: child.path,
    change: understood(child.path, () => readChange(child.plainSelf(), child.path)),
  }));
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
