/** The stays that may serve the points of a strict trip, by zone and by entry. */

import type { TripStay } from '../seen/tripStay.js';
import type { CouldBe } from './due.js';
import type { HeldPoints } from './heldPoints.js';
import type { Use } from './label.js';
import { type Costs, type IsCounted, NEVER, type Serving, type SharedStays, servingOf } from './serving.js';

export interface Candidate {
  readonly id: number;
  readonly stay: TripStay;
  readonly enter: number;
  readonly end: number;
  readonly isVague: boolean;
  readonly whole: Serving;
  /** Number of points that it may serve at most. */
  readonly most: number;
  /** Its uses as the first, a middle and the last one of neighbours. */
  readonly shared: readonly [Serving, Serving, Serving] | null;
}

export class StayCandidates {
  readonly all: readonly Candidate[];
  /** Whether the window is not over and some stay is a drive-by, which skips no point (T32). */
  readonly mayPassBy: boolean;
  readonly #byZone = new Map<number, Candidate[]>();
  /** By zone. */
  readonly #lastPoint: ReadonlyMap<number, number>;
  /** By zone: the earliest end of a seen stop from `begin` on. */
  readonly #stopEnds = new Map<number, number>();
  /** By list: number of points that the stays may serve at most which are not over at its turn. */
  readonly #mostFrom: readonly number[];

  constructor({ stays, zones, shared, isWindowOver, begin, held }: StrictRules) {
    this.#lastPoint = new Map(zones.map((zone, point) => [zone, point]));
    for (const zone of this.#lastPoint.keys()) this.#byZone.set(zone, []);
    const ofHeld = held.servings.flatMap((serving) => serving?.stay ?? []);
    const isHeld = new Set(ofHeld);
    const inOrder =
      ofHeld.length === 0
        ? stays
        : [...stays, ...ofHeld].sort((a, b) => a.enter - b.enter || a.zone - b.zone);
    this.all = inOrder
      .filter(({ zone }) => this.#lastPoint.has(zone))
      .map((stay, id) => {
        const { enter, exit } = stay;
        const candidate: Candidate = {
          id,
          stay,
          enter,
          // A held point keeps its visit, even after a later turn.
          end: isHeld.has(stay) ? Number.POSITIVE_INFINITY : (exit ?? Number.POSITIVE_INFINITY),
          isVague: !stay.isArrivalSeen,
          whole: servingOf(stay),
          most: isHeld.has(stay) ? 1 : shared.mostFor(stay),
          shared: shared.mostOf(stay.zone) > 1 ? sharedOf(stay) : null,
        };
        this.#byZone.get(stay.zone)!.push(candidate);
        if (stay.isSeenStop && stay.arrival[0] >= begin)
          this.#stopEnds.set(stay.zone, Math.min(this.stopEnd(stay.zone), stay.departure[1]));
        return candidate;
      });
    this.#mostFrom = this.#mostFromTurns();
    this.mayPassBy = !isWindowOver && this.all.some(({ stay }) => !stay.isStop);
  }

  /** The stays of a zone, by entry. */
  of(zone: number): readonly Candidate[] {
    return this.#byZone.get(zone)!;
  }

  /** When the first seen stop of a zone is over that may be out of turn (T28); Infinity without one. */
  stopEnd(zone: number): number {
    return this.#stopEnds.get(zone) ?? Number.POSITIVE_INFINITY;
  }

  /** The turn of the labels of a list: of list 0 none, of list `i + 1` the entry of stay `i`. */
  turnOf(list: number): number {
    return list === 0 ? NEVER : this.all[list - 1]!.enter;
  }

  /** Number of points that may be served at most from the turn of a list on. */
  mostFrom(list: number): number {
    return this.#mostFrom[list]!;
  }

  #mostFromTurns(): number[] {
    const byEnd = [...this.all].sort((a, b) => a.end - b.end);
    let left = byEnd.reduce((sum, { most }) => sum + most, 0);
    let ended = 0;
    return Array.from({ length: this.all.length + 1 }, (_, list) => {
      const turn = this.turnOf(list);
      for (; ended < byEnd.length && byEnd[ended]!.end < turn; ended++) left -= byEnd[ended]!.most;
      return left;
    });
  }

  /** Whether the list has a point of a zone after another one. */
  isNeededAfter({ zone }: TripStay, point: number): boolean {
    return this.#lastPoint.get(zone)! > point;
  }

  /** Whether a use may still improve after a point, once the turn is `turn`. */
  isLive({ id }: Use, point: number, turn: number): boolean {
    const { end, stay } = this.all[id]!;
    return end >= turn && this.isNeededAfter(stay, point);
  }
}

function sharedOf(stay: TripStay): readonly [Serving, Serving, Serving] {
  return [servingOf(stay, true, false), servingOf(stay, false, false), servingOf(stay, false, true)];
}

export interface StrictRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly shared: SharedStays;
  /** Whether the window is over, so that a drive-by skips points (T32). */
  readonly isWindowOver: boolean;
  /** The stays that may serve the first point; empty: it stays unserved. One of them serves it, if any can. */
  readonly forFirst: readonly TripStay[];
  /** A stay that ends exactly at the entry which serves the first point serves no other if that entry is not after this time (T27). */
  readonly after: number;
  /** Seen stops out of turn count from here on (T28). */
  readonly begin: number;
  /** Decides about points that were passed unseen (T32, T36). */
  readonly couldBe: CouldBe;
  /** Whether an arrival may depend on such points. */
  readonly hasVague: boolean;
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
  readonly windowFrom: number;
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  /** Whether the first point is assumed to have been passed unseen. */
  readonly isFirstUnseen: boolean;
  /** Points that are served already. */
  readonly held: HeldPoints;
  readonly isCounted: IsCounted;
}
