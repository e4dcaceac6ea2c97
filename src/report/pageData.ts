/** The data of the page's script: the part of a report that the page shows. */

import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import type { Measure, MovementReport } from '../tracks/index.js';
import { type MeasureSystem, wayStepMeters, wordsOfSystem } from './measureSystem.js';
import { MOVE_KINDS } from './moveKinds.js';
import { type PageConduct, pageConduct } from './pageConduct.js';
import { type PageMileage, pageMileage, type ZoneNumberOf, zoneNumbering } from './pageMileage.js';
import { type PageTrip, pageTrip } from './pageTrip.js';
import { type Problem, rankProblems } from './rankProblems.js';
import type {
  AddressBasemap,
  FileIssue,
  ReportInput,
  ReportSource,
  ReportUnit,
  ReportZone,
  TilesBasemap,
} from './reportInput.js';
import type { ReportWords } from './reportWordsEnglish.js';
import { reportWordsIn } from './reportWordsIn.js';
import { type PageRoad, sharedRoads } from './sharedRoads.js';
import { type Summary, summarize } from './summary.js';
import { packLine, thin } from './thin.js';
import {
  type PageGrade,
  type PageStyle,
  packPositions,
  packReplay,
  pageColor,
  pageGrades,
  pageStyles,
  positionAtTime,
  sixDecimals,
  trackLines,
} from './trackLines.js';

/** Largest distance of a drawn track from the data, metres. */
export const TRACK_TOLERANCE_METERS = 4;
export const ZONE_TOLERANCE_METERS = 0.5;

/** Largest number of issues on the page; `summary.json` has all. */
const MAX_SHOWN_ISSUES = 200;

/** Polygons of packed rings. A bare position is one ring of one position. */
export type PageTripShape = readonly (readonly (readonly number[])[])[];

export interface PageZone {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly color: string;
  readonly width: number | null;
  readonly area: number | null;
  readonly perimeter: number | null;
  readonly length: number | null;
  readonly shape: PageTripShape;
  /** The packed centre line of a corridor. */
  readonly line: readonly number[] | null;
  /** Number of visits. */
  readonly visits: number;
}

export interface PageUnit {
  readonly id: string;
  readonly color: string;
  readonly fixes: number;
  readonly leftOut: number;
  readonly visits: number;
  /** Distance and times over the whole track. */
  readonly did: PageVisit[9];
  readonly topKph: number | null;
  /** Position of the unit's last fix; `null` if it has none. */
  readonly lastTime: number | null;
  readonly lines: readonly (readonly number[])[];
  readonly grades: readonly PageGrade[];
  readonly moves: readonly PageMove[];
  /** The track packed by `packReplay`; seconds count from `PageData.start`. */
  readonly replay: readonly (readonly number[])[];
}

/** A movement: `[kind, from, to, metres, km/h, lat, lon of the start, lat, lon of the end]`; the kind is an index of `MOVE_KINDS`. */
export type PageMove = readonly [
  kind: number,
  from: number,
  to: number,
  meters: number,
  kph: number | null,
  startLat: number,
  startLon: number,
  endLat: number,
  endLon: number,
];

/** A visit. Unit and zone are indices, times epoch milliseconds, positions of entry and exit `[lat, lon]`. */
export type PageVisit = readonly [
  unit: number,
  zone: number,
  enter: number,
  exit: number | null,
  seen: string,
  end: string,
  fixCount: number,
  place: readonly [number, number],
  exitPlace: readonly [number, number] | null,
  /** Metres driven, and seconds moving, idling and parked. */
  did: readonly [meters: number, moving: number, idling: number, parked: number],
];

export interface PageData {
  readonly words: ReportWords;
  readonly measures: MeasureSystem;
  /** Aspects that the report was asked to judge. */
  readonly asked: { readonly speeding: boolean; readonly hours: boolean };
  /** Problems, the gravest first. */
  readonly problems: readonly Problem[];
  /** Files that could not be read, or only in part. */
  readonly unread: readonly string[];
  /** Time of the first fix, epoch milliseconds. */
  readonly start: number;
  /** The base map; null: the roads that tracks share. */
  readonly basemap: AddressBasemap | Omit<TilesBasemap, 'tiles'> | null;
  readonly roads: readonly PageRoad[];
  /** IANA name of the time zone for all times except those of trips, which have their own. */
  readonly timeZone: string;
  readonly summary: Omit<Summary, 'issues' | 'sources'> & {
    readonly issues: Pick<Summary['issues'], 'errors' | 'warnings'>;
  };
  readonly sources: readonly ReportSource[];
  readonly issues: readonly FileIssue[];
  readonly zones: readonly PageZone[];
  readonly units: readonly PageUnit[];
  readonly visits: readonly PageVisit[];
  readonly mileage: readonly PageMileage[];
  readonly conduct: PageConduct;
  readonly trips: readonly PageTrip[];
  /** Shapes of the points, by trip. */
  readonly tripShapes: readonly (readonly PageTripShape[])[];
  readonly gradation: readonly PageStyle[];
}

export function pageData(input: ReportInput): PageData {
  const { sources, issues, ...summary } = summarize(input);
  const numberOf = zoneNumbering(input.zones);
  const unitNumbers = new Map(input.units.map(({ unitId }, i) => [unitId, i]));
  const shapes = [...new Set(input.trips.map((trip) => trip.shapes))];
  const maxGapMs = input.maxGapSeconds * 1000;
  const visitCounts = countVisits(input);
  const words = wordsOfSystem(reportWordsIn(input.language), input.measures);
  const start = input.units.reduce((first, { track }) => Math.min(first, track.time[0] ?? first), Infinity);
  return {
    words,
    measures: input.measures,
    asked: { speeding: input.asked.speeding, hours: input.asked.hours },
    problems: rankProblems(input),
    unread: unreadFiles(input),
    start: start === Infinity ? 0 : start,
    basemap: withoutTiles(input.basemap),
    roads:
      input.basemap === null ? sharedRoads(input.units.map(({ track }) => trackLines(track, maxGapMs))) : [],
    timeZone: input.timeZone ?? 'UTC',
    summary: { ...summary, issues: { errors: issues.errors, warnings: issues.warnings } },
    sources,
    issues: issues.list.slice(0, MAX_SHOWN_ISSUES),
    zones: input.zones.map((zone) => pageZone(zone, visitCounts.get(zone.zone.id) ?? 0)),
    units: input.units.map((unit, i) => pageUnit(unit, i, input, start)),
    visits: input.units.flatMap((unit, i) => pageVisits(unit, i, numberOf)),
    mileage: pageMileage(input.units, numberOf, wayStepMeters(input.measures)),
    conduct: pageConduct(input, numberOf),
    trips: input.trips.map((trip) => {
      const unit = unitNumbers.get(trip.report.unitId ?? '') ?? -1;
      const track = input.units[unit]?.track ?? null;
      return pageTrip(trip, unit, track, shapes.indexOf(trip.shapes), maxGapMs, words.language);
    }),
    tripShapes: shapes.map((points) => points.map(({ lonLat, outline }) => packShape(lonLat, outline))),
    gradation: pageStyles(input.gradation),
  };
}

/** Names of unread files, each once. Issues of trips that could not be evaluated have no file. */
function unreadFiles({ sources, issues }: ReportInput): string[] {
  const named = issues.filter(({ severity, file }) => severity === 'error' && file !== '');
  return [
    ...new Set([
      ...sources.filter(({ errors }) => errors > 0).map(({ file }) => file),
      ...named.map(({ file }) => file),
    ]),
  ];
}

function withoutTiles(basemap: ReportInput['basemap']): PageData['basemap'] {
  if (basemap?.kind !== 'tiles') return basemap;
  const { tiles: _, ...rest } = basemap;
  return rest;
}

function countVisits({ units }: ReportInput): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { visits } of units) {
    for (const { zoneId } of visits) counts.set(zoneId, (counts.get(zoneId) ?? 0) + 1);
  }
  return counts;
}

function pageZone(
  { zone, lonLat, outline, widthMeters, area, perimeter, length }: ReportZone,
  visits: number,
): PageZone {
  return {
    id: zone.id,
    name: zone.name,
    type: zone.type.key,
    color: pageColor(zone.color?.key ?? ''),
    width: widthMeters,
    area,
    perimeter,
    length,
    shape: packShape(lonLat, outline),
    line: zone.type.key === 'line' ? packRing(lonLat) : null,
    visits,
  };
}

/** Packed rings of polygons. A bare position is a ring of one position. */
function packShape(lonLat: readonly Position[], outline: Polygon | MultiPolygon | null): number[][][] {
  const polygons =
    outline === null ? [[lonLat]] : outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  return polygons.map((rings) => rings.map(packRing));
}

function packRing(positions: readonly Position[]): number[] {
  return packPositions(positions, ZONE_TOLERANCE_METERS);
}

function pageUnit(
  { unitId, track, visits, whole, grades, movement }: ReportUnit,
  i: number,
  { maxGapSeconds, gradation }: ReportInput,
  start: number,
): PageUnit {
  return {
    id: unitId,
    color: unitColor(i),
    fixes: track.length,
    leftOut: Object.values(track.rejected).reduce((sum, count) => sum + count, 0),
    visits: visits.length,
    did: didOf(whole),
    topKph: whole.maxSpeedKph,
    lastTime: track.time[track.length - 1] ?? null,
    lines: trackLines(track, maxGapSeconds * 1000).map(({ lon, lat }) =>
      packLine(lon, lat, thin(lon, lat, TRACK_TOLERANCE_METERS)),
    ),
    grades: pageGrades(grades, gradation, TRACK_TOLERANCE_METERS),
    moves: pageMoves(movement),
    replay: packReplay(track, maxGapSeconds * 1000, start),
  };
}

/** Colour of unit `i`. Successive hues are far apart; hues within 40° of 330 are reserved for the selection. */
function unitColor(i: number): string {
  const turn = (i * 0.381966 + 0.58) % 1;
  return `hsl(${Math.round(10 + 280 * turn)} 65% ${[45, 36, 54][i % 3]!}%)`;
}

function pageMoves({ trips, parkings, stops, unknown }: MovementReport): PageMove[] {
  const moves = ([trips, parkings, stops, unknown] as const).flatMap((items, kind) =>
    items.map((item): PageMove => {
      const { from, to, start, end, distanceMeters } = item;
      const [startLat, startLon] = [sixDecimals(start[1]), sixDecimals(start[0])];
      const [endLat, endLon] = [sixDecimals(end[1]), sixDecimals(end[0])];
      const meters = Math.round(distanceMeters);
      const number = 'reason' in item ? MOVE_KINDS.indexOf(`unknown-${item.reason}`) : kind;
      const kph = 'maxSpeedKph' in item ? item.maxSpeedKph : null;
      return [number, from, to, meters, kph, startLat, startLon, endLat, endLon];
    }),
  );
  return moves.sort((a, b) => a[1] - b[1] || a[2] - b[2] || a[0] - b[0]);
}

function didOf({ distanceMeters, movingSeconds, idlingSeconds, parkedSeconds }: Measure): PageVisit[9] {
  const whole = Math.round;
  return [whole(distanceMeters), whole(movingSeconds), whole(idlingSeconds), whole(parkedSeconds)];
}

function pageVisits(
  { track, visits, measures }: ReportUnit,
  unit: number,
  numberOf: ZoneNumberOf,
): PageVisit[] {
  return visits.map(({ zoneId, enter, exit, seen, end, fixCount }, i) => [
    unit,
    numberOf(zoneId),
    enter,
    exit,
    seen,
    end,
    fixCount,
    positionAtTime(track, enter),
    exit === null ? null : positionAtTime(track, exit),
    didOf(measures[i]!),
  ]);
}
