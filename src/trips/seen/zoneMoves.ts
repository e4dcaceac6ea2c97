/** Moves what a journal knows of a unit to the zones of an amended trip (T49b). */

import type { Visit } from '../../tracks/visit.js';
import { afterZoneChange, type Dwell } from '../../tracks/visitMachine.js';
import type { JournalRules, WatchedVisit } from './journalRules.js';
import type { RunUnit } from './runUnit.js';
import type { Sighted } from './stepKind.js';
import { type Step, ZoneWatch } from './zoneWatch.js';

/** A zone of the new plan, and the zones of the old plan that it continues. */
export interface ZoneMove {
  readonly zone: number;
  readonly olds: readonly { readonly zone: number; readonly isSame: boolean }[];
}

export interface ZoneMoves {
  readonly at: number;
  readonly zones: readonly ZoneMove[];
  /** The new zones, by id, that have another geometry since, or are new. */
  readonly changed: ReadonlySet<string>;
  /** The visits that serve settled points: they serve no other. */
  readonly served: ReadonlySet<Visit>;
  /** The new zones, by id, in which the unit is at the last fix, as far as visits go. */
  readonly carried: ReadonlySet<string>;
  /** Whether another unit took over since the last fix. */
  readonly isHanded: boolean;
}

/** The step to the fix after the last one. */
export interface NextStep {
  readonly fix: Sighted;
  readonly step: Step;
}

export interface Moved {
  readonly visits: readonly WatchedVisit[];
  readonly dwells: Dwell[];
  readonly watches: ReadonlyMap<string, ZoneWatch>;
  /** Copies of other watches for the new zones. */
  watchesOf(watches: ReadonlyMap<string, ZoneWatch>): Map<string, ZoneWatch>;
}

/** The fields of a journal that move. */
interface Kept {
  readonly last: Sighted | null;
  readonly visits: readonly WatchedVisit[];
  readonly watches: ReadonlyMap<string, ZoneWatch>;
  readonly odometer: { readonly meters: number };
}

/** Visits, dwells and watches of a journal in the new zones. */
export function movedTo(
  journal: Kept,
  { dwells }: RunUnit,
  { at, zones, served, isHanded }: ZoneMoves,
  rules: JournalRules,
  next: NextStep | null,
): Moved {
  const { last } = journal;
  const inside = new Set(last === null || isHanded ? [] : rules.index.at([last.lon, last.lat]));
  const { left, isAfterServed } = withoutServed(journal.visits, served);
  const visits: WatchedVisit[] = [];
  const newDwells: Dwell[] = [];
  const watches = new Map<string, ZoneWatch>();
  for (const { zone, olds } of zones) {
    const id = String(zone);
    const isOld = new Set(olds.map((old) => String(old.zone)));
    for (const { visit, evidence } of left)
      if (isOld.has(visit.zoneId)) visits.push({ visit: { ...visit, zoneId: id }, evidence });
    let carried: Dwell | null = null;
    for (const old of olds) {
      const oldId = String(old.zone);
      const dwell = dwells.find((own) => own.zoneId === oldId);
      const watch = journal.watches.get(oldId)?.fork();
      if (isAfterServed.has(oldId)) watch?.standApart();
      if (watch !== undefined && (!watches.has(id) || dwell !== undefined)) watches.set(id, watch);
      if (dwell === undefined) continue;
      if (!old.isSame && !inside.has(id)) {
        if (dwell.confirmed && watch !== undefined) {
          const fix = next?.fix ?? last!;
          watch.leave(at, journal.odometer.meters);
          visits.push({ visit: endedAt(dwell, id, at), evidence: watch.end(fix, next?.step ?? null) });
        }
        continue;
      }
      const own = old.isSame ? { ...dwell, zoneId: id } : stayingIn(dwell, id, last!.time);
      if (carried === null || own.enter < carried.enter) carried = own;
      if (watch !== undefined && carried === own) watches.set(id, watch);
    }
    if (carried === null && inside.has(id) && !olds.some(({ isSame }) => isSame)) {
      carried = afterZoneChange(id, at, rules.visitRules);
      const watch = watches.get(id) ?? new ZoneWatch(rules);
      watch.begin(at, next?.step.kind === 'hole', journal.odometer.meters);
      watches.set(id, watch);
    }
    if (carried !== null) newDwells.push(carried);
  }
  visits.sort((a, b) => endOf(a) - endOf(b));
  return {
    visits,
    dwells: newDwells,
    watches,
    watchesOf: (others) => {
      const copies = new Map<string, ZoneWatch>();
      for (const { zone, olds } of zones) {
        const other = olds.flatMap((old) => others.get(String(old.zone)) ?? [])[0];
        if (other !== undefined) copies.set(String(zone), other.fork());
      }
      return copies;
    },
  };
}

/**
 * The visits that serve no settled point, by which the unit came back to none of them (T18), and the zones of which the last visit serves one.
 */
function withoutServed(
  visits: readonly WatchedVisit[],
  served: ReadonlySet<Visit>,
): { readonly left: readonly WatchedVisit[]; readonly isAfterServed: ReadonlySet<string> } {
  const isAfterServed = new Set<string>();
  const left = visits.flatMap(({ visit, evidence }): WatchedVisit[] => {
    const { zoneId } = visit;
    if (served.has(visit)) {
      isAfterServed.add(zoneId);
      return [];
    }
    return [{ visit, evidence: isAfterServed.delete(zoneId) ? { ...evidence, drift: null } : evidence }];
  });
  return { left, isAfterServed };
}

function endOf({ visit }: WatchedVisit): number {
  return visit.exit ?? Number.POSITIVE_INFINITY;
}

/** The visit of a unit that is not in the zone as it is from then on. */
function endedAt({ enter, enterBounds, fixCount }: Dwell, zoneId: string, at: number): Visit {
  const exit = Math.max(at, enter);
  return {
    zoneId,
    seen: fixCount > 0 ? 'inside' : 'crossed',
    end: 'zone-changed',
    enter,
    exit,
    enterBounds,
    exitBounds: [exit, exit],
    fixCount,
  };
}

/** The dwell of a unit that is in the zone as it is from then on. */
function stayingIn(dwell: Dwell, zoneId: string, lastTime: number): Dwell {
  return { ...dwell, zoneId, exit: null, leftAt: null, lastInside: lastTime };
}

/** The visit that ended on the step of an amendment. Only its part after the amendment counts. `null` without such a visit. */
export function sinceAmended(visit: Visit, { at, changed, carried }: ZoneMoves): Visit | null {
  const { zoneId, end, enter, exit } = visit;
  if (!changed.has(zoneId) || end !== 'left') return visit;
  if (carried.has(zoneId) && enter <= at) return { ...visit, exit: Math.max(exit!, at) };
  if (exit! < at) return null;
  return { ...visit, enter: Math.max(enter, at) };
}

/** The dwells after the step of an amendment; a dwell counts only from the amendment on. */
export function dwellsSinceAmended(dwells: readonly Dwell[], { at, changed, carried }: ZoneMoves): Dwell[] {
  return dwells.flatMap((dwell) => {
    if (!changed.has(dwell.zoneId)) return [dwell];
    const isCarried = carried.has(dwell.zoneId) && dwell.enter <= at;
    if (dwell.exit !== null && dwell.exit.time < at) {
      if (!isCarried) return [];
      dwell.exit = { ...dwell.exit, time: at };
    }
    return [!isCarried && dwell.enter < at ? { ...dwell, enter: at } : dwell];
  });
}
