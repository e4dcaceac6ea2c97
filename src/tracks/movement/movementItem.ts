/** Trips, parkings, stops and unknown times in their public form. */

import type { Position } from '../../core/geometry.js';
import { KPH_PER_METER_PER_MS } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import { LAT, LON, MICROMETERS, TIME, UNMEASURED } from '../stays/stayState.js';
import type { Mark } from './piece.js';
import type { TripSums } from './tripSums.js';
import type { UnknownReason } from './wayState.js';

/** A time of a unit. */
interface MovementSpan {
  /** Start of the item, epoch milliseconds. */
  readonly from: number;
  /** End of the item, epoch milliseconds. */
  readonly to: number;
  /** Position at the start, `[lon, lat]`. */
  readonly start: Position;
  /** Position at the end, `[lon, lat]`. */
  readonly end: Position;
  /** Metres, measured as `tripdetector_mileagedetect` says, times `advanced_mileagecoeff`. */
  readonly distanceMeters: number;
  /** From `from` to `to`. */
  readonly durationSeconds: number;
}

/** A trip, a parking or a stop. */
export interface MovementItem extends MovementSpan {
  /**
   * Greatest speed of its steps, km/h, at least the mean speed. For each step the reported speed counts if it explains the displacement.
   * Otherwise the displacement divided by the time counts (0 at rest). `null` if no speed is known.
   */
  readonly maxSpeedKph: number | null;
  /**
   * Number of steps that count by position, because the mileage is missing or grew faster than 300 km/h. Absent if `tripdetector_mileagedetect`
   * is `mileage_GPS`.
   */
  readonly unmeasuredSteps?: number;
  /** Of a parking: the median of its positions, `[lon, lat]`. */
  readonly centre?: Position;
  /**
   * Of a trip: duration of the steps that begin with the ignition off, seconds, for example on a ferry or a tow truck. `null` without an
   * ignition.
   */
  readonly ignitionOffSeconds?: number | null;
}

/** An unknown time: neither trip nor parking. */
export interface UnknownItem extends MovementSpan {
  /**
   * `gap`: a step longer than `advanced_maxintervalmsg`, except a sleep. `jump`: steps that are jumps, and the fixes between them. `short`:
   * movement too short for a trip, or a rest at an end of the track. `open`: the track ends before the end of the last parking is certain.
   */
  readonly reason: UnknownReason;
}

/** Kinds of items with a beginning and an end. */
export type MovementKind = 'trip' | 'parking' | 'stop' | 'unknown';

export function tripItem(
  from: Mark,
  to: Mark,
  { micrometers, unmeasured, offSeconds }: TripSums,
  maxKph: number,
  rules: MovementRules,
): MovementItem {
  const item = itemOf(from, to, micrometers, maxKph, unmeasured, rules);
  item.ignitionOffSeconds = offSeconds;
  return item;
}

export function parkingItem(
  from: Mark,
  to: Mark,
  maxKph: number,
  centre: Position,
  rules: MovementRules,
): MovementItem {
  const item = restItem(from, to, maxKph, rules);
  item.centre = centre;
  return item;
}

/** A parking without its centre, or a stop. */
export function restItem(from: Mark, to: Mark, maxKph: number, rules: MovementRules): Written<MovementItem> {
  const micrometers = rules.pinsParked ? 0 : to[MICROMETERS]! - from[MICROMETERS]!;
  const item = itemOf(from, to, micrometers, maxKph, to[UNMEASURED]! - from[UNMEASURED]!, rules);
  if (rules.pinsParked) item.end = item.start;
  return item;
}

export function unknownItem(from: Mark, to: Mark, reason: UnknownReason, rules: MovementRules): UnknownItem {
  return {
    from: from[TIME]!,
    to: to[TIME]!,
    start: positionOf(from),
    end: positionOf(to),
    distanceMeters: ((to[MICROMETERS]! - from[MICROMETERS]!) / 1e6) * rules.mileageFactor,
    durationSeconds: (to[TIME]! - from[TIME]!) / 1000,
    reason,
  };
}

/** An object under construction. One literal and assignments: spreads take ten times as long. */
type Written<Item> = { -readonly [field in keyof Item]: Item[field] };

function itemOf(
  from: Mark,
  to: Mark,
  micrometers: number,
  maxKph: number,
  unmeasured: number,
  rules: MovementRules,
): Written<MovementItem> {
  const milliseconds = to[TIME]! - from[TIME]!;
  const distanceMeters = (micrometers / 1e6) * rules.mileageFactor;
  const mean = (distanceMeters * KPH_PER_METER_PER_MS) / milliseconds;
  const item: Written<MovementItem> = {
    from: from[TIME]!,
    to: to[TIME]!,
    start: positionOf(from),
    end: positionOf(to),
    distanceMeters,
    durationSeconds: milliseconds / 1000,
    maxSpeedKph: maxKph < 0 ? null : Math.max(maxKph, mean),
  };
  if (rules.mileage !== 'mileage_GPS') item.unmeasuredSteps = unmeasured;
  return item;
}

export function positionOf(mark: Mark): Position {
  return [mark[LON]!, mark[LAT]!];
}
