/** The good fixes of columns: batch driver of `fixFilter.ts`. */

import { lonStep } from '../core/angles.js';
import type { BlindReason, TimedPosition } from '../core/fix.js';
import { type BlindCode, SEEN } from './blindStep.js';
import type { FixColumns } from './fixColumns.js';
import {
  blindAfter,
  emptyFilter,
  endFilter,
  type FilterSink,
  type FixFilter,
  filterNext,
  type LeftOutReason,
  type ReadableFix,
} from './fixFilter.js';
import { type FixRules, KPH_PER_METER_PER_MS, UNKNOWN } from './fixReader.js';
import { wayBound } from './isPlausible.js';

export interface ReadColumns {
  /** Indices of the good fixes. */
  readonly kept: Uint32Array;
  /** As in a `Track`. */
  readonly blind: Uint8Array | null;
  readonly blindAfter: BlindReason | null;
}

interface IndexedFix extends ReadableFix {
  readonly index: number;
}

/** Reads the fixes at the indices `order`, in order of time. Calls `leaveOut` for each that is not good, in any order. */
export function readColumns(
  columns: FixColumns,
  order: Uint32Array,
  rules: FixRules,
  leaveOut: (reason: LeftOutReason, fix: TimedPosition) => void,
): ReadColumns {
  const { time, lon, lat, speedKph, mileageMeters, mileageDeltaMeters } = columns;
  const kept = new Uint32Array(order.length);
  const blind = new Uint8Array(order.length);
  let hasBlind = false;
  const state: FixFilter<IndexedFix> = emptyFilter();
  const sink: FilterSink<FixFilter<IndexedFix>, IndexedFix> = {
    keep({ applied }, { index }, code: BlindCode) {
      kept[applied] = index;
      blind[applied] = code;
      hasBlind ||= code !== SEEN;
    },
    leaveOut: (_, fix, reason) => leaveOut(reason, fix),
    takeBack({ applied, repeats }) {
      // The example is the last repeat, as in a stream, which keeps no other.
      const last = placeOf(columns, kept[applied - 1]!);
      for (let k = 0; k < repeats; k++) leaveOut('frozen', last);
    },
    copy: (fix) => ({ ...fix }),
  };
  // One object for all fixes, so that reading allocates nothing.
  const fix = { index: 0, time: 0, lon: 0, lat: 0, speedKph: UNKNOWN, mileageMeters: UNKNOWN, mileageDeltaMeters: UNKNOWN }; // biome-ignore format: one line
  for (let k = 0; k < order.length; k++) {
    k = keepOrdinary(columns, order, k, rules.maxSpeedKph, state, kept, blind);
    if (k === order.length) break;
    const i = order[k]!;
    fix.index = i;
    fix.time = time[i]!;
    fix.lon = lon[i]!;
    fix.lat = lat[i]!;
    fix.speedKph = speedKph[i]!;
    fix.mileageMeters = mileageMeters === null ? UNKNOWN : mileageMeters[i]!;
    fix.mileageDeltaMeters = mileageDeltaMeters === null ? UNKNOWN : mileageDeltaMeters[i]!;
    filterNext(state, fix, rules, sink);
  }
  const after = blindAfter(state);
  endFilter(state, sink);
  const { applied } = state;
  return {
    kept: kept.subarray(0, applied),
    blind: hasBlind ? blind.slice(0, applied) : null,
    blindAfter: after,
  };
}

/**
 * Keeps the fixes from `from` on as `filterNext` does, as long as each is at another place than the last one and plausible by the cheap bound of
 * `isPlausible`. Returns the index of the first that is not.
 */
function keepOrdinary(
  { time, lon, lat, speedKph, mileageMeters }: FixColumns,
  order: Uint32Array,
  from: number,
  maxSpeedKph: number,
  state: FixFilter<IndexedFix>,
  kept: Uint32Array,
  blind: Uint8Array,
): number {
  if (state.applied === 0 || state.suspects !== null || state.isJammed || state.isFrozen) return from;
  let lastTime = state.time;
  let lastLon = state.lon;
  let lastLat = state.lat;
  let applied = state.applied;
  let k = from;
  for (; k < order.length; k++) {
    const i = order[k]!;
    const nextLon = lon[i]!;
    const nextLat = lat[i]!;
    if (nextLon === lastLon && nextLat === lastLat) break;
    const way = wayBound(nextLat - lastLat, lonStep(lastLon, nextLon));
    if (!(way * KPH_PER_METER_PER_MS <= maxSpeedKph * (time[i]! - lastTime))) break;
    kept[applied] = i;
    blind[applied++] = SEEN;
    lastTime = time[i]!;
    lastLon = nextLon;
    lastLat = nextLat;
  }
  if (k === from) return k;
  const last = order[k - 1]!;
  state.applied = applied;
  state.time = lastTime;
  state.lon = lastLon;
  state.lat = lastLat;
  state.speedKph = speedKph[last]!;
  state.mileageMeters = mileageMeters === null ? UNKNOWN : mileageMeters[last]!;
  state.placeTime = lastTime;
  state.repeats = 0;
  state.isFirst = false;
  return k;
}

function placeOf({ time, lon, lat }: FixColumns, i: number): TimedPosition {
  return { time: time[i]!, lon: lon[i]!, lat: lat[i]! };
}
