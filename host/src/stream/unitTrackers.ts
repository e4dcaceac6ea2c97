/** The trackers of a company's units: visits to its zones, and movement by each unit's own settings. */

import { type Fix, WayzoneError, type ZoneIndex } from 'wayzone';
import {
  MovementTracker,
  type StreamSnapshot,
  type TripDetectorSettings,
  type Visit,
  VisitTracker,
} from 'wayzone/tracks';
import type { StreamEvent } from './streamEvent.js';
import type { UnitState } from './unitState.js';

export interface UnitTrackers {
  /** Whether the unit's movement is tracked, which needs its settings. */
  knows(unitId: string): boolean;
  /** Gives a unit its settings before its first fix. Settings that the trip detector rejects are replaced by the defaults. */
  configure(unitId: string, settings: TripDetectorSettings | null): void;
  /** Applies a fix. The events of visits come first. */
  push(unitId: string, fix: Fix, receivedAt: number): StreamEvent[];
  /** Raises the clock to `time`, epoch milliseconds. The events are in order of unit ids. */
  advance(time: number): StreamEvent[];
  /** Number of fixes of the unit that were too late. */
  lateCount(unitId: string): number;
  /** Whether no fix of the unit waits for the lateness. */
  isSettled(unitId: string): boolean;
  /** The visits of a unit that are under way, whether emitted or not. */
  openVisits(unitId: string): Visit[];
  stateOf(unitId: string): UnitState;
  adopt(state: UnitState): void;
  forget(unitId: string): void;
  /** Trackers of the same units with another index. */
  over(index: ZoneIndex): UnitTrackers;
  /** Empty trackers without a clock, with the same index. */
  fresh(): UnitTrackers;
}

export interface TrackersOptions {
  readonly latenessSeconds: number;
  /** Epoch milliseconds; -Infinity before the first tick. */
  readonly clock: () => number;
}

/** The part that does not depend on the zones. */
interface Movement {
  readonly tracker: MovementTracker;
  readonly known: Set<string>;
}

export function unitTrackers(index: ZoneIndex, options: TrackersOptions): UnitTrackers {
  const { latenessSeconds, clock } = options;
  const tracker = new MovementTracker({}, { latenessSeconds });
  if (Number.isFinite(clock())) tracker.advance(clock());
  return trackersOver(index, options, { tracker, known: new Set() }, null);
}

/** `units`: snapshots of the visits to begin with. */
function trackersOver(
  index: ZoneIndex,
  options: TrackersOptions,
  moved: Movement,
  units: StreamSnapshot | null,
): UnitTrackers {
  const { latenessSeconds, clock } = options;
  const { tracker: movement, known } = moved;
  const visits = new VisitTracker(index, { latenessSeconds });
  if (Number.isFinite(clock())) visits.advance(clock());
  if (units !== null) visits.adopt(units);

  return {
    knows: (unitId) => known.has(unitId),
    configure(unitId, settings) {
      known.add(unitId);
      if (settings === null || Object.keys(settings).length === 0) return;
      try {
        movement.configure(unitId, settings);
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
      }
    },
    push: (unitId, fix, receivedAt) => [
      ...visits.push(unitId, fix, { receivedAt }),
      ...movement.push(unitId, fix, { receivedAt }),
    ],
    advance: (time) =>
      // Sorts by unit id: trackers keep the order of arrival, which a restart cannot reproduce.
      [...visits.advance(time), ...movement.advance(time)].sort((a, b) =>
        a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0,
      ),
    lateCount: (unitId) => visits.counts(unitId).late,
    isSettled: (unitId) => visits.counts(unitId).pending === visits.suspects(unitId),
    openVisits: (unitId) => visits.openVisits(unitId),
    stateOf: (unitId) => ({ visits: visits.snapshot(unitId), movement: movement.snapshot(unitId) }),
    adopt(state) {
      visits.adopt(state.visits);
      if (state.movement === null) return;
      movement.adopt(state.movement);
      for (const { id } of state.movement.units as readonly { readonly id: string }[]) known.add(id);
    },
    forget(unitId) {
      visits.forget(unitId);
      movement.forget(unitId);
      known.delete(unitId);
    },
    fresh: () => unitTrackers(index, { latenessSeconds, clock: () => Number.NEGATIVE_INFINITY }),
    over: (other) => trackersOver(other, options, moved, visits.snapshot()),
  };
}
