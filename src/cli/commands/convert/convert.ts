/** `wayzone convert`: writes a file in another format. */

import { basename } from 'node:path';
import type { Issue } from '../../../core/fix.js';
import type { Crs, KmlSection } from '../../../interchange/index.js';
import type { FileIssue } from '../../../report/index.js';
import { type TrackFlags, trackReading, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { FileFormat } from '../../io/fileFormat.js';
import type { Io } from '../../io/io.js';
import { issueCsv } from '../../io/issueRows.js';
import { isStandardOutput } from '../../io/output.js';
import { refuseInputs } from '../../io/refuseInputs.js';
import { reportIssues } from '../../io/reportIssues.js';
import { streamInput } from '../../io/streamInput.js';
import { printable } from '../../io/terminal.js';
import { type FileSink, writeAside } from '../../io/writeAside.js';
import { type Content, contentFor, isCheckedByWriter, isFixTable } from './contentFor.js';
import { RefusedZones } from './refusedZones.js';

export interface ConvertFlags extends ZoneFlags, TrackFlags {
  readonly from?: FileFormat;
  readonly to?: FileFormat;
  readonly crs?: string;
  readonly toCrs?: string;
  readonly title?: string;
  readonly issues?: string;
  readonly force?: boolean;
}

/** Options of a run, checked. */
interface Conversion {
  readonly input: string;
  readonly output: string;
  readonly from: FileFormat;
  readonly to: FileFormat;
  readonly crs: Crs | null;
  readonly toCrs: Crs | null;
  readonly flags: ConvertFlags;
}

/** Returns whether everything could be read and written. */
export async function convert(conversion: Conversion, io: Io): Promise<boolean> {
  const { input, output, from, to, crs, toCrs, flags } = conversion;
  const outputs = flags.issues === undefined ? [output] : [output, flags.issues];
  if (flags.force !== true) await refuseInputs([input], outputs, '--force overwrites it');
  const gpxAs = to === 'gpx' || to === 'csv' ? 'fixes' : 'lines';
  const reading = {
    ...trackReading(flags),
    format: from,
    gpxAs,
    flatRings: to === 'kml' || to === 'kmz',
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
  const { zones, ...content } = contentFor(to, data, options, issues);
  const refused = new RefusedZones(to, options);
  const first = isCheckedByWriter(to) ? zones.findIndex((zone) => refused.accepts(zone)) : 0;
  const accepted = first < 0 ? [] : zones.slice(first);
  const nothing = [accepted, content.routes, content.tracks].every((list) => list.length === 0);
  const failed = refused.count > 0 || issues.some(({ severity }) => severity === 'error');
  let bytes: number | null = null;
  try {
    if (!(nothing && failed)) {
      const written = { ...content, zones: accepted };
      bytes = await writeAside(output, (sink) => write(written, conversion, options, sink, refused));
    }
  } finally {
    for (const issue of refused.issuesOf(zones)) issues.push(issue);
    if (flags.issues !== undefined) {
      await writeAside(flags.issues, (sink) => sink(issueCsv(issues.map(inFile(input)))));
    }
  }
  if (bytes !== null) {
    // Standard output carries the file, so the summary goes to stderr.
    const summaryStream = (await isStandardOutput(output)) ? io.stderr : io.stdout;
    const summary = summaryOf(zones.length - refused.count, content);
    summaryStream.write(`${summary}; written to ${printable(output)} (${bytes} bytes)\n`);
  } else io.stderr.write(`wayzone: nothing could be converted; ${printable(output)} is not written\n`);
  const rest =
    flags.issues === undefined ? '--issues FILE has all of them' : `all in ${printable(flags.issues)}`;
  return reportIssues(issues.map(inFile(input)), io.stderr, rest);
}

function inFile(file: string): (issue: Issue) => FileIssue {
  return (issue) => ({ ...issue, file });
}

async function write(
  content: Content,
  { to, input, flags }: Conversion,
  options: ReturnType<typeof zoneOptions> & { readonly crs?: Crs },
  sink: FileSink,
  refused: RefusedZones,
): Promise<void> {
  const { zones, groups, routes, tracks, document } = content;
  const name = flags.title ?? document?.name ?? basename(input);
  const about = document === undefined ? {} : { document };
  // Writers are loaded when needed.
  if (to === 'kml') {
    const { writeSoundKml } = await import('../../../interchange/kml/writeKml.js');
    const whole = { ...options, ...about, name, routes };
    await writeSoundKml(sectionsOf(content), sink, whole, refused.onError);
  } else if (to === 'kmz') {
    const { soundKmz } = await import('../../../interchange/kmz/toKmz.js');
    await sink(soundKmz(zones, { ...options, ...about, groups, name, routes }, refused.onError));
  } else if (to === 'geojson') {
    const { writeSoundFeatures } = await import('../../../interchange/geojson/writeFeatureCollection.js');
    const whole = { ...options, ...about, all: true, routes };
    await writeSoundFeatures(zones, sink, whole, refused.onError);
  } else if (to === 'gpx') {
    const { writeGpx } = await import('../../../interchange/gpx/toGpx.js');
    await writeGpx(content, sink, options);
  } else if (isFixTable(to, content)) {
    const { writeFixCsv } = await import('../../../interchange/csv/toFixCsv.js');
    await writeFixCsv(tracks, sink, options);
  } else {
    const { writeZoneCsv } = await import('../../../interchange/csv/toZoneCsv.js');
    await writeZoneCsv(zones, sink, options);
  }
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
