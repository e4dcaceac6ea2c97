/** Neighbours of the list that one stay may serve (T24). */

import type { TripPlan } from '../plan/tripPlan.js';
import type { TripStay } from '../seen/tripStay.js';
import { dueOf } from './due.js';

interface SharedRules {
  readonly plan: TripPlan;
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly allowSharedVisit: boolean;
  readonly now: number;
  /** The stays after which no stay of their zone begins in the window; `null`: any may be shared. */
  readonly lastOnes: ReadonlySet<TripStay> | null;
}

/** The span that a stay of neighbours must last, by their plans: from the earliest end of their tolerances to the latest begin. */
export interface Spread {
  readonly latest: number;
  readonly earliest: number;
}

export class SharedStays {
  readonly #rules: SharedRules;
  /** By point: its plan − tolerance and its plan + tolerance, of the arrival, else of the departure. */
  readonly #spreads: readonly Spread[];
  /** By zone: number of points of its longest run of neighbours, if that is over 1. */
  readonly #most: ReadonlyMap<number, number>;
  /** By zone and whether the stay is open: `#leastAsked`. */
  readonly #asked = new Map<number, readonly number[]>();

  constructor(rules: SharedRules) {
    this.#rules = rules;
    this.#spreads = rules.plan.points.map((point) => {
      const due = dueOf(point, 'arrival') ?? dueOf(point, 'departure');
      return due === null
        ? NO_PLAN
        : { latest: due.plan - due.toleranceMs, earliest: due.plan + due.toleranceMs };
    });
    this.#most = rules.allowSharedVisit ? longestRuns(rules.zones) : new Map();
  }

  /** Number of points of the longest run of neighbours of a zone; 1 if none of its stays is shared. */
  mostOf(zone: number): number {
    return this.#most.get(zone) ?? 1;
  }

  /** The span of one point. */
  of(point: number): Spread {
    return this.#spreads[point]!;
  }

  /** The span of neighbours and the point after them; `null` where the stay may not serve that point too. */
  with({ latest, earliest }: Spread, point: number, stay: TripStay): Spread | null {
    const { plan, zones, now, lastOnes } = this.#rules;
    if (zones[point] !== zones[point - 1] || this.mostOf(zones[point]!) === 1) return null;
    const own = this.of(point);
    const both = { latest: Math.max(latest, own.latest), earliest: Math.min(earliest, own.earliest) };
    if (both.latest - both.earliest > stay.departure[1] - stay.arrival[0]) return null;
    if (stay.exit === null && now < plan.window.to && now < own.latest) return null;
    return lastOnes === null || lastOnes.has(stay) ? both : null;
  }

  /** Largest number of neighbours that a stay may serve, for any first neighbour and any later stays. */
  mostFor({ zone, exit, arrival, departure }: TripStay): number {
    if (this.mostOf(zone) === 1) return 1;
    const isOpen = exit === null && this.#rules.now < this.#rules.plan.window.to;
    const key = 2 * zone + (isOpen ? 1 : 0);
    const asked = this.#asked.get(key) ?? this.#leastAsked(zone, isOpen);
    this.#asked.set(key, asked);
    const lasted = departure[1] - arrival[0];
    let most = 1;
    while (most < asked.length && asked[most]! <= lasted) most++;
    return most;
  }

  /** By number of neighbours less 1: the least time that so many ask of a stay; of an open one those alone that it may serve by now. */
  #leastAsked(zone: number, isOpen: boolean): number[] {
    const { zones, now } = this.#rules;
    const asked: number[] = [];
    zones.forEach((own, first) => {
      let { latest, earliest } = this.of(first);
      for (let point = first; own === zone && zones[point] === zone; point++) {
        const next = this.of(point);
        if (isOpen && point > first && now < next.latest) break;
        latest = Math.max(latest, next.latest);
        earliest = Math.min(earliest, next.earliest);
        asked[point - first] = Math.min(asked[point - first] ?? latest - earliest, latest - earliest);
      }
    });
    return asked;
  }

  /** Number of neighbours from a point on that a stay may serve. */
  countFrom(point: number, stay: TripStay): number {
    let count = 1;
    for (let spread = this.of(point); ; count++) {
      const longer = this.with(spread, point + count, stay);
      if (longer === null) return count;
      spread = longer;
    }
  }
}

const NO_PLAN: Spread = { latest: Number.NEGATIVE_INFINITY, earliest: Number.POSITIVE_INFINITY };

function longestRuns(zones: readonly number[]): Map<number, number> {
  const most = new Map<number, number>();
  let length = 1;
  for (let i = 1; i < zones.length; i++) {
    length = zones[i] === zones[i - 1] ? length + 1 : 1;
    if (length > (most.get(zones[i]!) ?? 1)) most.set(zones[i]!, length);
  }
  return most;
}

/** The stays after which no stay of their zone begins in a window. `stays` are in order of `enter`. */
export function lastOnesOf(stays: readonly TripStay[], window: TripPlan['window']): Set<TripStay> {
  const last = new Map<number, number>();
  for (const { zone, enter } of stays) if (enter >= window.from && enter < window.to) last.set(zone, enter);
  return new Set(stays.filter(({ zone, enter }) => enter >= (last.get(zone) ?? enter)));
}
