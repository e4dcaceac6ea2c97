/** `wayzone-host set-aside list | retry | skip`: what becomes of messages that could not be processed. */

import { parseArgs } from 'node:util';
import { WayzoneError } from 'wayzone';
import { awaitServer } from './awaitServer.js';
import type { Settings } from './settings.js';
import { embeddedStorage } from './storage/embeddedStorage.js';
import { postgresStorage } from './storage/postgresStorage.js';
import { openLog } from './stream/openStream.js';
import { listSetAside, resolveSetAside, type SetAside } from './stream/setAside.js';

/** The messages that wait (after the decision, if there is one). Throws `option-value`, and the errors of `resolveSetAside`. */
export async function setAsideHost(settings: Settings, args: readonly string[]): Promise<SetAside[]> {
  const decision = readDecision(args);
  const { databaseUrl, dataDir } = settings;
  const storage =
    databaseUrl === null
      ? await embeddedStorage(dataDir)
      : await awaitServer('PostgreSQL', () => postgresStorage(databaseUrl));
  try {
    if (decision !== null) {
      const { log } = await openLog(settings, storage, Date.now);
      try {
        await resolveSetAside(storage, log, decision, decision.kind);
      } finally {
        await log.close();
      }
    }
    return await listSetAside(storage);
  } finally {
    await storage.close();
  }
}

/** A line for people. */
export function lineOfAside({ partition, seq, reason, companyId, unitIds, fixes }: SetAside): string {
  const content =
    companyId === null ? 'unreadable' : `company ${companyId}, ${fixes} fixes of ${unitIds.join(', ')}`;
  return `partition ${partition}, seq ${seq}: ${reason} (${content})`;
}

function readDecision(
  args: readonly string[],
): { readonly kind: 'retry' | 'skip'; readonly partition: number; readonly seq: number } | null {
  const options = {
    partition: { type: 'string' },
    seq: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
  });
  const [kind = 'list'] = positionals;
  if (kind === 'list') return null;
  if (kind !== 'retry' && kind !== 'skip')
    throw new WayzoneError('option-value', 'set-aside', `expected list, retry or skip, received ${kind}`);
  const numberOf = (name: 'partition' | 'seq', pattern: RegExp): number => {
    const text = values[name];
    if (typeof text === 'string' && pattern.test(text)) return Number(text);
    throw new WayzoneError('option-value', `--${name}`, `expected a number, received ${String(text)}`);
  };
  return { kind, partition: numberOf('partition', /^\d{1,4}$/), seq: numberOf('seq', /^\d{1,15}$/) };
}
