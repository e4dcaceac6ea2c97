/** `wayzone report`: read, measure, index, find visits, write. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { WayzoneError } from '../core/errors.js';
import { type Geozone, isDeleted } from '../core/wire.js';
import { toCsv, toFeatureCollection, toKml } from '../interchange/index.js';
import {
  type ReportInput,
  type ReportUnit,
  type ReportZone,
  reportPage,
  summarize,
  visitsTable,
} from '../report/index.js';
import { findVisits, readTrack } from '../tracks/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import type { ReportOptions } from './arguments.js';
import { type Collected, collect } from './collect.js';
import { measure } from './measure.js';
import { startProgress } from './progress.js';
import type { Io } from './run.js';
import { printable, reportText } from './terminal.js';
import { writeFiles } from './writeFiles.js';

const EXAMPLE_ZONES = ['city-zones.geojson', 'city-zones.kml'];
const EXAMPLE_TRACKS = ['city-day.csv', 'city-van.gpx'];

const VISIT_COLUMNS = [
  'unit_id',
  'zone_id',
  'zone_name',
  'zone_type',
  'enter_utc',
  'exit_utc',
  'duration_seconds',
  'seen',
  'end',
  'fix_count',
] as const;

/** Returns whether everything could be read. Throws when the files cannot be written. */
export async function report(given: ReportOptions, io: Io): Promise<boolean> {
  const example = given.zones.length === 0 && given.tracks.length === 0;
  const options = example ? exampleOptions(given) : given;
  if (example) io.stdout.write('No --zones and --tracks: the example city of the package is read.\n');
  const collected = await collect(options);
  const { index, zones } = indexZones(collected, options);
  const units = visitsOf(collected, index, options, io);
  const input: ReportInput = {
    title: options.title,
    zones,
    units,
    sources: collected.sources,
    issues: collected.issues,
    maxGapSeconds: options.visitOptions.maxGapSeconds,
  };
  const summary = summarize(input);
  const written = await writeFiles(options.out, await contents(input, options));
  io.stdout.write(reportText(input, summary));
  io.stdout.write(`\nWritten to ${printable(options.out)}: ${written.join(', ')}\n`);
  return summary.issues.errors === 0;
}

function exampleOptions(given: ReportOptions): ReportOptions {
  const path = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
  return { ...given, zones: EXAMPLE_ZONES.map(path), tracks: EXAMPLE_TRACKS.map(path), speedUnit: 'kph' };
}

/** The zones that can be indexed and measured; each other one is an `error` issue of its file. */
function indexZones(
  { zones, issues, fileOf }: Collected,
  options: ReportOptions,
): { index: ZoneIndex<Geozone>; zones: ReportZone[] } {
  const index = new ZoneIndex<Geozone>([], options.zoneOptions);
  const measured: ReportZone[] = [];
  for (const zone of zones) {
    if (isDeleted(zone)) {
      const message = 'the zone is marked deleted and left out';
      issues.push({
        code: 'zone-deleted',
        severity: 'warning',
        field: `zone ${JSON.stringify(zone.id)}`,
        message,
        file: fileOf.get(zone.id) ?? '',
      });
      continue;
    }
    try {
      const row = measure(zone, options.zoneOptions);
      index.add(zone);
      measured.push(row);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const { code, field, message } = error;
      const place = `zone ${JSON.stringify(zone.id)}${field === '' ? '' : ` ${field}`}`;
      issues.push({ code, severity: 'error', field: place, message, file: fileOf.get(zone.id) ?? '' });
    }
  }
  return { index, zones: measured };
}

function visitsOf(
  collected: Collected,
  index: ZoneIndex<Geozone>,
  options: ReportOptions,
  io: Io,
): ReportUnit[] {
  const progress = startProgress(io.stderr, collected.units.length);
  try {
    return collected.units.map(({ unitId, fixes }) => {
      const track = readTrack(fixes, { maxSpeedKph: options.maxSpeedKph });
      const visits = findVisits(track, index, options.visitOptions);
      progress.step();
      return { unitId, track, visits };
    });
  } finally {
    progress.stop();
  }
}

async function contents(input: ReportInput, options: ReportOptions): Promise<ReadonlyMap<string, string>> {
  const zones = input.zones.map(({ zone }) => zone);
  const { zoneOptions } = options;
  const rows = visitsTable(input).map((row) => VISIT_COLUMNS.map((column) => row[column]));
  return new Map([
    ['index.html', reportPage(input, await leaflet())],
    ['visits.csv', toCsv(VISIT_COLUMNS, rows)],
    ['zones.geojson', `${JSON.stringify(toFeatureCollection(zones, { ...zoneOptions, all: true }))}\n`],
    ['zones.kml', toKml(zones, { ...zoneOptions, name: input.title })],
    ['summary.json', `${JSON.stringify(summarize(input), null, 2)}\n`],
  ]);
}

async function leaflet(): Promise<{ js: string; css: string }> {
  const { resolve } = createRequire(import.meta.url);
  const text = (name: string): Promise<string> => readFile(resolve(`leaflet/dist/${name}`), 'utf8');
  return { js: await text('leaflet.js'), css: await text('leaflet.css') };
}
