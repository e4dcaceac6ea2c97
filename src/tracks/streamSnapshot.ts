/** Snapshots of streams: plain JSON with a kind, a version and a checksum over the fields that are read. */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { corrupt, StateReader } from './stateReader.js';
import type { JsonOptions } from './streamOptions.js';
import { textHash } from './textHash.js';
import { upgradedSnapshot } from './upgradedSnapshot.js';

/** Version of the format. */
export const SNAPSHOT_VERSION = 3;

/** Plain JSON, so it may be stored as text or in a JSON column of a database. */
export interface StreamSnapshot {
  /** Which tracker wrote it. */
  readonly kind: 'visits' | 'movement' | 'speeding' | 'route' | 'meetings';
  /** Version of the format. */
  readonly version: number;
  /** Options of the tracker. */
  readonly options: JsonOptions;
  /** Time of the last `advance`, or `null`. */
  readonly clock: number | null;
  /** State of each unit. */
  readonly units: readonly object[];
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** An opened snapshot whose units are not checked so far. `checksum` is null for an older version, whose checksum is not that of the new form. */
export interface OpenSnapshot {
  readonly options: JsonOptions;
  readonly clock: number;
  readonly units: readonly StateReader[];
  readonly checksum: string | null;
}

export function sealSnapshot(
  kind: StreamSnapshot['kind'],
  options: JsonOptions,
  clock: number,
  units: readonly object[],
): StreamSnapshot {
  const body = {
    kind,
    version: SNAPSHOT_VERSION,
    options,
    clock: clock === Number.NEGATIVE_INFINITY ? null : clock,
    units,
  };
  return { ...body, checksum: textHash(JSON.stringify(body)) };
}

/** Snapshots without a checksum, whose unit was checked by another one. */
const UNSEALED = new WeakSet<object>();

/** A snapshot of one unit whose state has the form of `version`, with the other fields of `own`. The caller has checked the unit. */
export function snapshotOfUnit(own: StreamSnapshot, version: number, unit: object): StreamSnapshot {
  const snapshot = { ...own, version, units: [unit] };
  UNSEALED.add(snapshot);
  return snapshot;
}

/** Opens a snapshot of this version or the one before, or its JSON text. Errors: `state-version` for another version, `state-corrupt` for anything else. */
export function openSnapshot(snapshot: unknown, kind: StreamSnapshot['kind']): OpenSnapshot {
  return guarded('snapshot', () => {
    const given = parsed(snapshot);
    const upgraded = upgradedSnapshot(given);
    const reader = readerOf(upgraded, kind, [SNAPSHOT_VERSION]);
    return {
      options: reader.child('options').scalars(),
      clock: reader.timeOr('clock', Number.NEGATIVE_INFINITY),
      units: reader.children('units'),
      checksum: upgraded === given && !UNSEALED.has(given as object) ? reader.text('checksum') : null,
    };
  });
}

/** Writes the state again and compares checksums; `state-corrupt` if they differ. */
export function checkSeal(checksum: string, rewritten: StreamSnapshot): void {
  if (rewritten.checksum !== checksum) {
    throw corrupt('snapshot.checksum', `the checksum of the rest, ${rewritten.checksum}`, checksum);
  }
}

/** A reader for a snapshot or its JSON text, of one of these versions, the newest last. Errors as `openSnapshot`. */
export function readSnapshot(snapshot: unknown, kind: string, versions: readonly number[]): StateReader {
  return readerOf(parsed(snapshot), kind, versions);
}

function readerOf(snapshot: unknown, kind: string, versions: readonly number[]): StateReader {
  const reader = new StateReader(snapshot, 'snapshot');
  const own = reader.number('version');
  if (!versions.includes(own)) {
    throw inputError('state-version', 'snapshot.version', `version ${versions.join(' or ')}`, own);
  }
  if (reader.text('kind') !== kind) throw corrupt('snapshot.kind', `'${kind}'`, reader.text('kind'));
  return reader;
}

function parsed(snapshot: unknown): unknown {
  if (typeof snapshot !== 'string') return snapshot;
  try {
    return JSON.parse(snapshot);
  } catch {
    throw corrupt('snapshot', 'JSON', snapshot);
  }
}
