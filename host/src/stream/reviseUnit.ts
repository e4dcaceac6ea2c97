/** Computes a unit again from its stored history after late fixes; the histories of many late units are read together. */

import type { UnitHistory } from 'wayzone/operator';
import type { AtStamp, CellCore, CoreEvent } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import { isMeetingEvent, isRunEvent, lastTimeOf, type StreamEvent, type UnitEvent } from './streamEvent.js';

const MOST_FIXES = 500;

interface RevisedUnit {
  readonly cell: number;
  readonly companyId: string;
  readonly unitId: string;
  readonly at: AtStamp;
  /** Events that are not stored yet. */
  readonly events: readonly CoreEvent[];
}

/** Before every fix. */
const EVER: number = Number.MIN_SAFE_INTEGER;

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

export type HistoryAhead = Pick<CellStore, 'eventsOf' | 'firstFixOf' | 'fixesOf' | 'head'>;

/** Units of one reading, and fixes of each; a unit with more is read by itself. */
export const MOST_AHEAD = 100;

/** What `reviseUnit` asks for, from memory where its first demand is enough. */
export async function historyAhead(
  core: Pick<CellCore, 'demand'>,
  store: HistoryAhead & Pick<CellStore, 'eventsOfUnits' | 'firstFixesOf' | 'fixesOfUnits'>,
  cell: number,
  companyId: string,
  unitIds: readonly string[],
): Promise<HistoryAhead> {
  const firsts = await store.firstFixesOf(companyId, unitIds);
  const units = unitIds.flatMap((unitId) => {
    const from = demandOf(core, companyId, unitId);
    if (from === undefined) return [];
    const first = firsts.get(unitId) ?? Number.POSITIVE_INFINITY;
    return [{ unitId, from: from === null || from <= first ? EVER : from }];
  });
  const fromOf = new Map(units.map(({ unitId, from }) => [unitId, from]));
  const events = await store.eventsOfUnits(companyId, units);
  // Before the fixes: they then include all messages up to it.
  const head = await store.head(cell);
  const fixes = await store.fixesOfUnits(companyId, units, MOST_FIXES);
  return {
    firstFixOf: async (_, unitId) => firsts.get(unitId) ?? null,
    eventsOf: async (_, unitId, from) =>
      fromOf.get(unitId) === from ? (events.get(unitId) ?? []) : store.eventsOf(companyId, unitId, from),
    head: async () => head,
    fixesOf: async (_, unitId, from) => {
      const read = fromOf.get(unitId) === from ? fixes.get(unitId) : undefined;
      return read === undefined ? store.fixesOf(companyId, unitId, from) : read();
    },
  };
}

/** The start of the history; `undefined` for a unit that needs none, or fails: it then fails alone, when it is revised. */
function demandOf(
  core: Pick<CellCore, 'demand'>,
  companyId: string,
  unitId: string,
): number | null | undefined {
  try {
    return core.demand(companyId, unitId)?.from;
  } catch {
    return undefined;
  }
}
