/** Follows a unit again that was set aside: over its last state and its history, from which the fixes that the operator skips are deleted. */

import type { CellStore } from './cellStore.js';
import { decodeMessage, givenUp, type LogMessage, partOfUnit, type RetryMessage } from './message.js';
import type { UnitsAside } from './unitsAside.js';

export interface Resumed {
  readonly companyId: string;
  readonly unitId: string;
  /** As `asideOf` of the store returns it. */
  readonly state: string | null;
  /** The earliest fix that the state may lack, epoch milliseconds. */
  readonly from: number;
}

/**
 * Calls `follow` with the unit. If it fails, or a message still cannot be read, the unit is set aside again with all messages that were not
 * skipped. A unit that is not set aside, or that was set aside again before this message, stays as it is.
 */
export async function resumeUnit(
  { companyId, unitId, skip }: RetryMessage,
  { seq, stamp }: LogMessage,
  aside: UnitsAside,
  store: Pick<CellStore, 'asideOf' | 'forgetFixes'>,
  follow: (resumed: Resumed) => Promise<void>,
): Promise<void> {
  if (!aside.units.has(unitId) || aside.hasFailed(unitId)) return;
  const { state, rows } = await store.asideOf(companyId, unitId);
  const { unit, rows: waiting } = aside.take(unitId)!;
  const payloadsOf = (isSkipped: boolean): Uint8Array[] =>
    [...rows, ...waiting].flatMap((row) => (skip.includes(row.seq) === isSkipped ? [row.payload] : []));
  const skipped = givenUp(partOfUnit(companyId, unitId, payloadsOf(true)));
  if (skipped.length > 0) await store.forgetFixes(companyId, unitId, skipped);
  const payloads = payloadsOf(false);
  aside.begin({ seq, stamp, payloads });
  await aside.each({ companyId, unitId }, async () => {
    const message = decodeMessage(partOfUnit(companyId, unitId, payloads), stamp);
    if (message.kind !== 'fixes') return;
    const bad = message.bad?.get(unitId);
    if (bad !== undefined) throw new Error(bad);
    const from = Math.min(unit.from, ...message.fixes.map(({ fix }) => Math.round(fix.time)));
    await follow({ companyId, unitId, state, from });
  });
}
