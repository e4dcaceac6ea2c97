/** The units of a company that a cell follows: their fleet, and the stored states that the replay has not reached. */

import { setImmediate as turn } from 'node:timers/promises';
import { WayzoneError } from 'wayzone';
import { type OperatorPlaces, UnitFleet } from 'wayzone/operator';
import type { UnitSettings } from 'wayzone/tracks';
import { readState } from './readState.js';
import type { RuledZones } from './zoneSource.js';

interface CompanyOptions {
  readonly zones: RuledZones;
  readonly states: readonly { readonly unitId: string; readonly seq: number; readonly state: string }[];
  readonly latenessSeconds: number;
  /** -Infinity before any tick. */
  readonly clock: number;
}

export interface CompanyUnits {
  readonly fleet: UnitFleet;
  /** Number of units that are followed. */
  readonly count: number;
  /** Whether a unit is followed, by its settings. */
  has(unitId: string): boolean;
  /** The first `wakeAt` of a unit, epoch milliseconds; Infinity: none. */
  wakeAt(): number;
  /** Takes over the stored states of messages before `seq`. `onTaken` gets the error of a state that cannot be read: its unit is not followed. */
  adoptUntil(seq: number, onTaken: (unitId: string, error: unknown) => void): void;
  /** Follows a unit from its stored state. Throws if it cannot be read. */
  adopt(unitId: string, state: string): void;
  exchange(zones: RuledZones): void;
  /** Gives a unit its settings. Those that cannot be read are left out. */
  configure(unitId: string, settings: UnitSettings | null): void;
  forget(unitId: string): void;
  /** The units that fail when the clock is raised from `clock` to `next`, each tried alone. `onUnit` is awaited before each. */
  failing(
    clock: number,
    next: number,
    onUnit?: (unitId: string) => Promise<void>,
  ): AsyncGenerator<{ readonly unitId: string; readonly error: unknown }>;
}

export function companyUnits({ zones: first, states, latenessSeconds, clock }: CompanyOptions): CompanyUnits {
  let zones = first;
  const fleetAt = (time: number): UnitFleet => {
    const made = new UnitFleet(placesOf(zones), { latenessSeconds });
    if (Number.isFinite(time)) made.advance(time);
    return made;
  };
  const fleet = fleetAt(clock);
  /** Units of the fleet with known settings: they have a state, or were configured. */
  const units = new Set<string>();
  /** Stored states that include later messages than the replay has reached, the earliest last. */
  const ahead = [...states].sort((a, b) => b.seq - a.seq);
  const adopt = (unitId: string, text: string): void => {
    try {
      fleet.adopt(readState(text));
      units.add(unitId);
    } catch (error) {
      fleet.forget(unitId);
      throw error;
    }
  };
  return {
    fleet,
    get count() {
      return units.size;
    },
    has: (unitId) => units.has(unitId),
    wakeAt() {
      let first = Number.POSITIVE_INFINITY;
      for (const unitId of units) first = Math.min(first, fleet.wakeAt(unitId) ?? first);
      return first;
    },
    adoptUntil(seq, onTaken) {
      while (ahead.length > 0 && ahead.at(-1)!.seq < seq) {
        const { unitId, state } = ahead.pop()!;
        let failure: unknown = null;
        try {
          adopt(unitId, state);
        } catch (error) {
          // A newer worker can read it.
          if (error instanceof WayzoneError && error.code === 'state-version') throw error;
          failure = error;
        }
        onTaken(unitId, failure);
      }
    },
    adopt,
    exchange(next) {
      zones = next;
      fleet.exchange(placesOf(next));
    },
    configure(unitId, settings) {
      units.add(unitId);
      for (const readable of lessAndLess(settings))
        try {
          return fleet.configure(unitId, readable);
        } catch (error) {
          if (!(error instanceof WayzoneError)) throw error;
        }
    },
    forget(unitId) {
      if (units.delete(unitId)) fleet.forget(unitId);
    },
    async *failing(before, next, onUnit) {
      for (const unitId of units) {
        await (onUnit === undefined ? turn() : onUnit(unitId));
        try {
          const alone = fleetAt(before);
          alone.adopt(fleet.state(unitId));
          alone.advance(next);
        } catch (error) {
          yield { unitId, error };
        }
      }
    },
  };
}

/** Yields the settings, then ever smaller parts of them, in case a part cannot be read: without the limit, the limit alone, nothing. */
function* lessAndLess(settings: UnitSettings | null): Generator<UnitSettings | null> {
  if (settings !== null && Object.keys(settings).length > 0) {
    yield settings;
    if (!Array.isArray(settings)) {
      const { advanced_speedlimit: limit, ...others } = settings as { readonly advanced_speedlimit?: number };
      yield others;
      if (limit !== undefined) yield { advanced_speedlimit: limit };
    }
  }
  yield null;
}

/** The index and the rules may be edited in place: limits are looked up when they are needed. */
function placesOf({ index, rules }: RuledZones): OperatorPlaces {
  return {
    zones: index,
    hoursOf: rules.hoursOf,
    thresholdsOf: rules.thresholdsOf,
    get speedLimitOf(): (zoneId: string) => number | null {
      return (rules.hasLimits ? rules.limitOf : undefined)!;
    },
  };
}
