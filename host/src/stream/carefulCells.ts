/** Cells that fail: a worker waits, handles one message a commit, and finds the units that are to blame, to set them aside. */

import { ClockFailed } from './cellCore.js';
import type { CellRun } from './cellRun.js';
import type { CellStore, LoadedCell } from './cellStore.js';
import type { Sealed } from './commitSealed.js';
import { failureOf } from './failure.js';
import type { LogMessage } from './message.js';

/** A cell in the memory of this worker. */
export interface HeldCell {
  readonly run: CellRun;
  readonly from: LoadedCell;
  /** The version that the row has if this memory counts. */
  version: number;
  /** When this worker last wrote the row, milliseconds of its steady clock. */
  committedAt: number;
  /** Whether the run uses the worker's indexes. */
  hasJoined: boolean;
  /** Number of states that may be written by now, and when it was computed (milliseconds). */
  credit: number;
  savedAt: number;
  /** Whether messages are handled unit by unit, after workers ended with this cell. */
  isTrial: boolean;
}

export interface CarefulCellsOptions {
  readonly store: Pick<CellStore, 'alarm' | 'refusedUnits'>;
  /** Forgets the memory of a cell. */
  readonly drop: (cell: number) => void;
  readonly onFailed: (error: unknown) => void;
}

export interface CarefulCells {
  /** Begins with a cell that was loaded. Returns whether workers ended with it, so that its messages are handled unit by unit. */
  begin(from: LoadedCell): boolean;
  /** Whether the cell's next attempt is not due yet. */
  waits(cell: number): boolean;
  /** The cell is tried again soon. */
  delay(cell: number): void;
  /** Whether each message of the cell has a commit of its own. */
  isAlone(cell: number): boolean;
  /** Handles one message, without the units that are known to fail with it. */
  handle(one: HeldCell, message: LogMessage): Promise<void>;
  /** The work on a cell threw. */
  fail(one: HeldCell, error: unknown): Promise<void>;
  /** A commit of cells threw. */
  refuse(all: readonly (readonly [HeldCell, Sealed])[], error: unknown): Promise<void>;
}

/** Wait after a failure of the database, and after another one, milliseconds. */
const RETRY_MS = 200;
const LOOK_MS = 5000;
/** Number of loads without a commit after which messages are handled unit by unit. */
const MOST_LOADS = 3;
/** Number of messages that are then handled so. */
const CAREFUL_MESSAGES = 50;
/** Number of ends of the process at one unit after which the unit is set aside. */
const MOST_TRIES = 3;

export function carefulCells({ store, drop, onFailed }: CarefulCellsOptions): CarefulCells {
  /** Halted cells, each with the time of the next attempt (milliseconds). */
  const stopped = new Map<number, number>();
  /** The units that fail with a message, each with the reason. */
  const refused = new Map<number, { readonly seq: number; readonly units: ReadonlyMap<string, string> }>();
  /** Cells whose next messages are committed one by one, each with their number. */
  const alone = new Map<number, number>();
  /** Cells in which a tick fails for some unit. */
  const clockFailed = new Set<number>();

  const delay = (cell: number, ms = RETRY_MS): void => void stopped.set(cell, performance.now() + ms);
  /** Finds the units whose rows the database refuses with the last message. */
  const findRefused = async (sealed: Sealed, message: string): Promise<void> => {
    const { cell, position: seq } = sealed;
    const found = await store.refusedUnits(sealed).catch(() => null);
    if (found === null) return;
    const known = refused.get(cell);
    const units = new Map(known?.seq === seq ? known.units : []);
    for (const [unitId, reason] of found) units.set(unitId, reason);
    if (found.size === 0) units.set('', `the database refuses it: ${message}`);
    refused.set(cell, { seq, units });
  };

  return {
    begin({ cell, unproven, trying }) {
      const isTrial = unproven > MOST_LOADS || trying !== null;
      if (isTrial) alone.set(cell, CAREFUL_MESSAGES);
      return isTrial;
    },
    waits: (cell) => (stopped.get(cell) ?? 0) > performance.now(),
    delay: (cell) => delay(cell),
    isAlone: (cell) => alone.has(cell),
    async handle(one, message) {
      const { run, from } = one;
      const { cell } = run;
      const bad = refused.get(cell);
      const guilty = new Map(bad?.seq === message.seq ? bad.units : []);
      const { trying } = from;
      if (trying !== null && trying.seq === message.seq && trying.tries >= MOST_TRIES)
        guilty.set(trying.unitId, `it ended its worker ${trying.tries} times`);
      if (clockFailed.has(cell) || one.isTrial) {
        const failing = await run.failing(message);
        if (failing.size > 0) clockFailed.delete(cell);
        for (const [unitId, reason] of failing) guilty.set(unitId, reason);
      }
      if (guilty.size > 0) await run.setAside(message, guilty);
      await run.handle(message);
      const left = (alone.get(cell) ?? 1) - 1;
      if (left > 0) alone.set(cell, left);
      else {
        alone.delete(cell);
        one.isTrial = false;
      }
    },
    async fail({ run, version }, error) {
      const { cell } = run;
      drop(cell);
      if (error instanceof ClockFailed) {
        alone.set(cell, CAREFUL_MESSAGES);
        clockFailed.add(cell);
        return delay(cell);
      }
      const { kind, code } = failureOf(error);
      delay(cell, kind === 'unavailable' ? RETRY_MS : LOOK_MS);
      if (kind !== 'unavailable') await store.alarm(cell, version, code).catch(() => {});
      onFailed(error);
    },
    async refuse(all, error) {
      const { kind, code, message } = failureOf(error);
      for (const [, { cell }] of all) {
        drop(cell);
        if (kind === 'unavailable') delay(cell);
        // One by one from here, to find the message that the database refuses.
        else alone.set(cell, CAREFUL_MESSAGES);
      }
      if (kind === 'unavailable') return onFailed(error);
      const [first] = all;
      if (all.length > 1 || first === undefined) return;
      const [one, sealed] = first;
      if (kind === 'alarm') {
        delay(sealed.cell, LOOK_MS);
        await store.alarm(sealed.cell, sealed.version, code).catch(() => {});
        onFailed(error);
      } else if (sealed.position - one.run.committed === 1) await findRefused(sealed, message);
    },
  };
}
