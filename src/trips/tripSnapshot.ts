/** The state of a `TripTracker` as plain JSON with a version and a checksum, and back. */

import { guarded } from '../core/input.js';
import { corrupt, type StateReader } from '../tracks/stateReader.js';
import type { JsonOptions } from '../tracks/streamOptions.js';
import { readSnapshot } from '../tracks/streamSnapshot.js';
import { textHash } from '../tracks/textHash.js';
import { unitFromJson, unitToJson, type VisitUnit } from '../tracks/visitUnit.js';
import { journalToJson, readJournal } from './journalToJson.js';
import { type PredictionRules, type Predictions, readEvent, readPredictions } from './predictions.js';
import type { TripJournal } from './tripJournal.js';
import type { TripEvent } from './tripReport.js';

const VERSION = 2;

/** Plain JSON: `JSON.parse(JSON.stringify(snapshot))`, or a column of JSON in a database, is as good. */
export interface TripSnapshot {
  /** Always that of a trip's tracker. */
  readonly kind: 'trip';
  /** Of the form. */
  readonly version: number;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** A hash of what the tracker read of its trip. */
  readonly trip: string;
  /** Those of the tracker. */
  readonly options: JsonOptions;
  /** The last `advance`, or null. */
  readonly clock: number | null;
  /** What is known of the unit. */
  readonly unit: object;
  /** What happened so far. */
  readonly journal: object;
  /** What was forecast, or null. */
  readonly predictions: object | null;
  /** The events that were told. */
  readonly told: readonly object[];
  /** Over all of it. */
  readonly checksum: string;
}

/** What a tracker has taken in, and the events that it told. */
export interface TripState {
  readonly unit: VisitUnit;
  readonly journal: TripJournal;
  readonly predictions: Predictions | null;
  clock: number;
  told: readonly TripEvent[];
}

export type SnapshotHead = Pick<TripSnapshot, 'date' | 'trip' | 'options'>;

export function sealTripSnapshot(head: SnapshotHead, state: TripState): TripSnapshot {
  const body = {
    kind: 'trip',
    version: VERSION,
    date: head.date,
    trip: head.trip,
    options: head.options,
    clock: state.clock === Number.NEGATIVE_INFINITY ? null : state.clock,
    unit: unitToJson(state.unit),
    journal: journalToJson(state.journal),
    predictions: state.predictions?.toJson() ?? null,
    told: state.told.map(({ type, time, pointIndex }) => ({ type, time, pointIndex })),
  } as const;
  return { ...body, checksum: textHash(JSON.stringify(body)) };
}

/** A snapshot or its JSON text as something to read: `state-version` for another version, `state-corrupt` for what is none. */
export function openTripSnapshot(snapshot: unknown): {
  readonly head: SnapshotHead;
  readonly body: StateReader;
} {
  return guarded('snapshot', () => {
    const body = readSnapshot(snapshot, 'trip', VERSION);
    const options = body.child('options').scalars();
    return { head: { date: body.text('date'), trip: body.text('trip'), options }, body };
  });
}

/**
 * The state of an opened snapshot; the journal is a new one, `rulesOf` is asked where the tracker forecast. `state-corrupt` unless all of it
 * was understood.
 */
export function readTripState(
  { head, body }: ReturnType<typeof openTripSnapshot>,
  journal: TripJournal,
  rulesOf: () => PredictionRules,
): TripState {
  return guarded('snapshot', () => {
    readJournal(body.child('journal'), journal);
    const forecast = body.childOrNull('predictions');
    const state: TripState = {
      clock: body.timeOr('clock', Number.NEGATIVE_INFINITY),
      unit: unitFromJson(body.child('unit')),
      journal,
      predictions: forecast && readPredictions(forecast, rulesOf()),
      told: body.children('told').map(readEvent),
    };
    const { checksum } = sealTripSnapshot(head, state);
    if (checksum === body.text('checksum')) return state;
    throw corrupt('snapshot.checksum', `the checksum of the rest, ${checksum}`, body.text('checksum'));
  });
}
