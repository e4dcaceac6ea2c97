/** Computes a unit again from its stored history after late fixes. */

import type { UnitHistory } from 'wayzone/operator';
import type { AtStamp, CellCore, CoreEvent } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import { isMeetingEvent, isRunEvent, lastTimeOf, type StreamEvent, type UnitEvent } from './streamEvent.js';

export interface RevisedUnit {
  readonly cell: number;
  readonly companyId: string;
  readonly unitId: string;
  readonly at: AtStamp;
  /** Events that are not stored yet. */
  readonly events: readonly CoreEvent[];
}

/** Before every fix. */
export const EVER: number = Number.MIN_SAFE_INTEGER;

/**
 * The `revised` events, numbered from `at.ordinal` on. All sealed outputs must be committed. The history may be
 * ahead of the cell: the unit then skips its fixes of the messages that the history includes, so none of them may be too far ahead of its receipt.
 */
export async function reviseUnit(
  core: CellCore,
  store: Pick<CellStore, 'eventsOf' | 'firstFixOf' | 'fixesOf' | 'head'>,
  { cell, companyId, unitId, at, events }: RevisedUnit,
): Promise<CoreEvent[]> {
  const pending = events.flatMap(({ event }) => (event.unitId === unitId ? [event] : []));
  const first = (await store.firstFixOf(companyId, unitId)) ?? Number.POSITIVE_INFINITY;
  let known: UnitHistory = { from: null, events: [] };
  for (let demand = core.demand(companyId, unitId); demand !== null; ) {
    const from = demand.from === null || demand.from <= first ? null : demand.from;
    const emitted = [...(await store.eventsOf(companyId, unitId, from ?? EVER)), ...pending].filter(isOfUnit);
    known = { from, events: emitted.filter((event) => lastTimeOf(event) >= (from ?? EVER)) };
    demand = core.demand(companyId, unitId, known);
  }
  const since = known.from ?? EVER;
  // Before the fixes: they then include all messages up to it.
  const head = await store.head(cell);
  const fixes = await store.fixesOf(companyId, unitId, since);
  const stamp = Math.max(at.stamp, head.stamp ?? at.stamp);
  const revised = await core.revise(companyId, unitId, { ...at, stamp }, { ...known, fixes });
  core.skip(unitId, head.seq);
  return revised;
}

/** Whether the event is of the unit itself, not of a run or a pair. */
function isOfUnit(event: StreamEvent): event is UnitEvent {
  return !isRunEvent(event) && !isMeetingEvent(event);
}
