/** Speeding, rides, closed hours, a route and meetings for the page. Amounts are rounded so that every total of their rows is exact. */

import type { Position } from '../core/geometry.js';
import { firstWhere } from '../core/numbers.js';
import { edgeLength } from '../geodesy/edgeSums.js';
import type { RoutePart } from '../tracks/index.js';
import { wayStepMeters } from './measureSystem.js';
import { roundTogether, type ZoneNumberOf } from './pageMileage.js';
import type { ReportInput, ReportRoute, ReportUnit } from './reportInput.js';
import { packPositions, positionAtTime } from './trackLines.js';

/** Statuses of a part of a route for a unit, in the order of their numbers on the page. */
export const PART_STATUSES = ['covered', 'no_data', 'missed', 'ahead'] as const;

/** Largest distance of a drawn line from the data, metres. */
const TOLERANCE_METERS = 4;

/** A part of a speeding under one limit. Unit and zone are indices, the zone −1 for the unit's own limit; times are epoch milliseconds. */
export type PageSpeeding = readonly [
  unit: number,
  event: number,
  from: number,
  to: number,
  end: string,
  limitKph: number,
  zone: number,
  maxKph: number,
  /** Distance, hundredths of a kilometre or mile. */
  way: number,
  seconds: number,
  line: readonly number[],
  /** Position `[lat, lon]` at the middle of its time. */
  place: readonly [number, number],
];

/** A ride. Unit and zones are indices, distances hundredths of a kilometre or mile, durations seconds, positions `[lat, lon]`. */
export type PageRide = readonly [
  unit: number,
  fromZone: number,
  toZone: number,
  from: number,
  to: number,
  way: number,
  seconds: number,
  moving: number,
  idling: number,
  parked: number,
  start: readonly [number, number],
  end: readonly [number, number],
];

/** A time span of a visit in which its zone was closed. `visit`: index in the page's visits. */
export type PageClosed = readonly [visit: number, from: number, to: number];

/** A part of the route. Status: an index of `PART_STATUSES`; `fromMeters`, `toMeters`: metres along the route. */
export type PagePart = readonly [
  status: number,
  fromMeters: number,
  toMeters: number,
  passes: number,
  line: readonly number[],
];

export interface PageRouteUnit {
  readonly unit: number;
  /** Distance by status, hundredths of a kilometre or mile. Their sum is the length of the route. */
  readonly ways: readonly number[];
  readonly parts: readonly PagePart[];
  readonly backward: number;
  readonly deviations: number;
}

export interface PageRoute {
  readonly name: string;
  readonly lengthMeters: number;
  readonly line: readonly number[];
  readonly units: readonly PageRouteUnit[];
}

/** A meeting of two units. Units are indices, times epoch milliseconds. */
export type PageMeeting = readonly [
  a: number,
  b: number,
  from: number,
  to: number,
  seconds: number,
  minMeters: number,
  minTime: number,
  end: string,
];

export interface PageConduct {
  /** Null if the report has no limits. */
  readonly speeding: readonly PageSpeeding[] | null;
  readonly rides: readonly PageRide[];
  /** Null if no zone has opening hours. */
  readonly closed: readonly PageClosed[] | null;
  readonly route: PageRoute | null;
  /** Null if the report has no meetings. */
  readonly meetings: readonly PageMeeting[] | null;
}

export function pageConduct(input: ReportInput, numberOf: ZoneNumberOf): PageConduct {
  const { units, asked, route, meetings } = input;
  const step = wayStepMeters(input.measures);
  return {
    speeding: asked.speeding ? pageSpeeding(units, numberOf, step) : null,
    rides: pageRides(units, numberOf, step),
    closed: asked.hours ? pageClosed(units) : null,
    route: route === null ? null : pageRoute(route, units, step),
    meetings: asked.meetings ? pageMeetings(meetings) : null,
  };
}

function pageSpeeding(units: readonly ReportUnit[], numberOf: ZoneNumberOf, step: number): PageSpeeding[] {
  const rows = units.flatMap((unit, i) =>
    unit.conduct.speeding.flatMap(({ parts, end }, event) =>
      parts.map((part) => ({ unit, i, event, end, part })),
    ),
  );
  const way = roundTogether(rows, ({ part }) => part.distanceMeters, step);
  const seconds = roundTogether(rows, ({ part }) => (part.to - part.from) / 1000, 1);
  return rows.map(({ unit: { track }, i, event, end, part }, n) => [
    i,
    event,
    part.from,
    part.to,
    end,
    part.limitKph,
    numberOf(part.zoneId),
    part.maxKph,
    way[n]!,
    seconds[n]!,
    lineBetween(track, part.from, part.to),
    positionAtTime(track, (part.from + part.to) / 2),
  ]);
}

/** The packed line of a unit's track from one time to another. */
function lineBetween(track: ReportUnit['track'], from: number, to: number): number[] {
  const [fromLat, fromLon] = positionAtTime(track, from);
  const positions: Position[] = [[fromLon, fromLat]];
  const first = firstWhere(0, track.length, (i) => track.time[i]! > from);
  for (let i = first; i < track.length && track.time[i]! < to; i++)
    positions.push([track.lon[i]!, track.lat[i]!]);
  const [toLat, toLon] = positionAtTime(track, to);
  positions.push([toLon, toLat]);
  return packPositions(positions, TOLERANCE_METERS);
}

function pageRides(units: readonly ReportUnit[], numberOf: ZoneNumberOf, step: number): PageRide[] {
  const rows = units.flatMap((unit, i) => unit.conduct.rides.map((ride) => ({ unit, i, ride })));
  const way = roundTogether(rows, ({ ride }) => ride.measure.distanceMeters, step);
  const seconds = roundTogether(rows, ({ ride }) => (ride.to - ride.from) / 1000, 1);
  const moving = roundTogether(rows, ({ ride }) => ride.measure.movingSeconds, 1);
  const idling = roundTogether(rows, ({ ride }) => ride.measure.idlingSeconds, 1);
  const parked = roundTogether(rows, ({ ride }) => ride.measure.parkedSeconds, 1);
  return rows.map(({ unit: { track }, i, ride: { fromZoneId, toZoneId, from, to } }, n) => [
    i,
    numberOf(fromZoneId),
    numberOf(toZoneId),
    from,
    to,
    way[n]!,
    seconds[n]!,
    moving[n]!,
    idling[n]!,
    parked[n]!,
    positionAtTime(track, from),
    positionAtTime(track, to),
  ]);
}

function pageClosed(units: readonly ReportUnit[]): PageClosed[] {
  let before = 0;
  return units.flatMap(({ visits, conduct }) => {
    const first = before;
    before += visits.length;
    return conduct.closed.map(({ visit, from, to }): PageClosed => [first + visit, from, to]);
  });
}

function pageRoute(route: ReportRoute, units: readonly ReportUnit[], step: number): PageRoute {
  const along = [0];
  for (let i = 1; i < route.line.length; i++) {
    const [[aLon, aLat], [bLon, bLat]] = [route.line[i - 1]!, route.line[i]!];
    along.push(along[i - 1]! + edgeLength(aLon, aLat, bLon, bLat));
  }
  const lineOf = ({ fromMeters, toMeters }: RoutePart): number[] => {
    const between = route.line.filter((_, i) => along[i]! > fromMeters && along[i]! < toMeters);
    const ends = [fromMeters, toMeters].map((meters) => route.prepared.positionAt(meters).position);
    return packPositions([ends[0]!, ...between, ends[1]!], TOLERANCE_METERS);
  };
  return {
    name: route.name,
    lengthMeters: route.prepared.lengthMeters,
    line: packPositions(route.line, TOLERANCE_METERS),
    units: units.flatMap(({ conduct: { route: report } }, unit): PageRouteUnit[] => {
      if (report === null) return [];
      const metersOf = (status: string): number =>
        report.parts.reduce(
          (sum, part) => sum + (part.status === status ? part.toMeters - part.fromMeters : 0),
          0,
        );
      return [
        {
          unit,
          ways: roundTogether(PART_STATUSES, metersOf, step),
          parts: report.parts.map((part) => [
            PART_STATUSES.indexOf(part.status),
            part.fromMeters,
            part.toMeters,
            part.passes,
            lineOf(part),
          ]),
          backward: report.legs.filter(({ direction }) => direction === 'backward').length,
          deviations: report.deviations.length,
        },
      ];
    }),
  };
}

function pageMeetings(meetings: ReportInput['meetings']): PageMeeting[] {
  const seconds = roundTogether(meetings, ({ meeting }) => (meeting.to - meeting.from) / 1000, 1);
  return meetings.map(({ units: [a, b], meeting }, i) => {
    const { from, to, minMeters, minTime, end } = meeting;
    return [a, b, from, to, seconds[i]!, minMeters, minTime, end];
  });
}
