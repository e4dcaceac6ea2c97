/** Which states a checkpoint writes. */

import type { PartitionCore } from './partitionCore.js';

/** A number of those that wait longest, one company's, or all that are behind. */
export type StateChoice = { readonly count: number } | { readonly companyId: string } | 'all';

/** The units of the choice, and those that must be written. */
export function chosenUnits(
  choice: StateChoice,
  core: Pick<PartitionCore, 'behind'>,
  forced: ReadonlySet<string>,
): Set<string> {
  const units = new Set(forced);
  let left = typeof choice === 'object' && 'count' in choice ? choice.count : Number.POSITIVE_INFINITY;
  for (const unitId of core.behind(
    typeof choice === 'object' && 'companyId' in choice ? choice.companyId : undefined,
  )) {
    if (left-- <= 0) break;
    units.add(unitId);
  }
  return units;
}
