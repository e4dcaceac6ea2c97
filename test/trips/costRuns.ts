/** Large runs for the cost of trips: many points and visits, holes, drift at a border, zones that overlap, and days of fixes. */

import type { Fix, Visit } from '../../src/tracks/index.js';
import type { TripInput, TripVisits } from '../../src/trips/index.js';
import { seeded } from '../volume.js';

export const COST_DATE = '2026-03-02';
const START = Date.parse(`${COST_DATE}T06:00Z`);
const HOURS_16 = 16 * 3_600_000;
const METERS_EAST = 75_600;
const METERS_NORTH = 111_195;

export interface CostTrip {
  readonly points: number;
  /** The points are of so many zones, in turn. */
  readonly zones: number;
  /** Points of one zone that follow each other. Default 1. */
  readonly alike?: number;
  readonly isPlanned?: boolean;
  /** Metres between the centres of neighbouring zones. Default 5000. */
  readonly apart?: number;
  /** Radius in metres. Default 200. */
  readonly radius?: number;
}

/** A strict trip; with `isPlanned` its points are planned in equal steps from 06:00 to 22:00, ± 10 min. */
export function costTrip({
  points,
  zones,
  alike = 1,
  isPlanned = true,
  apart = 5000,
  radius = 200,
}: CostTrip): TripInput {
  const clock = (minutes: number): string =>
    `${String(6 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return {
    name: 'Trip',
    unit: { id: 'u' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [COST_DATE],
    points: Array.from({ length: points }, (_, i) => {
      const zone = Math.floor(i / alike) % zones;
      return {
        name: `P${i}`,
        type: { key: 'circle' },
        width: radius,
        geometry: [[9.5 + (apart * zone) / METERS_EAST, 47.1]],
        ...(isPlanned && {
          arrival: { time: clock(Math.floor((i * 959) / Math.max(1, points - 1))), deviation_minutes: 10 },
        }),
      };
    }),
  } as unknown as TripInput;
}

/**
 * `count` visits over 16 hours to the zones at random; every fifth is short, and visits of different zones overlap. `holes` holes of 20 min
 * lie among them; a visit that begins at the end of one was not seen to begin.
 */
export function costVisits(count: number, trip: CostTrip, holes: number): TripVisits {
  const random = seeded(count + trip.points);
  const step = HOURS_16 / count;
  const alike = trip.alike ?? 1;
  const gaps = Array.from({ length: holes }, (_, i) => {
    const from = Math.round(START + ((i + 0.5) * HOURS_16) / holes);
    return { from, to: from + 1_200_000 };
  });
  const visits = Array.from({ length: count }, (_, i): Visit => {
    const zone = Math.floor(random() * Math.min(trip.zones, Math.ceil(trip.points / alike)));
    const enter = Math.round(START + i * step);
    const exit = Math.round(enter + step * (i % 5 === 0 ? 0.05 : 1.4));
    const hole = gaps.find(({ from, to }) => from < enter && to >= enter);
    return {
      // The first point of the zone.
      zoneId: String(zone * alike),
      seen: 'inside',
      end: 'left',
      enter,
      exit,
      enterBounds: [hole?.from ?? enter - 1000, enter],
      exitBounds: [exit, exit + 1000],
      fixCount: 3,
    };
  });
  return holes === 0 ? { visits } : { visits, gaps };
}

/** A unit that drifts over the border of a zone for `hours`, with a fix every 10 s; with `inside` it stands in the middle of it. */
export function borderFixes(hours: number, { apart = 5000, radius = 200 }: CostTrip, inside: boolean): Fix[] {
  const random = seeded(12);
  const length = hours * 360;
  let phase = 0;
  return Array.from({ length }, (_, i) => {
    phase += 0.02 + 0.02 * random();
    // From 30 m within the border to 75 m beyond it, which is beyond the exit buffer.
    const meters = inside ? 10 * Math.sin(phase) : radius + 22 + 53 * Math.sin(phase);
    return {
      time: START + 10_000 * i,
      lon: 9.5 + (apart * 3 + meters) / METERS_EAST,
      lat: 47.1 + (8 * (random() - 0.5)) / METERS_NORTH,
      speedKph: 0,
    };
  });
}

/** A unit that drives along the row of zones and stands in each, with `count` fixes `everySeconds` apart. */
export function dayFixes(count: number, everySeconds: number, trip: CostTrip): Fix[] {
  const random = seeded(8);
  const { points, apart = 5000 } = trip;
  const each = count / points;
  return Array.from({ length: count }, (_, i) => {
    const at = i / each;
    const point = Math.floor(at);
    // A third of the time standing, with the noise of a receiver; then to the next one.
    const share = Math.max(0, (at - point - 1 / 3) * 1.5);
    const isStanding = share === 0;
    return {
      time: START - 600_000 + Math.round(1000 * everySeconds * i),
      lon: 9.5 + (apart * (point + share) + (isStanding ? 6 * (random() - 0.5) : 0)) / METERS_EAST,
      lat: 47.1 + (6 * (random() - 0.5)) / METERS_NORTH,
      speedKph: isStanding ? 0 : 40,
    };
  });
}

/** `count` circles over one another, each 60 m further than the one before; the unit is in all of them at once for most of the time. */
export function overlapFixes(trip: CostTrip): Fix[] {
  const random = seeded(5);
  const { points, apart = 60, radius = 6000 } = trip;
  const from = -radius - 600;
  const to = apart * points + radius + 600;
  const length = 3000;
  return Array.from({ length }, (_, i) => ({
    time: START - 1_800_000 + 15_000 * i,
    lon: 9.5 + (from + ((to - from) * i) / length) / METERS_EAST,
    lat: 47.1 + (4 * (random() - 0.5)) / METERS_NORTH,
    speedKph: i % 40 < 12 ? 0 : 20,
  }));
}

/** Visits to one zone 90 s apart, each of 3 min, and a trip with a point for each. */
export function frequentVisits(count: number): { trip: TripInput; given: TripVisits } {
  const visits = Array.from({ length: count }, (_, i) => plainVisit('0', START + 270_000 * i, 180_000));
  return { trip: costTrip({ points: count, zones: 1 }), given: { visits } };
}

/** A unit at the zone of those visits, with a fix every 10 s: 180 s in it, 90 s beside it. */
export function frequentFixes(count: number): Fix[] {
  return Array.from({ length: 27 * count }, (_, i): Fix => {
    const isInside = i % 27 < 18;
    return {
      time: START + 10_000 * i,
      lon: 9.5 + (isInside ? 0 : 450) / METERS_EAST,
      lat: 47.1,
      speedKph: isInside ? 0 : 30,
    };
  });
}

/** Visits to two zones in turn, each of 3 min; every visit at one of `holes` ends at a gap and goes on after it. */
export function shuttleVisits(count: number, holes: number): { trip: TripInput; given: TripVisits } {
  const gaps: { from: number; to: number }[] = [];
  const visits = Array.from({ length: count }, (_, i) => {
    const visit = plainVisit(String(i % 2), START + 360_000 * i, 180_000);
    if (i % Math.ceil(count / holes) !== 0) return [visit];
    const [from, to] = [visit.enter + 60_000, visit.enter + 120_000];
    gaps.push({ from, to });
    return [
      { ...visit, end: 'gap' as const, exit: from, exitBounds: [from, to] as const },
      { ...visit, enter: to, enterBounds: [from, to] as const },
    ];
  }).flat();
  return { trip: costTrip({ points: count, zones: 2 }), given: { visits, gaps } };
}

function plainVisit(zoneId: string, enter: number, ms: number): Visit {
  const exit = enter + ms;
  return {
    zoneId,
    seen: 'inside',
    end: 'left',
    enter,
    exit,
    enterBounds: [enter - 1000, enter],
    exitBounds: [exit, exit + 1000],
    fixCount: 3,
  };
}
