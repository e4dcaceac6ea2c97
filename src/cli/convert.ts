/** `wayzone convert`: a file of one format as a file of another. */

import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { WayzoneError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import {
  type Crs,
  type KmlSection,
  loadCrs,
  toKmz,
  writeFeatureCollection,
  writeFixCsv,
  writeGpx,
  writeKml,
  writeZoneCsv,
} from '../interchange/index.js';
import { type FileIssue, summarizeIssues } from '../report/index.js';
import { type Content, contentFor, isFixTable } from './convertContent.js';
import { issueCsv } from './issueTable.js';
import {
  addTrackFlags,
  addZoneFlags,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
  zoneOptions,
} from './options.js';
import type { Io, Run } from './run.js';
import { FILE_FORMATS, type FileFormat, formatOf, streamInput } from './streamInput.js';
import { issueLines, printable } from './terminal.js';
import { type FileSink, writeAside } from './writeAside.js';

interface ConvertFlags extends ZoneFlags, TrackFlags {
  readonly from?: FileFormat;
  readonly to?: FileFormat;
  readonly crs?: string;
  readonly toCrs?: string;
  readonly name?: string;
  readonly issues?: string;
}

/** What a run needs once its flags are understood. */
interface Conversion {
  readonly input: string;
  readonly output: string;
  readonly from: FileFormat;
  readonly to: FileFormat;
  readonly crs: Crs | null;
  readonly toCrs: Crs | null;
  readonly flags: ConvertFlags;
}

/** Formats that are WGS84 by their standards. */
const WGS84_ONLY: readonly FileFormat[] = ['kml', 'kmz', 'gpx'];

/** Adds the command `convert`. */
export function addConvert(program: Command, io: Io, run: Run): void {
  const formats = (flag: string, what: string): Option =>
    new Option(flag, `${what}; default: by its extension`).choices(FILE_FORMATS);
  const command = program
    .command('convert')
    .summary('zones, routes and tracks from one file format to another')
    .description(
      'Reads .kml, .kmz, .geojson, .json, .gpx or .csv (but for .kmz also with .gz) and writes .kml, .kmz, .geojson, .gpx or .csv, whole or\n' +
        'not at all. Zones keep all their fields but in GPX. What the output cannot hold is left out and said.',
    )
    .argument('<in>', 'a file')
    .argument('<out>', 'the file to write')
    .addOption(formats('--from <format>', 'what IN is'))
    .addOption(formats('--to <format>', 'what OUT is'))
    .option('--crs <name>', 'the coordinate system of IN: an EPSG code or a proj string (default: WGS84)')
    .option(
      '--to-crs <name>',
      'that of OUT, for .geojson and .csv alone: KML and GPX are WGS84 by definition',
    )
    .option('--name <text>', 'the name of a KML document (default: the name of IN)')
    .option('--issues <file>', 'every issue as CSV (stderr has a few of each kind)')
    .optionsGroup('Reading tracks:');
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
GPX holds points and circles (as their centres), routes and tracks: each line and polygon is an error, and is left out. CSV holds zones
(well-known text), or fixes where IN has tracks alone. The other formats hold zones and routes: tracks become lines, and so do routes of
GPX. KML alone holds groups; in GeoJSON a route is its points.
Issues go to stderr.

Examples:
  wayzone convert zones.kmz zones.geojson
  wayzone convert surveyed.geojson zones.kml --crs EPSG:28407
  wayzone convert zones.kml zones.csv --to-crs EPSG:32637
  wayzone convert monday.csv.gz monday.gpx --speed-unit kph
  wayzone convert zones.kml depots.gpx --issues left-out.csv`,
    )
    .action(async (input: string, output: string, flags: ConvertFlags) => {
      const from = flags.from ?? formatOf(input);
      const to = flags.to ?? formatOf(output);
      if (from === null) command.error(`error: ${printable(input)} has no known extension; give --from`);
      if (to === null || (flags.to === undefined && /\.gz$/i.test(output))) {
        command.error(`error: ${printable(output)} has no known extension; give --to`);
      }
      if (flags.toCrs !== undefined && WGS84_ONLY.includes(to!)) {
        command.error(`error: ${to} is WGS84 by its definition; --to-crs is for .geojson and .csv`);
      }
      const system = async (flag: string, name: string | undefined): Promise<Crs | null> => {
        try {
          return name === undefined ? null : await loadCrs(name);
        } catch (error) {
          if (!(error instanceof WayzoneError)) throw error;
          return command.error(`error: ${flag}: ${printable(error.message)}`);
        }
      };
      const crs = await system('--crs', flags.crs);
      const toCrs = await system('--to-crs', flags.toCrs);
      return run(() => convert({ input, output, from: from!, to: to!, crs, toCrs, flags }, io));
    });
}

/** Returns whether everything could be read and written. */
async function convert(conversion: Conversion, io: Io): Promise<boolean> {
  const { input, output, from, to, crs, toCrs, flags } = conversion;
  const gpxAs = to === 'gpx' || to === 'csv' ? 'fixes' : 'lines';
  const reading = {
    ...trackReading(flags),
    format: from,
    gpxAs,
    ...(crs === null ? {} : { crs }),
    ...(flags.issues === undefined ? {} : { maxIssues: Number.POSITIVE_INFINITY }),
  } as const;
  const data = await streamInput(input, reading, io.stderr);
  const issues: Issue[] = [...data.issues];
  const lines = data.value.zones.filter(({ type }) => type.key === 'line').length;
  if (from === 'gpx' && gpxAs === 'lines' && lines > 0) {
    const message = `${to} holds zones: tracks and routes are ${lines} lines, without what their points say (times, heights, names)`;
    issues.push({ code: 'track-as-line', severity: 'warning', field: '', message });
  }
  const options = {
    ...zoneOptions(flags),
    axisOrder: flags.axisOrder,
    ...(toCrs === null ? {} : { crs: toCrs }),
  };
  const content = contentFor(to, data, options, issues);
  const nothing = [content.zones, content.routes, content.tracks].every((list) => list.length === 0);
  const failed = issues.some(({ severity }) => severity === 'error');
  if (!(nothing && failed)) {
    const bytes = await writeAside(output, (sink) => write(content, conversion, options, sink));
    io.stdout.write(`${summaryOf(content)}; written to ${printable(output)} (${bytes} bytes)\n`);
  } else io.stderr.write(`wayzone: nothing could be converted; ${printable(output)} is not written\n`);
  const found: FileIssue[] = issues.map((issue) => ({ ...issue, file: input }));
  const summary = summarizeIssues(found);
  const rest =
    flags.issues === undefined ? '--issues FILE has all of them' : `all in ${printable(flags.issues)}`;
  if (flags.issues !== undefined) await writeAside(flags.issues, (sink) => sink(issueCsv(found)));
  if (found.length > 0) io.stderr.write(`${issueLines(summary, rest).join('\n').trim()}\n`);
  return summary.errors === 0;
}

async function write(
  content: Content,
  { to, input, flags }: Conversion,
  options: ReturnType<typeof zoneOptions> & { readonly crs?: Crs },
  sink: FileSink,
): Promise<void> {
  const { zones, groups, routes, tracks } = content;
  const name = flags.name ?? basename(input);
  if (to === 'kml') await writeKml(sectionsOf(content), sink, { ...options, name, routes });
  else if (to === 'kmz') await sink(toKmz(zones, { ...options, groups, name, routes }));
  else if (to === 'geojson') await writeFeatureCollection(zones, sink, { ...options, all: true, routes });
  else if (to === 'gpx') await writeGpx(content, sink, options);
  else if (isFixTable(to, content)) await writeFixCsv(tracks, sink, options);
  else await writeZoneCsv(zones, sink, options);
}

/** The zones of each group, then those of none. */
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

function summaryOf({ zones, groups, routes, tracks }: Content): string {
  const fixes = tracks.reduce((sum, track) => sum + track.fixes.length, 0);
  const counts: [number, string][] = [
    [zones.length, 'zones'],
    [groups.length, 'groups'],
    [routes.length, 'routes'],
    [tracks.length, 'tracks'],
    [fixes, 'fixes'],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return said.length === 0 ? 'nothing' : said.join(', ');
}
