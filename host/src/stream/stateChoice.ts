/** Selects the states that a checkpoint writes. */

import type { CellCore } from './cellCore.js';

/** `count`: the states that have waited longest. `companyId`: those of one company alone. `all`: all states that are out of date. */
export type StateChoice =
  | { readonly count: number; readonly companyId?: string }
  | { readonly companyId: string }
  | 'all';

/** The units of the choice whose stored states are older than message `position`, and the units of `forced`. */
export function chosenUnits(
  choice: StateChoice,
  core: Pick<CellCore, 'behind'>,
  position: number,
  forced: ReadonlySet<string>,
): Set<string> {
  const units = new Set(forced);
  let left = typeof choice === 'object' && 'count' in choice ? choice.count : Number.POSITIVE_INFINITY;
  const companyId = typeof choice === 'object' && 'companyId' in choice ? choice.companyId : undefined;
  for (const unitId of core.behind(position, companyId)) {
    if (left-- <= 0) break;
    units.add(unitId);
  }
  return units;
}
