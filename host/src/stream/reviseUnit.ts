/** Computes a unit again from its stored history after late fixes. */

import type { UnitHistory } from 'wayzone/operator';
import type { UnitFix } from '../live/unitFix.js';
import { mergeFixes } from './fixOrder.js';
import type { AtStamp, CoreEvent, PartitionCore } from './partitionCore.js';
import { isMeetingEvent, isRunEvent, lastTimeOf, type StreamEvent, type UnitEvent } from './streamEvent.js';
import type { StreamStore } from './streamStore.js';

export interface RevisedUnit {
  readonly companyId: string;
  readonly unitId: string;
  readonly at: AtStamp;
  /** Fixes and events that are not stored yet. */
  readonly fixes: readonly UnitFix[];
  readonly events: readonly CoreEvent[];
}

/** Before every fix. */
const EVER = Number.MIN_SAFE_INTEGER;

/** The `revised` events, numbered from `at.ordinal` on. All sealed outputs must be committed. */
export async function reviseUnit(
  core: PartitionCore,
  store: Pick<StreamStore, 'eventsOf' | 'firstFixOf' | 'fixesOf'>,
  { companyId, unitId, at, fixes, events }: RevisedUnit,
): Promise<CoreEvent[]> {
  const pending = events.flatMap(({ event }) => (event.unitId === unitId ? [event] : []));
  const own = fixes.filter((one) => one.unitId === unitId);
  const times = own.map(({ fix }) => Math.round(fix.time));
  const first = Math.min((await store.firstFixOf(companyId, unitId)) ?? Number.POSITIVE_INFINITY, ...times);
  let known: UnitHistory = { from: null, events: [] };
  for (let demand = core.demand(companyId, unitId); demand !== null; ) {
    const from = demand.from === null || demand.from <= first ? null : demand.from;
    const emitted = [...(await store.eventsOf(companyId, unitId, from ?? EVER)), ...pending].filter(isOfUnit);
    known = { from, events: emitted.filter((event) => lastTimeOf(event) >= (from ?? EVER)) };
    demand = core.demand(companyId, unitId, known);
  }
  const since = known.from ?? EVER;
  const all = mergeFixes(
    await store.fixesOf(companyId, unitId, since),
    own.filter(({ fix }) => Math.round(fix.time) >= since),
  );
  return core.revise(companyId, unitId, at, { ...known, fixes: all });
}

/** Whether the event is of the unit itself, not of a run or a pair. */
function isOfUnit(event: StreamEvent): event is UnitEvent {
  return !isRunEvent(event) && !isMeetingEvent(event);
}
