/** Reads the messages of an operator, each field once. */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { guarded, type UnknownFields } from '../core/input.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { readTime } from '../tracks/stream/unitStream.js';
import type { UnitMessage } from './unitMessage.js';
import type { UnitOutput } from './unitOutput.js';
import { UNIT_PARTS } from './unitParts.js';

/** A checked message. `fixes` are copies. */
export interface ReadMessage {
  readonly unitId: string;
  readonly zonesVersion: number;
  readonly input:
    | { readonly kind: 'fixes'; readonly fixes: readonly Fix[]; readonly receivedAt: number | undefined }
    | { readonly kind: 'time'; readonly time: number }
    | { readonly kind: 'edit'; readonly settings: UnitSettings | null | undefined }
    | {
        readonly kind: 'rebuild';
        readonly of: 'all' | 'trips';
        readonly from: number | null;
        readonly receivedAt: number | undefined;
        readonly fixes: readonly Fix[];
        readonly outputs: readonly UnitOutput[];
      };
}

/** Errors: `unit-message`, `unit-id`, `option-value` (of a time), `input-unreadable`. */
export function readMessage(message: UnitMessage): ReadMessage {
  return guarded('message', () => {
    const { unitId, zonesVersion, input } = fieldsOf(message, 'message');
    if (typeof unitId !== 'string') throw inputError('unit-id', 'message.unitId', 'a text', unitId);
    if (!Number.isSafeInteger(zonesVersion) || (zonesVersion as number) < 0)
      throw wrong('message.zonesVersion', 'a whole number from 0', zonesVersion);
    const read = readInput(fieldsOf(input, 'message.input'), unitId);
    return { unitId, zonesVersion: zonesVersion as number, input: read };
  });
}

function readInput(input: UnknownFields, unitId: string): ReadMessage['input'] {
  const { kind } = input;
  if (kind === 'fixes') {
    const { receivedAt } = input;
    return {
      kind,
      fixes: readFixes(input['fixes']),
      receivedAt: receivedAt === undefined ? undefined : readTime(receivedAt, 'message.input.receivedAt'),
    };
  }
  if (kind === 'time') return { kind, time: readTime(input['time'], 'message.input.time') };
  if (kind === 'edit') {
    const { settings } = input;
    if (settings !== undefined && settings !== null) fieldsOf(settings, 'message.input.settings');
    const copy = settings === undefined || settings === null ? settings : { ...(settings as object) };
    return { kind, settings: copy as UnitSettings | null | undefined };
  }
  if (kind !== 'rebuild') throw wrong('message.input.kind', 'fixes, time, edit or rebuild', kind);
  const { of = 'all', from = null, receivedAt } = input;
  if (of !== 'all' && of !== 'trips') throw wrong('message.input.of', 'all or trips', of);
  return {
    kind,
    of,
    from: from === null ? null : readTime(from, 'message.input.from'),
    receivedAt: receivedAt === undefined ? undefined : readTime(receivedAt, 'message.input.receivedAt'),
    fixes: readFixes(input['fixes']),
    outputs: readOutputs(input['outputs'], unitId),
  };
}

/** Copies of the fixes. A value that is not an object is kept as it is, and later rejected like any unreadable fix. */
function readFixes(fixes: unknown): Fix[] {
  const field = 'message.input.fixes';
  if (!isArray(fixes)) throw wrong(field, 'an array of fixes', fixes);
  return fixes.map((fix, i) => ({ ...fieldsOf(fix, `${field}[${i}]`) }) as unknown as Fix);
}

/** The unit's outputs, sorted by number. */
function readOutputs(outputs: unknown, unitId: string): UnitOutput[] {
  const field = 'message.input.outputs';
  if (!isArray(outputs)) throw wrong(field, 'an array of outputs', outputs);
  const read = outputs.map((output, i) => {
    const { number, of, event, unitId: own } = fieldsOf(output, `${field}[${i}]`);
    if (own !== unitId) throw wrong(`${field}[${i}].unitId`, unitId, own);
    if (!Number.isSafeInteger(number)) throw wrong(`${field}[${i}].number`, 'a whole number', number);
    if (!(UNIT_PARTS as readonly unknown[]).includes(of))
      throw wrong(`${field}[${i}].of`, UNIT_PARTS.join(', '), of);
    return { unitId, number, of, event: fieldsOf(event, `${field}[${i}].event`) } as unknown as UnitOutput;
  });
  return read.sort((a, b) => a.number - b.number);
}

function fieldsOf(value: unknown, field: string): UnknownFields {
  if (typeof value === 'object' && value !== null && !isArray(value)) return value as UnknownFields;
  throw wrong(field, 'an object', value);
}

function wrong(field: string, what: string, received: unknown): WayzoneError {
  return inputError('unit-message', field, what, received);
}
