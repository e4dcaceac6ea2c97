/** The state of a `TripTracker` as plain JSON with a version and a checksum, and back. */

import { guarded } from '../core/gate.js';
import { readSnapshot } from '../tracks/snapshot.js';
import { corrupt, type StateReader } from '../tracks/stateReader.js';
import type { JsonOptions } from '../tracks/streamOptions.js';
import { textHash } from '../tracks/textHash.js';
import type { Visit } from '../tracks/visit.js';
import { unitFromJson, unitToJson, type VisitUnit } from '../tracks/visitUnit.js';
import type { TripJournal } from './tripJournal.js';
import type { TripEvent, TripEventType } from './tripReport.js';

const VERSION = 1;

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
  /** The events that were told. */
  readonly told: readonly object[];
  /** Over all of it. */
  readonly checksum: string;
}

/** What a tracker has taken in, and the events that it told. */
export interface TripState {
  readonly unit: VisitUnit;
  readonly journal: TripJournal;
  clock: number;
  told: readonly TripEvent[];
}

export type SnapshotHead = Pick<TripSnapshot, 'date' | 'trip' | 'options'>;

export function sealTripSnapshot(head: SnapshotHead, state: TripState): TripSnapshot {
  const { visits, gaps, arrivals, way, firstTime } = state.journal;
  const body = {
    kind: 'trip',
    version: VERSION,
    date: head.date,
    trip: head.trip,
    options: head.options,
    clock: state.clock === Number.NEGATIVE_INFINITY ? null : state.clock,
    unit: unitToJson(state.unit),
    journal: {
      firstTime,
      visits: visits.map(visitToJson),
      gaps: gaps.map(({ from, to }) => ({ from, to })),
      arrivals: arrivals.map(({ time, zoneId }) => ({ time, zoneId })),
      way: way.map(({ time, lon, lat }) => ({ time, lon, lat })),
    },
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

/** The state of an opened snapshot; the journal is a new one. `state-corrupt` unless all of it was understood. */
export function readTripState(
  { head, body }: ReturnType<typeof openTripSnapshot>,
  journal: TripJournal,
): TripState {
  return guarded('snapshot', () => {
    const from = body.child('journal');
    journal.firstTime = from.timeOr('firstTime', null);
    for (const visit of from.children('visits')) journal.visits.push(visitFromJson(visit));
    for (const gap of from.children('gaps')) {
      journal.gaps.push({ from: gap.time('from'), to: gap.time('to') });
    }
    for (const arrival of from.children('arrivals')) {
      journal.arrivals.push({ time: arrival.time('time'), zoneId: arrival.text('zoneId') });
    }
    for (const place of from.children('way')) {
      journal.way.push({ time: place.time('time'), lon: place.lon('lon'), lat: place.lat('lat') });
    }
    const state: TripState = {
      clock: body.timeOr('clock', Number.NEGATIVE_INFINITY),
      unit: unitFromJson(body.child('unit')),
      journal,
      told: body.children('told').map((event) => ({
        type: event.text('type') as TripEventType,
        time: event.time('time'),
        pointIndex: event.numberOr('pointIndex', null),
      })),
    };
    const { checksum } = sealTripSnapshot(head, state);
    if (checksum === body.text('checksum')) return state;
    throw corrupt('snapshot.checksum', `the checksum of the rest, ${checksum}`, body.text('checksum'));
  });
}

function visitToJson(visit: Visit): object {
  const { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount } = visit;
  const [enterAfter, enterBefore] = enterBounds;
  const [exitAfter, exitBefore] = exitBounds ?? [null, null];
  return { zoneId, seen, end, enter, exit, enterAfter, enterBefore, exitAfter, exitBefore, fixCount };
}

function visitFromJson(reader: StateReader): Visit {
  const exitAfter = reader.timeOr('exitAfter', null);
  return {
    zoneId: reader.text('zoneId'),
    seen: reader.text('seen') as Visit['seen'],
    end: reader.text('end') as Visit['end'],
    enter: reader.time('enter'),
    exit: reader.timeOr('exit', null),
    enterBounds: [reader.timeOr('enterAfter', null), reader.time('enterBefore')],
    exitBounds: exitAfter === null ? null : [exitAfter, reader.timeOr('exitBefore', null)],
    fixCount: reader.count('fixCount'),
  };
}
