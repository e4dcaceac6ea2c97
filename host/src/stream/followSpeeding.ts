/** The speeding of a company's units. Only units are followed to which a limit may apply: their own, or that of a zone. */

import { type Fix, WayzoneError } from 'wayzone';
import {
  type SpeedingEvent,
  SpeedingTracker,
  type StreamSnapshot,
  type TripDetectorSettings,
} from 'wayzone/tracks';
import type { SpeedingStreamEvent } from './streamEvent.js';
import type { RuledZones } from './zoneSource.js';

export interface FollowedSpeeding {
  /** Whether it is known if the unit has a limit of its own. */
  knows(unitId: string): boolean;
  /** Gives a unit its settings before its first fix. An unreadable limit counts as no limit. */
  configure(unitId: string, settings: TripDetectorSettings | null): void;
  push(unitId: string, fix: Fix, receivedAt: number): SpeedingStreamEvent[];
  advance(time: number): SpeedingStreamEvent[];
  /** null for a unit that is not followed. */
  stateOf(unitId: string): StreamSnapshot | null;
  adopt(unitId: string, state: StreamSnapshot | null): void;
  forget(unitId: string): void;
  /** All units that are followed, and the units whose settings are known. */
  all(): { readonly units: StreamSnapshot; readonly known: ReadonlySet<string> };
}

/** `before`: the units of the same company with other zones. */
export function followSpeeding(
  { index, rules }: RuledZones,
  { latenessSeconds, clock }: { readonly latenessSeconds: number; readonly clock: () => number },
  before: FollowedSpeeding | null,
): FollowedSpeeding {
  const { limitOf, thresholdsOf } = rules;
  const tracker = new SpeedingTracker({ index, zoneLimits: limitOf, thresholdsOf, latenessSeconds });
  if (Number.isFinite(clock())) tracker.advance(clock());
  const known = new Set<string>();
  const followed = new Set<string>();
  const adoptAll = (state: StreamSnapshot): void => {
    tracker.adopt(state);
    for (const { id } of state.units as readonly { readonly id: string }[]) followed.add(id);
  };
  if (before !== null) {
    const { units, known: configured } = before.all();
    adoptAll(units);
    for (const unitId of configured) known.add(unitId);
  }
  return {
    knows: (unitId) => known.has(unitId),
    configure(unitId, settings) {
      if (known.has(unitId)) return;
      known.add(unitId);
      if (!hasLimit(settings)) return;
      try {
        tracker.configure(unitId, settings);
        followed.add(unitId);
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
      }
    },
    push(unitId, fix, receivedAt) {
      // A unit that is followed stays so when limits are removed, since its speeding must end.
      if (rules.hasLimits) followed.add(unitId);
      else if (!followed.has(unitId)) return [];
      return tracker.push(unitId, fix, { receivedAt }).map(streamed);
    },
    advance: (time) => tracker.advance(time).map(streamed),
    stateOf: (unitId) => (followed.has(unitId) ? tracker.snapshot(unitId) : null),
    adopt(unitId, state) {
      known.add(unitId);
      if (state !== null) adoptAll(state);
    },
    forget(unitId) {
      tracker.forget(unitId);
      known.delete(unitId);
      followed.delete(unitId);
    },
    all: () => ({ units: tracker.snapshot(), known }),
  };
}

function streamed({ type, unitId, time, speeding }: SpeedingEvent): SpeedingStreamEvent {
  return { type, kind: 'speeding', unitId, time, speeding };
}

function hasLimit(settings: object | null): boolean {
  const { advanced_speedlimit: limit } = Object(settings) as { readonly advanced_speedlimit?: unknown };
  return Number(limit ?? 0) > 0;
}
