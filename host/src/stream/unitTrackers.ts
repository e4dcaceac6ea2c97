/** The trackers of a company's units: visits to its zones, movement by each unit's own settings, and speeding by both. */

import { type Fix, WayzoneError } from 'wayzone';
import {
  type HoursEvent,
  MovementTracker,
  type StreamSnapshot,
  type TripDetectorSettings,
  type Visit,
  type VisitEvent,
  VisitTracker,
} from 'wayzone/tracks';
import { type FollowedSpeeding, followSpeeding } from './followSpeeding.js';
import type { StreamEvent } from './streamEvent.js';
import type { UnitState } from './unitState.js';
import type { RuledZones } from './zoneSource.js';

export interface UnitTrackers {
  /** Whether the unit's settings are known, which movement and speeding need. */
  knows(unitId: string): boolean;
  /** Gives a unit its settings before its first fix. Settings that the trip detector rejects are replaced by the defaults. */
  configure(unitId: string, settings: TripDetectorSettings | null): void;
  /** Applies a fix. The events of visits come first, then those of movement, then those of speeding. */
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
  /** Trackers of the same units with other zones. */
  over(zones: RuledZones): UnitTrackers;
  /** Empty trackers without a clock, with the same zones. */
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

export function unitTrackers(zones: RuledZones, options: TrackersOptions): UnitTrackers {
  const { latenessSeconds, clock } = options;
  const tracker = new MovementTracker({}, { latenessSeconds });
  if (Number.isFinite(clock())) tracker.advance(clock());
  return trackersOver(zones, options, { tracker, known: new Set() }, null, null);
}

/** `units`: snapshots of the visits to begin with. */
function trackersOver(
  zones: RuledZones,
  options: TrackersOptions,
  moved: Movement,
  units: StreamSnapshot | null,
  driven: FollowedSpeeding | null,
): UnitTrackers {
  const { index, rules } = zones;
  const { latenessSeconds, clock } = options;
  const { tracker: movement, known } = moved;
  const { hoursOf } = rules;
  const visits = new VisitTracker<VisitEvent | HoursEvent>(index, { latenessSeconds, hoursOf });
  if (Number.isFinite(clock())) visits.advance(clock());
  if (units !== null) visits.adopt(units);
  const speeding = followSpeeding(zones, options, driven);
  /** An `enter` of a zone with hours has the field `open`. */
  const told = (events: readonly (VisitEvent | HoursEvent)[]): StreamEvent[] =>
    events.map((event) => {
      if (event.type !== 'enter' || hoursOf(event.zoneId) !== null) return event;
      const { open: _, ...rest } = event;
      return rest;
    });

  return {
    knows: (unitId) => known.has(unitId) && speeding.knows(unitId),
    configure(unitId, settings) {
      speeding.configure(unitId, settings);
      // The settings of a state from before speeding was followed stay as they are.
      if (known.has(unitId)) return;
      known.add(unitId);
      if (settings === null || Object.keys(settings).length === 0) return;
      try {
        movement.configure(unitId, settings);
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
      }
    },
    push: (unitId, fix, receivedAt) => [
      ...told(visits.push(unitId, fix, { receivedAt })),
      ...movement.push(unitId, fix, { receivedAt }),
      ...speeding.push(unitId, fix, receivedAt),
    ],
    advance: (time) =>
      // Sorts by unit id: trackers keep the order of arrival, which a restart cannot reproduce.
      [...told(visits.advance(time)), ...movement.advance(time), ...speeding.advance(time)].sort((a, b) =>
        a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0,
      ),
    lateCount: (unitId) => visits.counts(unitId).late,
    isSettled: (unitId) => visits.counts(unitId).pending === visits.suspects(unitId),
    openVisits: (unitId) => visits.openVisits(unitId),
    stateOf: (unitId) => ({
      visits: visits.snapshot(unitId),
      movement: movement.snapshot(unitId),
      ...(speeding.knows(unitId) && { speeding: speeding.stateOf(unitId) }),
    }),
    adopt(state) {
      visits.adopt(state.visits);
      const [unit] = state.visits.units as readonly { readonly id: string }[];
      if (unit !== undefined && state.speeding !== undefined) speeding.adopt(unit.id, state.speeding);
      if (state.movement === null) return;
      movement.adopt(state.movement);
      for (const { id } of state.movement.units as readonly { readonly id: string }[]) known.add(id);
    },
    forget(unitId) {
      visits.forget(unitId);
      movement.forget(unitId);
      speeding.forget(unitId);
      known.delete(unitId);
    },
    fresh: () => unitTrackers(zones, { latenessSeconds, clock: () => Number.NEGATIVE_INFINITY }),
    over: (other) => trackersOver(other, options, moved, visits.snapshot(), speeding),
  };
}
