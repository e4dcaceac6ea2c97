/** What the page's own script draws: a report without what a reader of the page does not see. */

import { lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import type { FileIssue, ReportInput, ReportSource, ReportUnit, ReportZone } from './model.js';
import { type Summary, summarize } from './summary.js';
import { packLine, thin } from './thin.js';
import { positionAt, trackLines } from './trackLines.js';

/** Nothing drawn is farther than this from what was read. */
export const TRACK_TOLERANCE_METERS = 4;
export const ZONE_TOLERANCE_METERS = 0.5;

/** Issues shown on the page; `summary.json` has the rest. */
const MAX_SHOWN_ISSUES = 200;

export interface PageZone {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly color: string;
  readonly width: number | null;
  readonly area: number | null;
  readonly perimeter: number | null;
  readonly length: number | null;
  /** Polygons of packed rings; for a bare point one position. */
  readonly shape: readonly (readonly (readonly number[])[])[];
  /** The packed line in the middle of a corridor. */
  readonly line: readonly number[] | null;
}

export interface PageUnit {
  readonly id: string;
  readonly color: string;
  readonly fixes: number;
  readonly leftOut: number;
  readonly lines: readonly (readonly number[])[];
}

/** `[unit, zone, enter, exit, seen, end, fixCount, lat, lon of the entry, lat, lon of the exit]`. */
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
];

export interface PageData {
  readonly summary: Omit<Summary, 'issues' | 'sources'> & {
    readonly issues: Pick<Summary['issues'], 'errors' | 'warnings'>;
  };
  readonly sources: readonly ReportSource[];
  readonly issues: readonly FileIssue[];
  readonly zones: readonly PageZone[];
  readonly units: readonly PageUnit[];
  readonly visits: readonly PageVisit[];
  readonly tolerances: { readonly trackMeters: number; readonly zoneMeters: number };
}

export function pageData(input: ReportInput): PageData {
  const { sources, issues, ...summary } = summarize(input);
  const zoneNumbers = new Map(input.zones.map(({ zone }, i) => [zone.id, i]));
  return {
    summary: { ...summary, issues: { errors: issues.errors, warnings: issues.warnings } },
    sources,
    issues: issues.list.slice(0, MAX_SHOWN_ISSUES),
    zones: input.zones.map(pageZone),
    units: input.units.map((unit, i) => pageUnit(unit, i, input.maxGapSeconds)),
    visits: input.units.flatMap((unit, i) => pageVisits(unit, i, zoneNumbers)),
    tolerances: { trackMeters: TRACK_TOLERANCE_METERS, zoneMeters: ZONE_TOLERANCE_METERS },
  };
}

function pageZone({ zone, lonLat, outline, widthMeters, area, perimeter, length }: ReportZone): PageZone {
  const color = zone.color?.key ?? '';
  const polygons =
    outline === null ? [[lonLat]] : outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  return {
    id: zone.id,
    name: zone.name,
    type: zone.type.key,
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : '#1585D8',
    width: widthMeters,
    area,
    perimeter,
    length,
    shape: polygons.map((rings) => rings.map(packPositions)),
    line: zone.type.key === 'line' ? packPositions(lonLat) : null,
  };
}

function packPositions(positions: readonly Position[]): number[] {
  const lat = positions.map((position) => position[1]);
  const lon = unrolled(positions.map((position) => position[0]));
  return packLine(lon, lat, thin(lon, lat, ZONE_TOLERANCE_METERS));
}

/** Longitudes without a jump at the antimeridian. */
function unrolled(lons: readonly number[]): number[] {
  const result: number[] = [];
  lons.forEach((lon, i) => {
    result.push(i === 0 ? lon : (result[i - 1] as number) + lonStep(lons[i - 1] as number, lon));
  });
  return result;
}

function pageUnit({ unitId, track }: ReportUnit, i: number, maxGapSeconds: number): PageUnit {
  return {
    id: unitId,
    color: `hsl(${Math.round(i * 137.508 + 210) % 360} 65% 45%)`,
    fixes: track.length,
    leftOut: Object.values(track.rejected).reduce((sum, count) => sum + count, 0),
    lines: trackLines(track, maxGapSeconds * 1000).map(({ lon, lat }) =>
      packLine(lon, lat, thin(lon, lat, TRACK_TOLERANCE_METERS)),
    ),
  };
}

function pageVisits(
  { track, visits }: ReportUnit,
  unit: number,
  zoneNumbers: ReadonlyMap<string, number>,
): PageVisit[] {
  return visits.map(({ zoneId, enter, exit, seen, end, fixCount }) => [
    unit,
    zoneNumbers.get(zoneId) ?? -1,
    enter,
    exit,
    seen,
    end,
    fixCount,
    positionAt(track, enter),
    exit === null ? null : positionAt(track, exit),
  ]);
}
