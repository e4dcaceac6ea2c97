/** Handles the messages of partitions in turns. Work that outlasts its turn continues while the other partitions get theirs. */

import type { Checkpoints } from './checkpoints.js';
import { CAREFUL_MESSAGES, type HeldPartitions } from './heldPartitions.js';
import type { LogMessage } from './log.js';
import type { Held } from './partitionReader.js';
import type { StreamStore } from './streamStore.js';

/** Length of a turn, and about how long work may hold the event loop, milliseconds. */
export const SLICE_MS = 20;
/** Number of waiting fixes at which a checkpoint starts. */
export const BATCH_FIXES = 2000;
/** After this many tries that a worker did not survive, the message is tried in a process of its own. */
const MOST_TRIES = 3;

export interface TurnOptions {
  readonly partitions: HeldPartitions;
  readonly store: Pick<StreamStore, 'recordTry' | 'takeTryBack'>;
  readonly checkpoints: Pick<Checkpoints, 'pend' | 'commitNow'>;
  /** The units with which the message ends each process of its own that tries it, each with the reason. */
  readonly guiltyUnits: (one: Held, message: LogMessage) => Promise<ReadonlyMap<string, string>>;
  /** Whether a task waits that may only run while no message is handled. */
  readonly isTaskWaiting: () => boolean;
  /** Called when the handling of a held partition fails. */
  readonly onFailed: (one: Held, error: unknown) => Promise<void>;
  /** Called when work that outlasted its turn has ended. */
  readonly onEnded: () => void;
}

export interface Turns {
  /** Handles messages of the partition for one turn. Resolves to whether there were any; work that is not done by then continues. */
  give(one: Held): Promise<boolean>;
  /** Whether work of the partition outlasted its turn: its outputs must not be taken, and no other work may start. */
  isWorking(one: Held): boolean;
  /** Whether any partition is working. */
  readonly areWorking: boolean;
  /** The waiting tasks have run: partitions that waited for them get turns again. */
  resume(): void;
  /** Removes the tries that this worker survived. Throws while the database is unavailable; the next call removes the rest. */
  takeTriesBack(): Promise<void>;
  /** Waits for all work, of dropped partitions too. */
  ended(): Promise<void>;
}

export function startTurns(options: TurnOptions): Turns {
  const { store, checkpoints, guiltyUnits, isTaskWaiting, onFailed, onEnded } = options;
  const { held, refused, careful, trying, drop } = options.partitions;
  const { commitNow } = checkpoints;
  /** Work that outlasted its turn. */
  const working = new Map<Held, Promise<void>>();
  /** Partitions whose work ended while a task waited. They start no new work before the task, so that it is certain to run. */
  const waiting = new Set<Held>();
  /** Tries without a commit that this worker survived. */
  const survived: { readonly partition: number; readonly seq: number }[] = [];

  const handleSome = async (one: Held, until: number): Promise<boolean> => {
    let hasWorked = false;
    const { partition } = one.run;
    while (
      one.queue.length > 0 &&
      held.get(partition) === one &&
      (!isTaskWaiting() || (working.size > 0 && !waiting.has(one)))
    ) {
      hasWorked = true;
      if (careful.has(partition)) await handleAlone(one);
      else {
        await one.run.handle(one.take(), one.queue);
        if (one.run.hasPending) checkpoints.pend();
      }
      if (Date.now() >= until || one.run.pendingFixes >= BATCH_FIXES) break;
    }
    return hasWorked;
  };
  /** A worker that ended may have been killed: only a trial shows whether the message ends its process, and for which units. */
  const triedUnits = async (
    one: Held,
    message: LogMessage,
    tries: number,
  ): Promise<ReadonlyMap<string, string>> => {
    if (tries <= MOST_TRIES) return new Map();
    trying.add(one.run.partition);
    try {
      return await guiltyUnits(one, message);
    } finally {
      trying.delete(one.run.partition);
    }
  };
  const failingUnits = async ({ run }: Held, message: LogMessage): Promise<ReadonlyMap<string, string>> => {
    const known = refused.get(run.partition)?.units ?? null;
    if (known !== null) return known;
    const found = await run.failing(message);
    // Each unit's part of the message succeeds by itself, and all together fail.
    return found.size > 0 ? found : new Map([['', 'it fails, and not with one unit alone']]);
  };
  /** Handles one message: records the try, then commits the message alone. A try that this worker survives does not count. */
  const handleAlone = async (one: Held): Promise<void> => {
    const { run } = one;
    const { partition, epoch } = run;
    const message = one.take();
    if (message.seq <= run.committed) return run.handle(message);
    await commitNow([run], { count: 0 });
    const bad = refused.get(partition);
    const known = bad?.seq === message.seq ? bad : null;
    const tries = known === null ? await store.recordTry(partition, epoch, message.seq) : 0;
    if (tries === null) {
      if (held.get(partition) === one) drop(partition);
      return;
    }
    try {
      const failing =
        known === null ? await triedUnits(one, message, tries) : await failingUnits(one, message);
      if (failing.size > 0) await run.setAside(message, failing);
      await run.handle(message);
      await commitNow([run], { count: 0 });
    } finally {
      if (known === null && run.committed < message.seq) survived.push({ partition, seq: message.seq });
    }
    if (held.get(partition) !== one) return;
    const left = (careful.get(partition) ?? CAREFUL_MESSAGES) - 1;
    if (left > 0) careful.set(partition, left);
    else careful.delete(partition);
  };

  return {
    async give(one) {
      if (working.has(one) || one.queue.length === 0) return false;
      let hasWorked = false;
      let hasOutlasted = false;
      const handle = async (): Promise<void> => {
        try {
          hasWorked = await handleSome(one, Date.now() + SLICE_MS);
        } catch (error) {
          if (held.get(one.run.partition) === one) await onFailed(one, error);
        }
        if (!hasOutlasted) return;
        working.delete(one);
        if (isTaskWaiting()) waiting.add(one);
        // A checkpoint that began meanwhile left these outputs out.
        if (one.run.hasPending) checkpoints.pend();
        onEnded();
      };
      const work = handle();
      let timer: NodeJS.Timeout | undefined;
      const turn = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          hasOutlasted = true;
          working.set(one, work);
          resolve();
        }, SLICE_MS);
      });
      await Promise.race([work, turn]);
      clearTimeout(timer);
      return hasWorked;
    },
    isWorking: (one) => working.has(one),
    get areWorking() {
      return working.size > 0;
    },
    resume: () => waiting.clear(),
    async takeTriesBack() {
      for (let one = survived[0]; one !== undefined; one = survived[0]) {
        await store.takeTryBack(one.partition, one.seq);
        survived.shift();
      }
    },
    async ended() {
      await Promise.all(working.values());
    },
  };
}
