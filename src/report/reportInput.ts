/** The input of a report: plain data for the page, the tables and the summary, with speeding, closed hours, a route, meetings and the base map. */

import type { Issue, Track } from '../core/fix.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import type { TrackGradation } from '../core/trackSettings.js';
import type { Geozone } from '../core/wire.js';
import type { Span } from '../core/zoneHours.js';
import type {
  GradedRun,
  Measure,
  Meeting,
  MovementReport,
  PreparedRoute,
  Ride,
  RouteReport,
  Speeding,
  ZoneSum,
} from '../tracks/index.js';
import type { MeasureSystem } from './measureSystem.js';
import type { ShownTrip } from './pageTrip.js';

/** A measured zone. `outline`: of a line its corridor; null for a point without a width. */
export interface ReportZone {
  readonly zone: Geozone;
  /** The zone's positions, always `[lon, lat]`. */
  readonly lonLat: readonly (readonly [number, number])[];
  readonly outline: Polygon | MultiPolygon | null;
  /** Metres: the radius of a point or circle, the whole width of a line's corridor. */
  readonly widthMeters: number | null;
  readonly area: number | null;
  readonly perimeter: number | null;
  readonly length: number | null;
}

/** The part of a `Visit` that a report shows. Times are epoch milliseconds UTC. */
interface ReportVisit {
  readonly zoneId: string;
  readonly seen: string;
  readonly end: string;
  readonly enter: number;
  readonly exit: number | null;
  readonly fixCount: number;
}

export interface ReportUnit {
  readonly unitId: string;
  readonly track: Track;
  readonly visits: readonly ReportVisit[];
  /** Distance and times of the unit in each visit. */
  readonly measures: readonly Measure[];
  /** Distance and times over the whole track. */
  readonly whole: Measure;
  /** Distance and times in each zone and outside, by local day, over the whole track. */
  readonly sums: readonly ZoneSum[];
  readonly conduct: Conduct;
  readonly movement: MovementReport;
  /** The track cut by speed. */
  readonly grades: readonly GradedRun[];
}

/** An input file with the counts of its contents and issues. */
export interface ReportSource {
  readonly file: string;
  readonly role: 'zones' | 'tracks' | 'trips';
  readonly zones: number;
  readonly tracks: number;
  readonly fixes: number;
  readonly trips: number;
  readonly errors: number;
  readonly warnings: number;
}

export interface FileIssue extends Issue {
  readonly file: string;
}

export interface ReportInput {
  readonly title: string;
  /** Name of the company; null or absent: not shown. */
  readonly company?: string | null;
  /** Language tag. The page's words are Russian for `ru`, else English. */
  readonly language: string;
  /** Kilometres or miles on the page; the other files keep metres. */
  readonly measures: MeasureSystem;
  /** The base map; null: the roads that tracks share. */
  readonly basemap: ReportBasemap | null;
  /** IANA name of the time zone for all times of the page; null: UTC. */
  readonly timeZone: string | null;
  readonly zones: readonly ReportZone[];
  readonly units: readonly ReportUnit[];
  readonly trips: readonly ShownTrip[];
  readonly asked: Asked;
  /** The route that all units are compared with; null: none. */
  readonly route: ReportRoute | null;
  readonly meetings: readonly ReportMeeting[];
  readonly gradation: TrackGradation;
  readonly sources: readonly ReportSource[];
  readonly issues: readonly FileIssue[];
  /** Longest gap that is drawn as a line, seconds: the limit of the visits. */
  readonly maxGapSeconds: number;
}

interface MeasuredRide extends Ride {
  readonly measure: Measure;
}

/** A time span of a visit in which its zone was closed. */
export interface ClosedPart extends Span {
  /** Index of the visit in the unit's list. */
  readonly visit: number;
}

/** Speeding, rides, closed hours and route of one unit. */
export interface Conduct {
  readonly speeding: readonly Speeding[];
  readonly rides: readonly MeasuredRide[];
  readonly closed: readonly ClosedPart[];
  /** Null if the report has no route. */
  readonly route: RouteReport | null;
}

/** The route that units are compared with. */
export interface ReportRoute {
  readonly name: string;
  /** Positions `[lon, lat]`. */
  readonly line: readonly Position[];
  readonly prepared: PreparedRoute;
}

/** A meeting of two units, as indices of the report's units. */
export interface ReportMeeting {
  readonly units: readonly [number, number];
  readonly meeting: Meeting;
}

/** Parts requested for the report. A part that is `false` has no tab. */
export interface Asked {
  readonly speeding: boolean;
  readonly hours: boolean;
  readonly meetings: boolean;
}

/** Images at an address, loaded by the browser. */
export interface AddressBasemap {
  readonly kind: 'address';
  /** Address with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: string;
}

/** Tiles inside the page. */
export interface TilesBasemap {
  readonly kind: 'tiles';
  /** Media type of the images; null: Mapbox vector tiles, gzipped. */
  readonly image: string | null;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly attribution: string;
  /** Bytes in base64, by `z/x/y`. */
  readonly tiles: Readonly<Record<string, string>>;
}

export type ReportBasemap = AddressBasemap | TilesBasemap;

/** The only origin that the page may load images from; null: none. */
export function sourceOf(basemap: ReportBasemap | null): string | null {
  return basemap?.kind === 'address' ? new URL(basemap.url.replace(/\{[zxy]\}/g, '0')).origin : null;
}
