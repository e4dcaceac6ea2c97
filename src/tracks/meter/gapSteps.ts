/** Finds the gaps of a track, and the distances of the other steps on demand: for callers that need few of them. */

import type { Track } from '../../core/fix.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/distanceMeters.js';
import { blindStep } from '../blindStep.js';
import { KPH_PER_METER_PER_MS } from '../fixReader.js';
import { isGapStep } from '../isGapStep.js';
import { measureSteps, type SteppedTrack } from './stepColumns.js';
import { GAP, type MeterRules, MOVING, SLEEP } from './stepMeter.js';

/** The steps of a checked track, which must not change meanwhile. `kind` tells gaps and sleeps from other steps only. */
export function gapSteps(track: Track, rules: MeterRules): SteppedTrack {
  const isByPosition = rules.mileage === 'mileage_GPS' && !rules.pinsParked;
  if (!isByPosition || rules.maxGapMeters < Number.POSITIVE_INFINITY) return measureSteps(track, rules, null);
  const { length, time, lon, lat, speedKph } = track;
  const kind = new Uint8Array(length).fill(MOVING);
  for (let i = 0; i + 1 < length; i++) {
    const milliseconds = time[i + 1]! - time[i]!;
    const blind = blindStep(track, i + 1);
    if (!isGapStep(milliseconds, lon[i]!, lon[i + 1]!, rules.maxGapMs, blind)) continue;
    const isSleep = !isGapStep(0, lon[i]!, lon[i + 1]!, 0, blind) && isNear(track, i, rules.parkedMeters);
    kind[i] = isSleep ? SLEEP : GAP;
  }
  const straight = (i: number): number => geodesicDistance(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!);
  return {
    length,
    time,
    speedKph,
    kind,
    metersOf: (i) => straight(i) * rules.mileageFactor,
    evenKphOf: (i) => (straight(i) * KPH_PER_METER_PER_MS) / (time[i + 1]! - time[i]!),
  };
}

function isNear({ lon, lat }: Track, i: number, meters: number): boolean {
  return decidedDistance(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!, meters) <= meters;
}
