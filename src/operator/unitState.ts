/** The state of a unit between two messages: plain JSON with a version and a checksum. */

import { inputError } from '../core/errors.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { openSealed, STATE_VERSION, sealed, sealedText } from '../tracks/stream/sealed.js';
import type { PlainUnit } from '../tracks/stream/unitStream.js';
import type { JsonOptions } from '../tracks/streamOptions.js';
import type { UnitPart } from './unitOutput.js';

/** All that an operator knows of a unit. Plain JSON, so it may be stored as text or in a JSON column. Its parts are not for reading. */
export interface UnitState {
  /** Always `unit`. */
  readonly kind: 'unit';
  /** Version of the format. */
  readonly version: number;
  /** The unit. */
  readonly unitId: string;
  /** The greatest version of zones and trips among its messages. */
  readonly zonesVersion: number;
  /** A hash of the operator's options; `null` if it was moved from an earlier version. */
  readonly options: string | null;
  /** The last time input, epoch milliseconds; `null` before the first. */
  readonly clock: number | null;
  /** Number of outputs so far. */
  readonly outputs: number;
  /** The earliest late fix that no rebuild has taken, epoch milliseconds; `null`: none. */
  readonly lateFrom: number | null;
  /** The unit's settings of the trip detector and its speed limit; `null`: the defaults. */
  readonly settings: UnitSettings | null;
  /** The fixes that wait, and the last one; `null` before the unit's first fix and settings. */
  readonly intake: object | null;
  /** The state of each part of the operator. A part that the operator lacked then begins with the next fix. */
  readonly parts: Readonly<Partial<Record<UnitPart, object>>>;
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** A state that was read, and nobody else holds. */
export type OpenUnitState = Omit<UnitState, 'kind' | 'version' | 'checksum'>;

export function writeUnitState(fields: OpenUnitState): UnitState {
  return sealed(bodyOf(fields));
}

/** The JSON text of `writeUnitState`. The text that its checksum is made of is written once, not twice. */
export function unitStateText(fields: OpenUnitState): string {
  return sealedText(bodyOf(fields));
}

function bodyOf(fields: OpenUnitState): Omit<UnitState, 'checksum'> {
  return { kind: 'unit', version: STATE_VERSION, ...fields };
}

/** The fields of a state that a unit of a stream has; `null`: it is not in the stream. */
export function unitFields(unit: PlainUnit | null): Pick<UnitState, 'settings' | 'intake' | 'parts'> {
  if (unit === null) return { settings: null, intake: null, parts: {} };
  return { settings: unit.settings as UnitSettings | null, intake: unit.intake, parts: unit.states };
}

/** The unit of a state; `null` if the stream had none. `names`: the parts of units. */
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

/** Throws if the state is of other options than those of the hash. */
export function checkStateOptions({ options }: Pick<OpenUnitState, 'options'>, hash: string): void {
  if (options !== null && options !== hash)
    throw inputError('state-options', 'state.options', `a state of these options, ${hash}`, options);
}
