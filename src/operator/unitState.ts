/** The state of a unit between two messages: plain JSON with a version and a checksum. */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { corrupt, StateReader } from '../tracks/stateReader.js';
import { type JsonOptions, optionsFromJson } from '../tracks/streamOptions.js';
import { textHash } from '../tracks/textHash.js';
import type { UnitPart } from './unitOutput.js';

/** Version 4 had no speeding and no routes. */
const VERSION = 5;
const EARLIER_VERSION = 4;
/** Those of the host's table `unit_states` that are moved: 2 had only visits, 3 no speeding. */
const HOST_VERSIONS = [2, 3, 4];

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
  /** The state of each part of the operator. A part that the operator lacked then begins with the next fix. */
  readonly parts: Readonly<Partial<Record<UnitPart, object>>>;
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** A state that was read: its parts are checked by those that use them. */
export interface OpenUnitState extends Omit<UnitState, 'kind' | 'version' | 'parts' | 'checksum'> {
  readonly parts: Readonly<Partial<Record<UnitPart, StateReader>>>;
}

type StateFields = Omit<UnitState, 'kind' | 'version' | 'checksum'>;

export function writeUnitState(fields: StateFields): UnitState {
  const body = bodyOf(fields);
  return { ...body, checksum: textHash(JSON.stringify(body)) };
}

/** The JSON text of `writeUnitState`. The text that its checksum is made of is written once, not twice. */
export function unitStateText(fields: StateFields): string {
  const text = JSON.stringify(bodyOf(fields));
  return `${text.slice(0, -1)},"checksum":"${textHash(text)}"}`;
}

function bodyOf(fields: StateFields): Omit<UnitState, 'checksum'> {
  const { unitId, zonesVersion, options, clock, outputs, lateFrom, settings, parts } = fields;
  return {
    kind: 'unit',
    version: VERSION,
    unitId,
    zonesVersion,
    options,
    clock,
    outputs,
    lateFrom,
    settings,
    parts,
  };
}

/**
 * Reads a state of this version or the one before, one of an earlier host, or its JSON text. Errors: `state-version` for another version or a part
 * that this operator lacks, `state-corrupt`.
 */
export function readUnitState(state: unknown, names: readonly UnitPart[]): OpenUnitState {
  return guarded('state', () => {
    const text = typeof state === 'string' ? state : null;
    const given: unknown = text === null ? state : parsed(text);
    const reader = new StateReader(given, 'state');
    return reader.numberIfAny('v', null) === null ? readOwn(reader, given, names, text) : moved(reader);
  });
}

/** Throws if the state is of other options than those of the hash. */
export function checkStateOptions({ options }: Pick<OpenUnitState, 'options'>, hash: string): void {
  if (options !== null && options !== hash)
    throw inputError('state-options', 'state.options', `a state of these options, ${hash}`, options);
}

/** `given`: the text of the state, or null if the caller gave an object. Only we hold what is read from a text. */
function readOwn(
  reader: StateReader,
  state: unknown,
  names: readonly UnitPart[],
  given: string | null,
): OpenUnitState {
  const version = reader.number('version');
  if (version !== VERSION && version !== EARLIER_VERSION)
    throw inputError('state-version', 'state.version', `version ${EARLIER_VERSION} or ${VERSION}`, version);
  if (reader.text('kind') !== 'unit') throw corrupt('state.kind', "'unit'", reader.text('kind'));
  const own = given !== null && isAsWritten(given, reader) ? reader : checked(reader, state, given !== null);
  const parts = own.child('parts');
  for (const name of Object.keys((state as UnitState).parts))
    if (!(names as readonly string[]).includes(name))
      throw inputError('state-version', `state.parts.${name}`, `one of ${names.join(', ')}`, name);
  return {
    unitId: reader.text('unitId'),
    zonesVersion: reader.count('zonesVersion'),
    options: reader.textOrNull('options'),
    clock: reader.timeOr('clock', null),
    outputs: reader.count('outputs'),
    lateFrom: reader.timeOr('lateFrom', null),
    settings: reader.childOrNull('settings') === null ? null : reader.plain('settings'),
    parts: Object.fromEntries(
      names.flatMap((name) => {
        const part = parts.childIfAny(name);
        return part === null ? [] : [[name, part]];
      }),
    ),
  };
}

/** Whether a text is that of `unitStateText`, undamaged: a JSON column may write another. */
function isAsWritten(text: string, reader: StateReader): boolean {
  const end = `,"checksum":"${reader.text('checksum')}"}`;
  return text.endsWith(end) && textHash(`${text.slice(0, -end.length)}}`) === reader.text('checksum');
}

/** The reader of a state with the right checksum, or of a copy if somebody else holds the state. */
function checked(reader: StateReader, state: unknown, isOwned: boolean): StateReader {
  const { checksum: _, ...body } = state as UnitState;
  const text = JSON.stringify(body);
  const hash = textHash(text);
  if (hash !== reader.text('checksum'))
    throw corrupt('state.checksum', `the checksum of the rest, ${hash}`, reader.text('checksum'));
  return isOwned ? reader : new StateReader(JSON.parse(text), 'state');
}

/** A state of the host: snapshots of visits, movement and speeding, without numbers of outputs and without runs. */
function moved(reader: StateReader): OpenUnitState {
  const version = reader.number('v');
  if (!HOST_VERSIONS.includes(version))
    throw inputError('state-version', 'state.v', `version ${HOST_VERSIONS.join(', ')}`, version);
  const visits = reader.child('visits');
  const [unit] = visits.children('units');
  if (unit === undefined) throw corrupt('state.visits.units', 'one unit', 'none');
  const [movement, speeding] = (['movement', 'speeding'] as const).map((name) => {
    const snapshot = reader.isNull(name) ? null : reader.childIfAny(name);
    const [own] = snapshot?.children('units') ?? [];
    return snapshot === null || own === undefined ? null : { snapshot, own };
  });
  const settings = [movement, speeding].flatMap((part) => {
    const own = part?.own.childOrNull('settings') ?? null;
    return own === null ? [] : [own.scalars()];
  });
  return {
    unitId: unit.text('id'),
    zonesVersion: 0,
    options: null,
    clock: visits.timeOr('clock', null),
    outputs: 0,
    lateFrom: null,
    settings: settings.length === 0 ? null : optionsFromJson(Object.assign({}, ...settings) as JsonOptions),
    parts: {
      visits: partOf(visits),
      ...(movement && { movement: partOf(movement.snapshot) }),
      ...(speeding && { speeding: partOf(speeding.snapshot) }),
    },
  };
}

function partOf(snapshot: StateReader): StateReader {
  const part = { version: snapshot.count('version'), unit: snapshot.plainList('units')[0] };
  return new StateReader(part, snapshot.path);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corrupt('state', 'JSON', text);
  }
}
