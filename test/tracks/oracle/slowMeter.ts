/** The meter of FEATURES.md section 0, step by step and without prefix sums. */

import type { Track } from '../../../src/core/fix.js';
import type { TripDetectorFields } from '../../../src/core/trackSettings.js';
import { distanceMeters } from '../../../src/index.js';
import { detectTrips, type GapOptions, type Measure } from '../../../src/tracks/index.js';

export interface SlowStep {
  readonly i: number;
  readonly from: number;
  readonly to: number;
  readonly kind: 'gap' | 'moving' | 'idling' | 'parked';
  readonly isSleep: boolean;
  readonly meters: number;
  /** Speed at both ends; null in a gap. */
  readonly speeds: readonly [number, number] | null;
}

const known = (value: number | undefined): number | null => (value === undefined || value < 0 ? null : value);

/** Geodesic by Karney, without the local formula. */
const straightOf = (t: Track, i: number): number =>
  distanceMeters([t.lon[i]!, t.lat[i]!], [t.lon[i + 1]!, t.lat[i + 1]!]);

/** `[from, to]` of the parkings and stops of a track: those of `detectTrips`, which has a twin of its own. */
export function restsOf(t: Track, settings: TripDetectorFields): (readonly [from: number, to: number])[] {
  const { parkings, stops } = detectTrips(t, settings);
  return [...parkings, ...stops].map(({ from, to }) => [from, to] as const);
}

/** `rests`: those of `restsOf`; `null`: each step is judged by itself, as a stream must. */
export function slowSteps(
  t: Track,
  settings: TripDetectorFields,
  gaps: GapOptions,
  rests: readonly (readonly [from: number, to: number])[] | null,
): SlowStep[] {
  const { maxGapSeconds = 3600, maxGapMeters = Infinity, parkedMeters = 200 } = gaps;
  const source = settings.tripdetector_mileagedetect ?? 'mileage_GPS';
  const k = Number(settings.advanced_mileagecoeff ?? 1);
  const minSpeed = Number(settings.tripdetector_minmovespeed ?? 3);
  const isPinned = Number(settings.tripdetector_gpscorrect ?? 0) === 1;
  const byIgnition = settings.key_tripdetector_movedetect === 'ignition';
  const speedOf = (i: number): number | null => known(t.speedKph?.[i]);
  const ignitionOf = (i: number): number => t.ignition?.[i] ?? 255;

  const measured: number[] = [];
  let reading: number | null = known(t.mileageMeters?.[0]);
  let behind = 0;
  for (let i = 0; i + 1 < t.length; i++) {
    const straight = straightOf(t, i);
    const reach = 1000 + (300 / 3600) * (t.time[i + 1]! - t.time[i]!);
    let meters = straight;
    if (source === 'mileage_GPS_ignition') meters = ignitionOf(i) === 0 ? 0 : straight;
    if (source === 'mileage_relative_mileage') {
      const growth = known(t.mileageDeltaMeters?.[i + 1]);
      if (growth !== null && growth <= reach) meters = growth;
    }
    if (source === 'mileage_mileage_sensor') {
      const next = known(t.mileageMeters?.[i + 1]);
      if (next === null) behind += straight;
      else {
        const isUsable = reading !== null && next >= reading && next - reading - behind <= reach;
        if (isUsable) meters = Math.max(0, next - reading! - behind);
        reading = next;
        behind = 0;
      }
    }
    measured.push(meters);
  }

  const gapAt = (i: number): 'gap' | 'sleep' | null => {
    const turn = Math.abs(t.lon[i + 1]! - t.lon[i]!) === 180;
    const straight = straightOf(t, i);
    const isLong = t.time[i + 1]! - t.time[i]! > maxGapSeconds * 1000 || straight > maxGapMeters;
    if (turn || (t.blind?.[i + 1] ?? 0) > 0) return 'gap';
    if (!isLong) return null;
    return straight <= parkedMeters && measured[i]! <= parkedMeters ? 'sleep' : 'gap';
  };
  const evenOf = (i: number): number => (straightOf(t, i) * 3600) / (t.time[i + 1]! - t.time[i]!);
  const moves = (i: number): boolean => {
    const isSeen = i > 0 && gapAt(i - 1) !== 'gap';
    const speed = speedOf(i) ?? (isSeen ? evenOf(i - 1) : null);
    return speed !== null && speed >= minSpeed && !(byIgnition && ignitionOf(i) === 0);
  };

  return Array.from({ length: Math.max(0, t.length - 1) }, (_, i): SlowStep => {
    const gap = gapAt(i);
    const seconds = (t.time[i + 1]! - t.time[i]!) / 1000;
    // A place is as wide as half the way at the least speed, from 15 to 50 m.
    const place = Math.max(15, Math.min(50, ((minSpeed / 3.6) * seconds) / 2));
    const isMoving = moves(i) || moves(i + 1) || straightOf(t, i) > place;
    const isRest = rests?.some(([from, to]) => from <= t.time[i]! && t.time[i + 1]! <= to) ?? false;
    const standing = ignitionOf(i) === 1 ? 'idling' : 'parked';
    const alone = gap === 'gap' ? 'gap' : gap === 'sleep' ? 'parked' : isMoving ? 'moving' : standing;
    const kind = isRest ? (gap === null ? standing : 'parked') : alone;
    const isStanding = rests === null ? kind === 'idling' || kind === 'parked' : isRest;
    const [a, b] = [speedOf(i), speedOf(i + 1)];
    const speeds = a !== null && b !== null ? ([a, b] as const) : ([evenOf(i), evenOf(i)] as const);
    return {
      i,
      from: t.time[i]!,
      to: t.time[i + 1]!,
      kind,
      isSleep: gap === 'sleep',
      meters: (isPinned && isStanding ? 0 : measured[i]!) * k,
      speeds: kind === 'gap' ? null : speeds,
    };
  });
}

export function speedIn({ from, to, speeds }: SlowStep, time: number): number | null {
  return speeds && speeds[0] + ((speeds[1] - speeds[0]) * (time - from)) / (to - from);
}

export function slowBetween(t: Track, steps: readonly SlowStep[], from: number, to: number): Measure {
  const seconds = { moving: 0, idling: 0, parked: 0, gap: 0 };
  const meters = { moving: 0, idling: 0, parked: 0, gap: 0 };
  const speeds: number[] = [];
  for (const step of steps) {
    const [low, high] = [Math.max(from, step.from), Math.min(to, step.to)];
    if (high < low || (high === low && from < to)) continue;
    seconds[step.kind] += (high - low) / 1000;
    meters[step.kind] += (step.meters * (high - low)) / (step.to - step.from);
    if (high > low || (step.from < from && from < step.to)) {
      for (const time of [low, high]) {
        const speed = speedIn(step, time);
        if (speed !== null) speeds.push(speed);
      }
    }
  }
  for (let i = 0; i < t.length; i++) {
    const own = known(t.speedKph?.[i]);
    if (t.time[i]! >= from && t.time[i]! <= to && own !== null) speeds.push(own);
    // A single instant of the track, at a fix without a speed.
    const [low, high] = [Math.max(from, t.time[0]!), Math.min(to, t.time[t.length - 1]!)];
    if (own !== null || t.time[i] !== low || low !== high) continue;
    const near = steps[i - 1]?.speeds?.[1] ?? steps[i]?.speeds?.[0];
    if (near !== undefined) speeds.push(near);
  }
  const durationSeconds = (to - from) / 1000;
  const distance = meters.moving + meters.idling + meters.parked;
  const mean = seconds.moving === 0 ? null : (meters.moving / seconds.moving) * 3.6;
  return {
    durationSeconds,
    movingSeconds: seconds.moving,
    idlingSeconds: seconds.idling,
    parkedSeconds: seconds.parked,
    unmeasuredSeconds: durationSeconds - seconds.moving - seconds.idling - seconds.parked,
    distanceMeters: distance,
    unmeasuredMeters: meters.gap,
    maxSpeedKph: speeds.length === 0 ? null : Math.max(...speeds, mean ?? 0),
    meanSpeedKph: mean,
  };
}
