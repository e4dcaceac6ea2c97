/** Reads the histories of the late units of a message together: after an outage all fixes are late, and four statements a unit would take an hour of a large fleet. */

import type { CellCore } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import { EVER } from './reviseUnit.js';

export type HistoryAhead = Pick<CellStore, 'eventsOf' | 'firstFixOf' | 'fixesOf' | 'head'>;

/** Units of one reading, and fixes of each; a unit with more is read by itself. */
export const MOST_AHEAD = 100;
const MOST_FIXES = 500;

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
