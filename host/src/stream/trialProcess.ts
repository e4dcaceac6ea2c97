/**
 * Processes the messages of a partition up to one that is tried, in a process of its own: if the message ends this process, its worker
 * lives on. It writes nothing, and asks its worker for all that it reads.
 */

import { ZoneIndex } from 'wayzone';
import { type PlainRules, zoneRules } from '../zones/zoneRules.js';
import type { PairSource } from './pairSource.js';
import { type PartitionRun, partitionRun, type RunOptions } from './partitionRun.js';
import type { RouteSource } from './routeKind.js';
import { ASKED, type FromTrial, type ToTrial } from './trialMessages.js';
import type { TripSource } from './tripSource.js';
import type { VersionedZones, ZoneSource } from './zoneSource.js';

const send = (message: FromTrial): void => void process.send?.(message);
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
let asked = 0;

function ask(of: keyof typeof ASKED, name: string, values: readonly unknown[]): Promise<unknown> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ kind: 'ask', id, of, name, values });
  });
}

const store = Object.fromEntries(
  ASKED.store.map((name) => [name, (...values: unknown[]) => ask('store', name, values)]),
) as unknown as RunOptions['store'];

/** The same version is one index, as in a worker. */
const indexes = new Map<string, VersionedZones>();

async function zonesOf(
  companyId: string,
  name: 'current' | 'at',
  values: readonly unknown[],
): Promise<VersionedZones | null> {
  const answer = (await ask('zones', name, values)) as {
    version: number;
    buffer: Uint8Array;
    rules: PlainRules;
  } | null;
  if (answer === null) return null;
  const key = `${answer.version} ${companyId}`;
  const known = indexes.get(key) ?? {
    version: answer.version,
    index: ZoneIndex.fromBuffer(answer.buffer, { verify: false }),
    rules: zoneRules(answer.rules.zones, answer.rules.clock, answer.rules.strictness),
  };
  indexes.set(key, known);
  return known;
}

const zones = {
  current: (companyId: string) => zonesOf(companyId, 'current', [companyId]),
  at: (companyId: string, version: number) => zonesOf(companyId, 'at', [companyId, version]),
} as ZoneSource;
const trips = { at: (...values: unknown[]) => ask('trips', 'at', values) } as TripSource;
const routes = ((...values: unknown[]) => ask('routes', 'of', values)) as RouteSource;
const pairs = {
  of: (...values: unknown[]) => ask('pairs', 'of', values),
  dateOf: (...values: unknown[]) => ask('pairs', 'dateOf', values),
} as PairSource;

let run: PartitionRun | null = null;
let isTried = false;

/** Resolves when the worker will get the message, whatever this process does next. */
function tryUnit(unitId: string): Promise<void> {
  if (!isTried) return Promise.resolve();
  const message: FromTrial = { kind: 'trying', unitId };
  return new Promise((resolve) => {
    process.send!(message, () => resolve());
  });
}

async function take(message: ToTrial): Promise<void> {
  if (message.kind === 'answer') return waiting.get(message.id)?.resolve(message.value);
  if (message.kind === 'error') return waiting.get(message.id)?.reject(new Error(message.message));
  if (message.kind === 'begin') {
    const { partition, from, latenessSeconds } = message;
    run = partitionRun({
      partition,
      from,
      store,
      zones,
      trips,
      routes,
      pairs,
      latenessSeconds,
      settled: async () => {},
      onUnit: tryUnit,
    });
    return send({ kind: 'next' });
  }
  isTried = message.isTried;
  await tryUnit('');
  // An error does not end a process: the worker meets the same error and handles it.
  try {
    if (isTried) await run!.failing(message.message);
    await run!.handle(message.message);
  } catch {}
  send({ kind: isTried ? 'survived' : 'next' });
}

process.on('message', (message: ToTrial) => void take(message));
process.on('disconnect', () => process.exit());
