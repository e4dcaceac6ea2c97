/** The fixes of runs that were handed over: of the trip's unit while it is in charge, and of the units that took over. */

import type { Fix } from 'wayzone';
import { type Charge, chargesOf, type RunWindow, rowChanges } from 'wayzone/operator';
import type { UnitFix } from '../live/fixes.js';
import type { CellStore } from './cellStore.js';

type Run = Pick<RunWindow, 'trip' | 'date' | 'from' | 'to'>;

/** Whether another unit took over the run. */
export function isHanded({ trip, date }: Run): boolean {
  return handedUnits(trip, date).length > 0;
}

/** The stored fixes of the units that took over, while they are in charge. */
export async function handedFixes(
  store: Pick<CellStore, 'fixesOf'>,
  companyId: string,
  run: Run,
): Promise<UnitFix[]> {
  const fixes: UnitFix[] = [];
  for (const { unitId, from, to } of handedUnits(run.trip, run.date)) {
    const stored = await store.fixesOf(companyId, unitId, Math.max(from, run.from), Math.min(to - 1, run.to));
    for (const fix of stored) fixes.push({ unitId, fix });
  }
  return fixes;
}

/** The fixes of the trip's unit while it is in charge, with its id. */
export function ownFixes({ trip, date }: Run, fixes: readonly Fix[]): Fix[] {
  const own = chargesIn(trip, date).filter(({ unitId }) => unitId === trip.unit.id);
  return fixes
    .filter(({ time }) => own.some(({ from, to }) => Math.round(time) >= from && Math.round(time) < to))
    .map((fix) => withUnit(fix, trip.unit.id));
}

/** The fixes of all units in order of time. */
export function mergedUnits(run: Run, own: readonly Fix[], others: readonly UnitFix[]): Fix[] {
  const named = others.map(({ unitId, fix }) => withUnit(fix, unitId));
  return [...ownFixes(run, own), ...named].sort((a, b) => a.time - b.time);
}

const chargesKnown = new WeakMap<RunWindow['trip'], Map<string, readonly Charge[]>>();

/** Units in charge of a run, in order of time. */
function chargesIn(trip: RunWindow['trip'], date: string): readonly Charge[] {
  const byDate = chargesKnown.get(trip) ?? new Map<string, readonly Charge[]>();
  chargesKnown.set(trip, byDate);
  const charges = byDate.get(date) ?? chargesOf(trip.unit.id, rowChanges(trip, date));
  byDate.set(date, charges);
  return charges;
}

/** The units that took over a run, each with the time in which it is in charge; the trip's own unit is not among them. */
function handedUnits(trip: RunWindow['trip'], date: string): readonly Charge[] {
  return chargesIn(trip, date).filter(({ unitId }) => unitId !== trip.unit.id);
}

function withUnit(fix: Fix, unitId: string): Fix & { readonly unitId: string } {
  return { ...fix, unitId };
}
