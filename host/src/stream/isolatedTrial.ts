/** Tries a message in a process of its own, so that only a unit with which it really ends its process is set aside. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HOST_FOLDER } from '../jobs/hostFolder.js';
import type { LogMessage } from './log.js';
import type { RunOptions } from './partitionRun.js';
import type { PartitionLog } from './shiftedLog.js';
import type { TakenOver } from './streamStore.js';
import { ASKED, type FromTrial, type ToTrial } from './trialMessages.js';
import type { Sources } from './watchSources.js';

/**
 * `ended`: the process ended, or did not finish in time, while it processed the message for this unit (empty: before it came to a unit). `survived`: it
 * processed the message. `unknown`: it ended before it came to the message, which says nothing about it.
 */
export type TrialResult = { readonly ended: string } | 'survived' | 'unknown';

export interface TrialOptions extends Sources, Pick<RunOptions, 'latenessSeconds'> {
  readonly partition: number;
  readonly from: TakenOver;
  readonly log: Pick<PartitionLog, 'read'>;
  /** How long the message may take for each unit, milliseconds. Default 30,000. */
  readonly limitMs?: number;
  /** Called with the process, for tests. */
  readonly onStarted?: (child: ChildProcess) => void;
}

/** Number of trials in a row that must end before a unit counts as guilty: something else may have killed a single one. */
const TRIALS = 3;
/** How long the replay before the message may take, milliseconds. */
const REPLAY_MS = 600_000;

/** The built program, also when a test runs the sources. */
const FILE = fileURLToPath(new URL('dist/stream/trialProcess.js', HOST_FOLDER));

/** The units with which the message ended every one of three processes that tried it, each with the reason. */
export async function guiltyUnits(
  message: LogMessage,
  options: TrialOptions,
): Promise<ReadonlyMap<string, string>> {
  const guilty = new Map<string, string>();
  const asideUnits = new Map(options.from.asideUnits);
  for (;;) {
    const unitId = await endedBy(message, { ...options, from: { ...options.from, asideUnits } });
    if (unitId === null) return guilty;
    guilty.set(unitId, 'it ended each process that tried it alone');
    if (unitId === '') return guilty;
    asideUnits.set(unitId, { companyId: '', from: 0 });
  }
}

/** The unit at which each of three processes ended; null if one of them did not, or at another unit. */
async function endedBy(message: LogMessage, options: TrialOptions): Promise<string | null> {
  const ended = new Set<string>();
  for (let trial = 0; trial < TRIALS; trial++) {
    const result = await isolatedTrial(message, options);
    if (typeof result === 'string' || ended.add(result.ended).size > 1) return null;
  }
  return [...ended][0]!;
}

export async function isolatedTrial(message: LogMessage, options: TrialOptions): Promise<TrialResult> {
  const { partition, from, latenessSeconds, limitMs = 30_000 } = options;
  const child = fork(FILE, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  options.onStarted?.(child);
  const stop = new AbortController();
  const messages = messagesUntil(message, options, stop.signal);
  let trying: string | null = null;
  try {
    return await new Promise<TrialResult>((resolve) => {
      const end = (): void => resolve(trying === null ? 'unknown' : { ended: trying });
      let timer = setTimeout(end, REPLAY_MS);
      stop.signal.addEventListener('abort', () => clearTimeout(timer));
      const send = (one: ToTrial): void => void child.send(one, (error) => error !== null && end());
      // After all messages of the process.
      child.once('close', end);
      child.once('error', end);
      child.on('message', (one: FromTrial) => {
        if (one.kind === 'survived') return resolve('survived');
        if (one.kind === 'ask') return void answer(one, options).then(send);
        if (one.kind === 'trying') {
          trying = one.unitId;
          clearTimeout(timer);
          timer = setTimeout(end, limitMs);
          return undefined;
        }
        return void messages
          .next()
          .then(({ value, done }) => (done === true ? end() : send({ kind: 'message', ...value })))
          .catch(end);
      });
      send({ kind: 'begin', partition, from, latenessSeconds });
    });
  } finally {
    stop.abort();
    child.removeAllListeners('close');
    child.kill('SIGKILL');
    // Not awaited: a read that waits for messages ends by the signal.
    void messages.return(undefined).catch(() => {});
  }
}

/** The messages that a restart of the partition reads before the tried one, and the tried one. */
async function* messagesUntil(
  message: LogMessage,
  { log, partition, from }: TrialOptions,
  signal: AbortSignal,
): AsyncGenerator<{ readonly message: LogMessage; readonly isTried: boolean }, void, undefined> {
  if (from.replayFrom < message.seq)
    for await (const page of log.read(partition, from.replayFrom, signal))
      for (const one of page) {
        if (one.seq >= message.seq) {
          yield { message, isTried: true };
          return;
        }
        yield { message: one, isTried: false };
      }
  else yield { message, isTried: true };
}

async function answer(
  { id, of, name, values }: FromTrial & { readonly kind: 'ask' },
  options: TrialOptions,
): Promise<ToTrial> {
  try {
    if (!(ASKED[of] as readonly string[]).includes(name))
      throw new Error(`expected a name of ${of}, received ${name}`);
    const source = (of === 'routes' ? { of: options.routes } : options[of]) as unknown as Record<
      string,
      (...given: readonly unknown[]) => Promise<unknown>
    >;
    const value = await source[name]!(...values);
    return {
      kind: 'answer',
      id,
      value: of === 'zones' ? sent(value as Awaited<ReturnType<RunOptions['zones']['current']>>) : value,
    };
  } catch (error) {
    return { kind: 'error', id, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Zones as bytes: an index cannot be cloned. */
function sent(zones: Awaited<ReturnType<RunOptions['zones']['current']>>): unknown {
  return zones && { version: zones.version, buffer: zones.index.toBuffer(), rules: zones.rules.plain };
}
