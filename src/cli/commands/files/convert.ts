/** `wayzone convert`: writes a file in another format. */

import { basename } from 'node:path';
import type { ForeignData, Issue } from '../../../core/fix.js';
import type { Geozone } from '../../../core/wire.js';
import type { CsvCell } from '../../../interchange/csv/toCsv.js';
import type { Crs, KmlLook, KmlSection } from '../../../interchange/index.js';
import { kmlFacts } from '../../../interchange/kml/kmlFacts.js';
import type { FileIssue } from '../../../report/index.js';
import { type TrackFlags, trackReading, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { RowFlags } from '../../flags/tableFlags.js';
import type { FileFormat } from '../../io/fileFormat.js';
import { type Io, reportIssues } from '../../io/io.js';
import { issueCsv } from '../../io/openRows.js';
import { isStandardOutput } from '../../io/output.js';
import { marksOf, rowForm } from '../../io/rowForm.js';
import { shownPath } from '../../io/standardInput.js';
import { streamInput } from '../../io/streamInput.js';
import { printable } from '../../io/terminal.js';
import { type FileSink, refuseInputs, writeAside } from '../../io/writeAside.js';
import { type Content, contentFor, isCheckedByWriter, isFixTable, mergeData } from './contentFor.js';
import { RefusedZones } from './refusedZones.js';

export interface ConvertFlags extends ZoneFlags, TrackFlags, Omit<RowFlags, 'timeZone'> {
  readonly from?: FileFormat;
  readonly to?: FileFormat;
  readonly crs?: string;
  readonly toCrs?: string;
  readonly title?: string;
  readonly issues?: string;
  readonly force?: boolean;
}

/** Checked options of a run. */
interface Conversion {
  readonly inputs: readonly string[];
  readonly output: string;
  /** Format of each input. */
  readonly from: readonly FileFormat[];
  readonly to: FileFormat;
  readonly crs: Crs | null;
  readonly toCrs: Crs | null;
  readonly flags: ConvertFlags;
}

/** Writes the output. Returns whether everything could be read and written. */
export async function convert(conversion: Conversion, io: Io): Promise<boolean> {
  const { inputs, output, from, to, crs, toCrs, flags } = conversion;
  const outputs = flags.issues === undefined ? [output] : [output, flags.issues];
  if (flags.force !== true) await refuseInputs(inputs, outputs, '--force overwrites it');
  const reading = {
    ...trackReading(flags),
    gpxAs: 'fixes',
    flatRings: to === 'kml' || to === 'kmz',
    ...(crs === null ? {} : { crs }),
    ...(flags.issues === undefined ? {} : { maxIssues: Number.POSITIVE_INFINITY }),
  } as const;
  const parts: ForeignData[] = [];
  /** Indices of the inputs whose tracks and routes become lines. */
  const drawn = new Set<number>();
  const issues: FileIssue[] = [];
  for (const [i, input] of inputs.entries()) {
    const how = { ...reading, format: from[i]! };
    let part = await streamInput(input, how, io.stderr);
    // KML and GeoJSON have tracks with a time for each position, so a file of tracks without times is drawn as lines.
    if (from[i] === 'gpx' && isDrawn(to, part)) {
      part = await streamInput(input, { ...how, gpxAs: 'lines' }, io.stderr);
      drawn.add(i);
    }
    parts.push(part);
    for (const issue of part.issues) issues.push(inFile(input)(issue));
  }
  const data = mergeData(parts);
  const found: Issue[] = inputs.length === 1 ? [] : [...data.issues];
  const lines = parts.reduce(
    (sum, { value }, i) =>
      sum + (drawn.has(i) ? value.zones.filter(({ type }) => type.key === 'line').length : 0),
    0,
  );
  if (lines > 0) {
    const message = `${to} holds zones: tracks and routes are ${lines} lines, without what their points say (times, heights, names)`;
    found.push({ code: 'track-as-line', severity: 'warning', field: '', message });
  }
  const options = {
    ...zoneOptions(flags),
    axisOrder: flags.axisOrder,
    ...(toCrs === null ? {} : { crs: toCrs }),
  };
  const { zones, ...content } = contentFor(to, data, options, found);
  const refused = new RefusedZones(to, options);
  const first = isCheckedByWriter(to) ? zones.findIndex((zone) => refused.tryWriting(zone)) : 0;
  const accepted = first < 0 ? [] : zones.slice(first);
  const nothing = [accepted, content.routes, content.tracks].every((list) => list.length === 0);
  const failed = refused.count > 0 || [...issues, ...found].some(({ severity }) => severity === 'error');
  let bytes: number | null = null;
  try {
    if (!(nothing && failed)) {
      const written = { ...content, zones: accepted };
      bytes = await writeAside(output, (sink) => write(written, conversion, options, sink, refused));
    }
  } finally {
    for (const issue of refused.issuesOf(zones)) found.push(issue);
    for (const issue of found) issues.push(inFile(inputs[0]!)(issue));
    if (flags.issues !== undefined) {
      await writeAside(flags.issues, (sink) => sink(issueCsv(issues, flags)));
    }
  }
  if (bytes !== null) {
    // If standard output is the file, the summary goes to stderr.
    const summaryStream = (await isStandardOutput(output)) ? io.stderr : io.stdout;
    const summary = summaryOf(zones.length - refused.count, content);
    summaryStream.write(`${summary}; written to ${printable(output)} (${bytes} bytes)\n`);
  } else io.stderr.write(`wayzone: nothing could be converted; ${printable(output)} is not written\n`);
  const rest =
    flags.issues === undefined ? '--issues FILE has all of them' : `all in ${printable(flags.issues)}`;
  return reportIssues(issues, io.stderr, rest);
}

/**
 * Whether the tracks and routes of a GPX file become lines in this format: a track lacks times, or, for GeoJSON, the file has routes only.
 */
function isDrawn(to: FileFormat, { value, issues }: ForeignData): boolean {
  if (issues.some(({ code }) => code === 'time-missing')) return isKml(to) || to.startsWith('geojson');
  return to.startsWith('geojson') && value.tracks.length === 0 && value.routes.length > 0;
}

function inFile(file: string): (issue: Issue) => FileIssue {
  return (issue) => ({ ...issue, file: shownPath(file) });
}

async function write(
  content: Content,
  { to, inputs, flags }: Conversion,
  options: ReturnType<typeof zoneOptions> & { readonly crs?: Crs },
  sink: FileSink,
  refused: RefusedZones,
): Promise<void> {
  const { zones, groups, routes, tracks, document } = content;
  const name = flags.title ?? document?.name ?? basename(shownPath(inputs[0]!));
  const about = document === undefined ? {} : { document };
  // Each writer is loaded on first use.
  if (to === 'kml') {
    const { writeSoundKml } = await import('../../../interchange/kml/writeKml.js');
    const whole = { ...options, ...about, name, routes, tracks, looks: sharedLooks(zones, refused) };
    await writeSoundKml(sectionsOf(content), sink, whole, refused.onError);
  } else if (to === 'kmz') {
    const { soundKmz } = await import('../../../interchange/kmz/toKmz.js');
    await sink(soundKmz(zones, { ...options, ...about, groups, name, routes }, refused.onError, tracks));
  } else if (to === 'geojson' || to === 'geojsonl' || to === 'geojsonseq') {
    const { writeSoundFeatures } = await import('../../../interchange/geojson/writeFeatureCollection.js');
    const whole = { ...options, ...about, all: true, routes, tracks };
    await writeSoundFeatures(zones, sink, whole, refused.onError, FORMS[to]);
  } else if (to === 'mfjson') {
    const { toMovingFeatures } = await import('../../../interchange/geojson/toMovingFeatures.js');
    await sink(`${JSON.stringify(toMovingFeatures(tracks))}\n`);
  } else if (to === 'gpx') {
    const { writeGpx } = await import('../../../interchange/gpx/toGpx.js');
    await writeGpx(content, sink, options);
  } else if (to === 'parquet') {
    if (isFixTable(to, content)) {
      const { toFixParquet } = await import('../../../interchange/parquet/toGeoParquet.js');
      await sink(await toFixParquet(tracks));
    } else {
      const { toGeoParquet } = await import('../../../interchange/parquet/toGeoParquet.js');
      const { crs: _wgs84, ...zoneOptionsOnly } = options;
      await sink(await toGeoParquet(zones, zoneOptionsOnly));
    }
  } else if (isFixTable(to, content) && flags.excel === true) {
    await writeExcelFixes(tracks, sink, flags, options.crs ?? null);
  } else if (isFixTable(to, content)) {
    const { writeFixCsv } = await import('../../../interchange/csv/toFixCsv.js');
    await writeFixCsv(tracks, sink, options);
  } else {
    const { attributesOf, writeZoneCsv } = await import('../../../interchange/csv/toZoneCsv.js');
    const marks = flags.excel === true ? { marks: marksOf(true, flags.locale) } : {};
    await writeZoneCsv(zones, sink, { ...options, ...marks, attributes: attributesOf(zones) });
  }
}

/** Number of rows written at a time. */
const PIECE_ROWS = 1000;

/** A row for each fix, as spreadsheet programs expect them. */
async function writeExcelFixes(
  tracks: Content['tracks'],
  sink: FileSink,
  flags: RowFlags,
  crs: Crs | null,
): Promise<void> {
  const { fixCells, fixColumns } = await import('../../../interchange/csv/toFixCsv.js');
  const columns = fixColumns(crs).map((name) => (name === 'time' ? 'time_utc' : name));
  const form = rowForm<Readonly<Record<string, CsvCell>>>(columns, flags);
  await sink(form.head());
  let rows: Readonly<Record<string, CsvCell>>[] = [];
  for (const [i, track] of tracks.entries()) {
    for (const cells of fixCells(track, `tracks[${i}]`, crs)) {
      rows.push(Object.fromEntries(columns.map((name, k) => [name, cells[k]])));
      if (rows.length < PIECE_ROWS) continue;
      await sink(form.text(rows));
      rows = [];
    }
  }
  await sink(form.text(rows));
}

/** Looks of the written zones; equal looks share a Style. */
function sharedLooks(zones: readonly Geozone[], refused: RefusedZones): KmlLook[] {
  const looks = new Map<string, KmlLook>();
  for (const zone of zones) {
    if (kmlFacts(zone).style !== null) continue;
    const look = { color: zone.color ?? null, icon: zone.icon ?? null, type: zone.type };
    const key = JSON.stringify([look.color?.key, look.icon?.key, look.type.key === 'point']);
    if (!looks.has(key) && refused.tryWriting(zone)) looks.set(key, look);
  }
  return [...looks.values()];
}

const FORMS = { geojson: 'collection', geojsonl: 'lines', geojsonseq: 'sequence' } as const;

function isKml(format: FileFormat): boolean {
  return format === 'kml' || format === 'kmz';
}

/** The zones of each group, then the zones without a group. */
function* sectionsOf({ zones, groups }: Content): Generator<KmlSection> {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const placed = new Set<string>();
  for (const group of groups) {
    const own = group.geozones.flatMap(({ id }) => byId.get(id) ?? []);
    for (const { id } of own) placed.add(id);
    yield { group, zones: own };
  }
  yield { group: null, zones: zones.filter(({ id }) => !placed.has(id)) };
}

function summaryOf(zones: number, { groups, routes, tracks }: Omit<Content, 'zones'>): string {
  const fixes = tracks.reduce((sum, track) => sum + track.fixes.length, 0);
  const counts: [number, string][] = [
    [zones, 'zones'],
    [groups.length, 'groups'],
    [routes.length, 'routes'],
    [tracks.length, 'tracks'],
    [fixes, 'fixes'],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
