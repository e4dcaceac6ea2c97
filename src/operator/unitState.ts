/** The state of a unit between two messages: plain JSON with a version and a checksum. */

import { inputError } from '../core/errors.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { openSealed, STATE_VERSION, sealed, sealedText } from '../tracks/stream/sealed.js';
import type { PlainUnit } from '../tracks/stream/unitStream.js';
import type { JsonOptions } from '../tracks/streamOptions.js';
import type { UnitPart } from './unitOutput.js';

/**
 * The state of a unit between two messages. Plain JSON: store it as text or in a JSON column. Its fields may change between versions; do
 * not read them.
 */
export interface UnitState {
  /** Always `unit`. */
  readonly kind: 'unit';
  /** Version of the format. */
  readonly version: number;
  /** Id of the unit. */
  readonly unitId: string;
  /** The greatest `zonesVersion` among its messages. */
  readonly zonesVersion: number;
  /** A hash of the operator's options. `null`: the state was upgraded from an earlier version. */
  readonly options: string | null;
  /** The last `time` message, epoch milliseconds; `null` before the first. */
  readonly clock: number | null;
  /** Number of outputs so far. */
  readonly outputs: number;
  /** Time of the earliest late fix that no rebuild has included, epoch milliseconds; `null`: no such fix. */
  readonly lateFrom: number | null;
  /** The unit's trip-detector settings and speed limit; `null`: the defaults. */
  readonly settings: UnitSettings | null;
  /** The fixes that wait for the lateness, and the last fix; `null` before the unit's first fix and settings. */
  readonly intake: object | null;
  /** State of each part. A part without a state begins with the next fix. */
  readonly parts: Readonly<Partial<Record<UnitPart, object>>>;
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** A checked state that no other code holds, so that it may be changed. */
export type OpenUnitState = Omit<UnitState, 'kind' | 'version' | 'checksum'>;

export function writeUnitState(fields: OpenUnitState): UnitState {
  return sealed(bodyOf(fields));
}

/** The JSON text of the state, with its checksum. The text that is hashed is also the text that is written. */
export function unitStateText(fields: OpenUnitState): string {
  return sealedText(bodyOf(fields));
}

function bodyOf(fields: OpenUnitState): Omit<UnitState, 'checksum'> {
  return { kind: 'unit', version: STATE_VERSION, ...fields };
}

/** The state's fields for a unit of a stream; `null`: the stream has no such unit. */
export function unitFields(unit: PlainUnit | null): Pick<UnitState, 'settings' | 'intake' | 'parts'> {
  if (unit === null) return { settings: null, intake: null, parts: {} };
  return { settings: unit.settings as UnitSettings | null, intake: unit.intake, parts: unit.states };
}

/** The unit in a state; `null` if the stream had none. `names`: the parts that belong to units. */
export function unitOfState(state: OpenUnitState, names: readonly UnitPart[]): PlainUnit | null {
  const { unitId, settings, intake, parts } = state;
  if (intake === null) return null;
  const states = Object.fromEntries(
    names.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]]])),
  );
  return {
    id: unitId,
    settings: settings as JsonOptions | null,
    intake: intake as PlainUnit['intake'],
    states,
  };
}

/**
 * Reads a state or its JSON text. Errors: `state-version` for another version or a part that this operator lacks, `state-corrupt`.
 */
export function readUnitState(state: unknown, names: readonly UnitPart[]): OpenUnitState {
  const { kind: _, version: __, ...open } = openSealed<Omit<UnitState, 'checksum'>>(state, 'unit', 'state');
  for (const name of Object.keys(open.parts))
    if (!(names as readonly string[]).includes(name))
      throw inputError('state-version', `state.parts.${name}`, `one of ${names.join(', ')}`, name);
  return open;
}

/** Throws `state-options` if the state was made with options of another hash. */
export function checkStateOptions({ options }: Pick<OpenUnitState, 'options'>, hash: string): void {
  if (options !== null && options !== hash)
    throw inputError('state-options', 'state.options', `a state of these options, ${hash}`, options);
}
