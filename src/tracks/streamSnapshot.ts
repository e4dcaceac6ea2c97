/** Snapshots of streams: plain JSON with a kind, a version and a checksum over what was understood of it. */

import { expected, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { corrupt, StateReader } from './stateReader.js';
import type { JsonOptions } from './streamOptions.js';
import { textHash } from './textHash.js';

const VERSION = 2;

/** Plain JSON: `JSON.parse(JSON.stringify(snapshot))`, or a column of JSON in a database, is as good. */
export interface StreamSnapshot {
  /** Which tracker wrote it. */
  readonly kind: 'visits' | 'movement';
  /** Of the form. */
  readonly version: number;
  /** Those of the tracker. */
  readonly options: JsonOptions;
  /** The last `advance`, or null. */
  readonly clock: number | null;
  /** What is known of each unit. */
  readonly units: readonly object[];
  /** Over all of it. */
  readonly checksum: string;
}

/** What a snapshot says, not yet checked further. */
export interface OpenSnapshot {
  readonly options: JsonOptions;
  readonly clock: number;
  readonly units: readonly StateReader[];
  readonly checksum: string;
}

export function sealSnapshot(
  kind: StreamSnapshot['kind'],
  options: JsonOptions,
  clock: number,
  units: readonly object[],
): StreamSnapshot {
  const body = {
    kind,
    version: VERSION,
    options,
    clock: clock === Number.NEGATIVE_INFINITY ? null : clock,
    units,
  };
  return { ...body, checksum: textHash(JSON.stringify(body)) };
}

/** Opens a snapshot or its JSON text: `state-version` for one of another version, `state-corrupt` for what is none. */
export function openSnapshot(snapshot: unknown, kind: StreamSnapshot['kind']): OpenSnapshot {
  return guarded('snapshot', () => {
    const reader = readSnapshot(snapshot, kind, VERSION);
    return {
      options: reader.child('options').scalars(),
      clock: reader.timeOr('clock', Number.NEGATIVE_INFINITY),
      units: reader.children('units'),
      checksum: reader.text('checksum'),
    };
  });
}

/** `state-corrupt` unless what was read, written again, has the checksum of the snapshot. */
export function checkSeal(checksum: string, rewritten: StreamSnapshot): void {
  if (rewritten.checksum !== checksum) {
    throw corrupt('snapshot.checksum', `the checksum of the rest, ${rewritten.checksum}`, checksum);
  }
}

/** What reads a snapshot or its JSON text; errors as `openSnapshot`. */
export function readSnapshot(snapshot: unknown, kind: string, version: number): StateReader {
  const reader = new StateReader(parsed(snapshot), 'snapshot');
  const own = reader.number('version');
  if (own !== version) {
    throw new WayzoneError('state-version', 'snapshot.version', expected(`version ${version}`, own));
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
