/** `wayzone-host set-aside list | retry | skip [--database D]`: what becomes of units that could not be followed. */

import { parseArgs } from 'node:util';
import { WayzoneError } from 'wayzone';
import { ofDatabase } from './namedDatabase.js';
import { openStorage } from './openStorage.js';
import type { Settings } from './settings.js';
import { type AsideKey, listSetAside, resolveSetAside, type SetAside } from './stream/setAside.js';

/**
 * The units and messages that wait. After a decision a unit waits until its worker has followed it again. Throws `option-value`, and the errors of `resolveSetAside`.
 */
export async function setAsideHost(settings: Settings, args: readonly string[]): Promise<SetAside[]> {
  const { decision, database } = readDecision(args);
  const storage = await openStorage(ofDatabase(settings, database));
  try {
    if (decision !== null) await resolveSetAside(storage, decision.key, decision.kind);
    return await listSetAside(storage);
  } finally {
    await storage.close();
  }
}

/** A line for people. */
export function lineOfAside({ cell, seq, unitId, companyId, reason, messages }: SetAside): string {
  const name = unitId === null ? 'a message that names no unit' : `unit ${unitId} of company ${companyId}`;
  const more = messages.length > 1 ? ` (messages ${messages.join(', ')})` : '';
  return `cell ${cell}, seq ${seq}: ${name}: ${reason}${more}`;
}

function readDecision(args: readonly string[]): {
  readonly decision: { readonly kind: 'retry' | 'skip'; readonly key: AsideKey } | null;
  readonly database: unknown;
} {
  const options = {
    unit: { type: 'string' },
    cell: { type: 'string' },
    seq: { type: 'string' },
    database: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
  });
  const [kind = 'list'] = positionals;
  const { unit, database } = values;
  if (kind === 'list') return { decision: null, database };
  if (kind !== 'retry' && kind !== 'skip')
    throw new WayzoneError('option-value', 'set-aside', `expected list, retry or skip, received ${kind}`);
  if (typeof unit === 'string' && unit !== '') return { decision: { kind, key: { unitId: unit } }, database };
  if (unit !== undefined)
    throw new WayzoneError('option-value', '--unit', 'expected the id of a unit, received none');
  const numberOf = (name: 'cell' | 'seq', pattern: RegExp): number => {
    const text = values[name];
    if (typeof text === 'string' && pattern.test(text)) return Number(text);
    throw new WayzoneError(
      'option-value',
      `--${name}`,
      `expected --unit, or --cell and --seq with a number, received ${String(text)}`,
    );
  };
  const key = { cell: numberOf('cell', /^\d{1,9}$/), seq: numberOf('seq', /^\d{1,15}$/) };
  return { decision: { kind, key }, database };
}
