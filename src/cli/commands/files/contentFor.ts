/**
 * The content of an output: that of several files joined, reduced to the part that its format can represent. All other content is reported as
 * an issue.
 */

import type { IssueCode } from '../../../core/errorCode.js';
import type { Fix, ForeignData, ForeignDocument, Issue, RawTrack } from '../../../core/fix.js';
import type { Geozone, GeozoneGroup, Pair, Route, RoutePoint } from '../../../core/wire.js';
import { freeName } from '../../../interchange/common/textProperties.js';
import { GPX_METADATA } from '../../../interchange/gpx/toGpx.js';
import { TRACK_FIELDS } from '../../../interchange/kml/kmlWriter.js';
import type { FileFormat } from '../../io/fileFormat.js';
import { type ContentOptions, RefusedZones } from './refusedZones.js';

export interface Content {
  readonly zones: readonly Geozone[];
  readonly groups: readonly GeozoneGroup[];
  readonly routes: readonly Route[];
  readonly tracks: readonly RawTrack[];
  /** Name, description and other properties of the whole file. */
  readonly document?: ForeignDocument;
}

type Report = (code: IssueCode, severity: Issue['severity'], field: string, message: string) => void;

/** Whether a CSV file will have a row for each fix: the content is only tracks. */
export function isFixTable(format: FileFormat, { zones, routes, tracks }: Content): boolean {
  return isTable(format) && zones.length === 0 && routes.length === 0 && tracks.length > 0;
}

/** Whether the format is CSV or Parquet, with rows of one kind: zones or fixes. */
function isTable(format: FileFormat): boolean {
  return format === 'csv' || format === 'parquet';
}

/** Whether the writer checks the zones while it writes them, so that no shape is built twice. */
export function isCheckedByWriter(format: FileFormat): boolean {
  return format === 'kml' || format === 'kmz' || format.startsWith('geojson');
}

/**
 * The content for the format. GPX has points, circles, routes and tracks. CSV has zones, with routes and tracks as lines, or fixes if the content is
 * only tracks. The other formats have zones and routes, with tracks as lines. Only KML has groups. Zones that the format cannot represent are left
 * out, unless its writer checks them.
 */
export function contentFor(
  format: FileFormat,
  data: ForeignData,
  options: ContentOptions,
  issues: Issue[],
): Content {
  const report: Report = (code, severity, field, message) => {
    issues.push({ code, severity, field, message });
  };
  const content = rowsFor(format, data, options, issues, report);
  const { document } = data.value;
  if (document === undefined) return content;
  const { name, properties } = document;
  if (isTable(format)) reportLeftOut(report, format, 'document', [{ name, ...properties }], new Set());
  else if (format === 'gpx')
    reportLeftOut(report, format, 'document', [{ ...properties }], new Set(GPX_METADATA));
  return { ...content, document };
}

function rowsFor(
  format: FileFormat,
  { value }: ForeignData,
  options: ContentOptions,
  issues: Issue[],
  report: Report,
): Content {
  const hasGroups = format === 'kml' || format === 'kmz';
  if (!hasGroups && value.groups.length > 0) {
    const message = `expected no groups, which ${format} lacks, received ${value.groups.length}; left out`;
    report('groups-left-out', 'warning', 'groups', message);
  }
  const groups = hasGroups ? value.groups : [];
  if (isFixTable(format, value)) {
    // A name equal to the unit id is not reported as lost: the id keeps it.
    const tracks = value.tracks.map(({ name, ...track }) =>
      name === track.unitId ? track : { ...track, name },
    );
    reportLeftOut(report, format, 'tracks', tracks, new Set(['unitId', 'fixes']));
    return { zones: [], groups: [], routes: [], tracks: value.tracks };
  }
  // KML has tracks of times, positions, heights and courses; GeoJSON has all fields.
  const hasTracks = hasGroups || format.startsWith('geojson');
  const tracks = hasGroups ? kmlTracks(value.tracks, format, report) : value.tracks;
  const drawn = { ...value, tracks: hasTracks ? [] : value.tracks };
  if (format === 'mfjson') return onlyTracks(value, report);
  const all =
    format === 'gpx' ? value.zones : [...value.zones, ...linesOf(drawn, format, options.axisOrder, report)];
  const zones = validZones(all.map(placed), format, options, issues);
  if (format !== 'gpx')
    return { zones, groups, routes: isTable(format) ? [] : value.routes, tracks: hasTracks ? tracks : [] };
  reportLeftOut(report, format, 'zones', zones, new Set(['name', 'type', 'geometry']));
  reportLeftOut(report, format, 'routes', value.routes, new Set(['id', 'name', 'points']));
  const points = value.routes.flatMap((route) => route.points);
  reportLeftOut(report, format, 'route points', points, new Set(['name', 'type', 'geometry']));
  reportLeftOut(report, format, 'tracks', value.tracks, new Set(['name', 'unitId', 'fixes']));
  const ignitions = value.tracks.flatMap(({ fixes }) => fixes.filter((fix) => fix.ignition !== undefined));
  reportLeftOut(
    report,
    format,
    'fixes',
    ignitions.map(({ ignition }) => ({ ignition })),
    new Set(),
  );
  return { zones, groups: [], routes: value.routes, tracks: value.tracks };
}

/** Tracks for MF-JSON, which has nothing else. All other content is reported. */
function onlyTracks({ zones, routes, tracks }: Content, report: Report): Content {
  if (zones.length + routes.length > 0) {
    const message = `mfjson holds tracks: ${zones.length} zones and ${routes.length} routes are left out`;
    report('fields-left-out', 'warning', '', message);
  }
  return { zones: [], groups: [], routes: [], tracks };
}

/** Reports one warning for all fields that the format lacks, with their counts. Ids that a reader generated are not reported. */
function reportLeftOut(
  report: Report,
  format: FileFormat,
  what: string,
  rows: readonly object[],
  kept: ReadonlySet<string>,
): void {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const [field, value] of Object.entries(row)) {
      if (!kept.has(field) && value !== undefined) counts.set(field, (counts.get(field) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return;
  const list = [...counts].map(([field, count]) => `${field} (${count})`).join(', ');
  report('fields-left-out', 'warning', what, `${format} lacks these fields of ${what}: ${list}; left out`);
}

/** Tracks with the fields of fixes that gx:Track has. A track without fixes is left out. */
function kmlTracks(tracks: readonly RawTrack[], format: FileFormat, report: Report): RawTrack[] {
  reportLeftOut(
    report,
    format,
    'fixes',
    tracks.flatMap(({ fixes }) => fixes),
    TRACK_FIELDS,
  );
  return tracks.map((track) => ({
    ...track,
    fixes: track.fixes.map(
      (fix) =>
        Object.fromEntries(
          Object.entries(fix).filter(([field]) => TRACK_FIELDS.has(field)),
        ) as unknown as Fix,
    ),
  }));
}

function validZones(
  zones: readonly Geozone[],
  format: FileFormat,
  options: ContentOptions,
  issues: Issue[],
): readonly Geozone[] {
  if (isCheckedByWriter(format)) return zones;
  const refused = new RefusedZones(format, options);
  const valid = zones.filter((zone) => refused.tryWriting(zone));
  for (const issue of refused.issuesOf(zones)) issues.push(issue);
  return valid;
}

/** The zone as a point if it is a line of one position, made from a GPX track or route. */
function placed(zone: Geozone): Geozone {
  const isPlace = zone.type.key === 'line' && zone.geometry.length === 1;
  return isPlace ? { ...zone, type: { key: 'point' } } : zone;
}

/** Tracks, and for CSV also routes, as line zones; a single place becomes a point. */
function linesOf(
  { zones, tracks, routes }: Content,
  format: FileFormat,
  axisOrder: 'lonlat' | 'latlon',
  report: Report,
): Geozone[] {
  const taken = new Set(zones.map(({ id }) => id));
  const lines: Geozone[] = [];
  const add = (
    kind: 'track' | 'route',
    index: number,
    row: RawTrack | Route,
    geometry: readonly Pair[],
  ): void => {
    const { name, properties } = row as { name: string; properties?: unknown };
    const place = `${kind} ${JSON.stringify(name)}`;
    if (geometry.length === 0) {
      report('geometry-missing', 'warning', place, 'expected positions, received none; left out');
      return;
    }
    const id = freeName(`${kind}-${index + 1}`, taken);
    taken.add(id);
    const type = { key: geometry.length === 1 ? ('point' as const) : ('line' as const) };
    lines.push({ id, name, type, geometry, ...(properties === undefined ? {} : { properties }) });
    const lost = kind === 'track' ? 'times and speeds' : 'names and types of its points';
    const message = `${format} holds zones: the ${kind} is a ${type.key} of ${geometry.length} positions; ${lost} are left out`;
    report(kind === 'track' ? 'track-as-line' : 'route-as-line', 'warning', place, message);
  };
  const inOrder = (lon: number, lat: number): Pair => (axisOrder === 'latlon' ? [lat, lon] : [lon, lat]);
  for (const [i, track] of tracks.entries()) {
    add(
      'track',
      i,
      track,
      track.fixes.map(({ lon, lat }) => inOrder(lon, lat)),
    );
  }
  if (!isTable(format)) return lines;
  for (const [i, route] of routes.entries()) add('route', i, route, route.points.flatMap(firstPair));
  return lines;
}

function firstPair({ geometry, coordinates }: RoutePoint): Pair[] {
  const [pair] = geometry ?? coordinates ?? [];
  return pair === undefined ? [] : [pair];
}

/**
 * Joins the content in the order of the files. An id that an earlier file has becomes `id~2` with a warning, also in the groups of its
 * file. The first document properties are kept.
 */
export function mergeData(files: readonly ForeignData[]): ForeignData {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only;
  const issues: Issue[] = [];
  const taken = { zones: new Set<string>(), groups: new Set<string>(), routes: new Set<string>() };
  const renamed = <Row extends { readonly id: string }>(
    rows: readonly Row[],
    what: keyof typeof taken,
  ): Row[] => {
    const ids = taken[what];
    const own = rows.map((row) => {
      const id = freeName(row.id, ids);
      if (id === row.id) return row;
      const message = `expected an id that no other file has, received ${JSON.stringify(row.id)}; it is now ${JSON.stringify(id)}`;
      issues.push({ code: 'duplicate-id', severity: 'warning', field: `${what}.id`, message });
      return { ...row, id };
    });
    for (const { id } of own) ids.add(id);
    return own;
  };
  const values = files.map(({ value }) => {
    const zones = renamed(value.zones, 'zones');
    const ids = new Map(value.zones.map(({ id }, i) => [id, zones[i]!.id]));
    const groups = renamed(value.groups, 'groups').map((group) => ({
      ...group,
      geozones: group.geozones.map((zone) => ({ ...zone, id: ids.get(zone.id) ?? zone.id })),
    }));
    return { ...value, zones, groups, routes: renamed(value.routes, 'routes') };
  });
  const document = values.find((value) => value.document !== undefined)?.document;
  return {
    value: {
      zones: values.flatMap(({ zones }) => zones),
      groups: values.flatMap(({ groups }) => groups),
      routes: values.flatMap(({ routes }) => routes),
      tracks: values.flatMap(({ tracks }) => tracks),
      ...(document === undefined ? {} : { document }),
    },
    issues,
  };
}
