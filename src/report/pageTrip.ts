/** Runs of trips for the page: plan against actual times, and distance over time. */

import { HOUR_MS } from '../core/durations.js';
import type { Track } from '../core/fix.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import { geodesicDistance } from '../geodesy/distanceMeters.js';
import { explainTrip, type PlannedPoint, type TripReport } from '../trips/index.js';
import type { PointReport } from '../trips/terms/tripReport.js';

/** A point of a trip on the map; `outline` is null for a bare position. */
export interface TripPointShape {
  readonly lonLat: readonly Position[];
  readonly outline: Polygon | MultiPolygon | null;
}

/** A run to show. Runs of one trip share `shapes`. */
export interface ShownTrip {
  readonly name: string;
  readonly report: TripReport;
  /** Planned points, for their tolerances, which the report does not contain. */
  readonly plan: readonly PlannedPoint[];
  readonly shapes: readonly TripPointShape[];
}

export interface PageTripPoint
  extends Pick<
    PointReport,
    | 'name'
    | 'status'
    | 'plannedArrival'
    | 'plannedDeparture'
    | 'arrival'
    | 'arrivalBounds'
    | 'departure'
    | 'departureBounds'
    | 'arrivalStatus'
    | 'departureStatus'
    | 'overdueSeconds'
    | 'outOfOrder'
  > {
  readonly arrivalSeconds: number | null;
  readonly departureSeconds: number | null;
  readonly predictedArrival: number | null;
  /** A sentence about the point. */
  readonly text: string;
  /** Planned time with its tolerance: `[earliest, latest]`, epoch milliseconds. */
  readonly window: readonly [number, number] | null;
  /** Place of the point on the graph's distance axis, metres. */
  readonly at: number;
}

export interface PageTrip {
  /** The point's id, or its name if it has no id. */
  readonly id: string;
  readonly name: string;
  readonly unitId: string;
  /** Index of the unit; -1 if it has no track. */
  readonly unit: number;
  readonly date: string;
  readonly timeZone: string;
  readonly order: string;
  readonly status: string;
  /** Activation of the run; `assumed` if none was seen. */
  readonly activation: string | null;
  readonly activatedAt: number | null;
  readonly finishedAt: number | null;
  readonly passed: number;
  readonly onTime: number;
  readonly uncertain: number;
  readonly noData: number;
  readonly violations: number;
  readonly meters: number | null;
  readonly text: string;
  readonly points: readonly PageTripPoint[];
  /** Time span of the graph, epoch milliseconds. */
  readonly span: readonly [number, number];
  /** Lines between gaps: `[ms after span[0], metres, …]`. */
  readonly way: readonly (readonly number[])[];
  /** Index of the run's shapes in `tripShapes`. */
  readonly shapes: number;
}

/** Largest number of steps of a line across the graph. */
const MAX_STEPS = 500;

export function pageTrip(
  { name, report, plan }: ShownTrip,
  unit: number,
  track: Track | null,
  shapes: number,
  maxGapMs: number,
  language: string = 'en',
): PageTrip {
  const explanation = explainTrip(report, language);
  const windows = plan.map(windowOf);
  const span = spanOf(report, windows, track);
  const way = track === null ? [] : wayOf(track, span, maxGapMs);
  const ats = placesOf(report, way);
  return {
    id: report.tripId ?? name,
    name,
    unitId: report.unitId ?? '',
    unit,
    date: report.date,
    timeZone: report.timeZone,
    order: report.passageOrder,
    status: report.status,
    activation: report.activation,
    activatedAt: report.activatedAt,
    finishedAt: report.finishedAt,
    passed: report.totals.passed,
    onTime: report.totals.onTime,
    uncertain: report.totals.uncertain,
    noData: report.totals.noData,
    violations: report.violations.length,
    meters: report.totals.distanceMeters,
    text: explanation.trip,
    points: report.points.map((point, i) => ({
      name: point.name,
      status: point.status,
      plannedArrival: point.plannedArrival,
      plannedDeparture: point.plannedDeparture,
      arrival: point.arrival,
      arrivalBounds: unseen(point.arrivalBounds),
      departure: point.departure,
      departureBounds: unseen(point.departureBounds),
      arrivalSeconds: point.arrivalDeviationSeconds,
      departureSeconds: point.departureDeviationSeconds,
      arrivalStatus: point.arrivalStatus,
      departureStatus: point.departureStatus,
      overdueSeconds: point.overdueSeconds,
      predictedArrival: point.predictedArrival ?? null,
      outOfOrder: point.outOfOrder,
      text: explanation.points[i]!,
      window: windows[i] ?? null,
      at: Math.round(ats[i]!),
    })),
    span,
    way: way.map((stretch) => stretch.flatMap(({ time, meters }) => [time - span[0], Math.round(meters)])),
    shapes,
  };
}

function unseen(bounds: readonly [number, number] | null): readonly [number, number] | null {
  return bounds === null || bounds[0] === bounds[1] ? null : bounds;
}

function windowOf(point: PlannedPoint): [number, number] | null {
  const shifted = (time: number | null, seconds: number | null, side: -1 | 1): number[] =>
    time === null ? [] : [time + side * 1000 * (seconds ?? 0)];
  const { plannedArrival, plannedDeparture, arrivalToleranceSeconds, departureToleranceSeconds } = point;
  const [from] = [
    ...shifted(plannedArrival, arrivalToleranceSeconds, -1),
    ...shifted(plannedDeparture, departureToleranceSeconds, -1),
  ];
  const [to] = [
    ...shifted(plannedDeparture, departureToleranceSeconds, 1),
    ...shifted(plannedArrival, arrivalToleranceSeconds, 1),
  ];
  return from === undefined || to === undefined ? null : [Math.min(from, to), Math.max(from, to)];
}

/** From the first to the last time of the run, with a margin on both sides. */
function spanOf(
  { points, activatedAt, finishedAt, window }: TripReport,
  windows: readonly (readonly [number, number] | null)[],
  track: Track | null,
): [number, number] {
  const times = [
    activatedAt,
    finishedAt,
    ...windows.flat(),
    ...points.flatMap(({ arrival, departure, predictedArrival = null }) => [
      arrival,
      departure,
      predictedArrival,
    ]),
  ];
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    if (time === null) continue;
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  if (from > to) {
    const first = track?.time[0] ?? window.from;
    const last = track?.time[track.length - 1] ?? window.to;
    [from, to] = [Math.max(window.from, first), Math.min(window.to, last)];
    if (from > to) [from, to] = [window.from, window.to];
  }
  const pad = Math.max(0.03 * (to - from), from === to ? HOUR_MS : 0);
  return [Math.round(from - pad), Math.round(to + pad)];
}

interface TripPlace {
  readonly time: number;
  readonly meters: number;
}

/** Distance over time, metres from the start of the span. A gap longer than `maxGapMs` ends a line and adds no distance. */
function wayOf(
  { length, time, lon, lat }: Track,
  [from, to]: readonly [number, number],
  maxGapMs: number,
): TripPlace[][] {
  const stretches: TripPlace[][] = [];
  let stretch: TripPlace[] = [];
  let meters = 0;
  const step = (to - from) / MAX_STEPS;
  for (let i = 0; i < length; i++) {
    const here = time[i]!;
    if (here < from) continue;
    if (here > to) break;
    const isGap = i > 0 && here - time[i - 1]! > maxGapMs;
    if (stretch.length > 0 && !isGap) meters += geodesicDistance(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!);
    if (stretch.length === 0 || isGap) {
      stretch = [];
      stretches.push(stretch);
    }
    const before = stretch[stretch.length - 2];
    // The last point of a line is replaced while it is less than a step from the point before it.
    if (before !== undefined && here - before.time < step) stretch.pop();
    stretch.push({ time: here, meters });
  }
  return stretches;
}

/** The distance of each point on the graph, metres: at its arrival, else at its planned time, else between its neighbours. */
function placesOf({ points }: TripReport, way: readonly (readonly TripPlace[])[]): number[] {
  const known = points.map(({ arrival, plannedArrival, plannedDeparture }) => {
    const time = arrival ?? plannedArrival ?? plannedDeparture;
    return time === null ? null : metersAt(way, time);
  });
  return known.map((own, i) => {
    if (own !== null) return own;
    const before = known.findLastIndex((at, k) => k < i && at !== null);
    const after = known.findIndex((at, k) => k > i && at !== null);
    if (before < 0 && after < 0) return i;
    if (before < 0) return known[after]!;
    if (after < 0) return known[before]!;
    return known[before]! + ((known[after]! - known[before]!) * (i - before)) / (after - before);
  });
}

/** The distance at a time, metres; within a gap that of the line before it; `null` outside the lines. */
function metersAt(way: readonly (readonly TripPlace[])[], time: number): number | null {
  let last: TripPlace | null = null;
  for (const stretch of way) {
    for (const place of stretch) {
      if (place.time >= time) {
        if (last === null) return place.time === time ? place.meters : null;
        if (place === stretch[0]) return last.meters;
        const share = (time - last.time) / (place.time - last.time);
        return last.meters + share * (place.meters - last.meters);
      }
      last = place;
    }
  }
  return null;
}
