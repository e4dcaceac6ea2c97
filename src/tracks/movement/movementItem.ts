/** Trips, parkings, stops and unknown times as they are reported, and issues with counts. */

import type { Issue } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { KPH_PER_METER_PER_MS } from '../fixReader.js';
import { mileageColumn } from '../mileageColumn.js';
import type { MovementRules } from '../movementRules.js';
import { LAT, LON, MICROMETERS, TIME, UNMEASURED } from '../stays/stayState.js';
import type { Mark, MovementCounts, TripSums, UnknownReason } from './wayState.js';

/** Fewer fixes in parkings that report motion are no issue. */
const LEAST_MOVING = 6;

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

/** `isMissing`: no fix of the track has the mileage that measures distances. */
export function movementIssues(counts: MovementCounts, rules: MovementRules, isMissing: boolean): Issue[] {
  const { steps, restSteps, offSteps, parkedFixes, movingFixes, contradictedTrips, trips, jumps } = counts;
  const issues: Issue[] = [];
  const warn = (issue: Omit<Issue, 'severity'>): void => {
    issues.push({ ...issue, severity: 'warning' });
  };
  const column = mileageColumn(rules.mileage);
  if (column !== null && (isMissing || counts.unmeasured > 0)) {
    const received = isMissing ? 'a track without it' : `${counts.unmeasured} steps without a usable one`;
    const message = `expected ${column} for ${rules.mileage}, received ${received}; these count by position`;
    warn({ code: 'mileage-missing', field: `track.${column}`, message });
  }
  if (contradictedTrips > 0)
    warn({
      code: 'mileage-contradicts',
      field: `track.${column}`,
      count: contradictedTrips,
      of: trips,
      message:
        `expected a mileage between half and twice the way by position, received ${quotients(counts)} of it for ${contradictedTrips} of ` +
        `${trips} trips, which count by position; 0 is a mileage that nobody connected, 0.001 one in kilometres`,
    });
  if (restSteps > 0)
    warn({
      code: 'speed-contradicts',
      field: 'track.speedKph',
      count: restSteps,
      of: steps,
      received: 'rest',
      message:
        `expected speeds that explain the displacement, received less than ${rules.minSpeedKph} km/h at both ends of ${restSteps} of ${steps} ` +
        'steps on which the unit drove; the positions decide',
    });
  if (movingFixes >= LEAST_MOVING && 2 * movingFixes > parkedFixes)
    warn({
      code: 'speed-contradicts',
      field: 'track.speedKph',
      count: movingFixes,
      of: parkedFixes,
      received: 'motion',
      message:
        `expected speeds below ${rules.minSpeedKph} km/h in parkings, received higher ones for ${movingFixes} of ${parkedFixes} fixes; the ` +
        'positions decide',
    });
  if (offSteps > 0)
    warn({
      code: 'ignition-contradicts',
      field: 'track.ignition',
      count: offSteps,
      of: steps,
      message:
        `expected the ignition on while the unit moves, received off for ${offSteps} of ${steps} steps of trips: the unit was towed or on a ` +
        'ferry, or its ignition wire is not connected',
    });
  if (jumps > 0)
    warn({
      code: 'jump-plausible',
      field: 'settings.tripdetector_maxdistancemsg',
      message:
        `expected steps up to ${rules.maxStepMeters} m, received ${jumps} longer ones up to ${rules.plausibleKph} km/h, ` +
        `which cut trips; raise tripdetector_maxdistancemsg or pass jump: 'speed'`,
    });
  return issues;
}

function quotients({ leastQuotient, mostQuotient }: MovementCounts): string {
  const [least, most] = [leastQuotient, mostQuotient].map((value) => Number(value.toPrecision(2)));
  return least === most ? `${least}` : `${least} to ${most}`;
}
