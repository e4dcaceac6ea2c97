/** `wayzone locate`: which zones contain a position, or each position of a file. */

import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Fix } from '../core/fix.js';
import { readLonLat } from '../core/gate.js';
import { toCsv } from '../interchange/index.js';
import { locateParallel } from '../parallel/index.js';
import { type FileIssue, isoTime, summarizeIssues } from '../report/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import { collect } from './collect.js';
import { indexOf } from './indexOf.js';
import {
  addTrackFlags,
  addZoneFlags,
  readingOptions,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
  zoneOptions,
} from './options.js';
import { type Progress, startProgress } from './progress.js';
import { readInput } from './readInput.js';
import type { Io, Run } from './run.js';
import { issueLines } from './terminal.js';

interface LocateFlags extends ZoneFlags, TrackFlags {
  readonly at?: readonly [number, number];
  readonly positions?: readonly string[];
  readonly format: 'csv' | 'json' | 'ndjson';
  readonly workers: number;
}

/** A position as its file has it. */
interface Place {
  readonly unitId: string;
  readonly time: number | null;
  readonly lon: number;
  readonly lat: number;
}

const COLUMNS = ['unit_id', 'time_utc', 'lon', 'lat', 'zone_id'] as const;
/** The name of a file that `wayzone index` wrote. */
export const INDEX_FILE: RegExp = /\.wzi$/i;
/** Rows written at a time. */
const BATCH = 10_000;

/** Adds the command `locate`. */
export function addLocate(program: Command, io: Io, run: Run): void {
  const command = program
    .command('locate')
    .summary('the zones that contain a position, or each of many')
    .description(
      'Says which zones contain a position (--at), or each fix of tracks and each point of a file (--positions: .csv, .csv.gz, .gpx,\n' +
        '.geojson, .kml). ZONES is an index file of `wayzone index` (.wzi), or files with zones.',
    )
    .argument('<zones...>', 'an index file, or files with zones')
    .addOption(
      new Option('--at <lon,lat>', 'a position in degrees').argParser(position).conflicts('positions'),
    )
    .option('--positions <file...>', 'files with positions')
    .addOption(
      new Option(
        '--format <format>',
        'csv has one row a position and zone; json and ndjson one object a position',
      )
        .choices(['csv', 'json', 'ndjson'])
        .default('csv'),
    )
    .option('--workers <count>', 'threads that answer', count, 1)
    .optionsGroup('Reading positions:');
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
A position in no zone has one CSV row without a zone. Issues go to stderr.

Examples:
  wayzone locate regions.geojson --at 37.61,55.75
  wayzone index regions.geojson --out fleet.wzi && wayzone locate fleet.wzi --positions monday.csv.gz > zones.csv
  wayzone locate fleet.wzi --positions tour.gpx --format ndjson --workers 4`,
    )
    .action((files: string[], flags: LocateFlags) => {
      if (flags.at === undefined && flags.positions === undefined) {
        command.error('error: --at or --positions is missing');
      }
      return run(() => locate(files, flags, io));
    });
}

async function locate(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  const issues: FileIssue[] = [];
  const index = await openZones(files, flags, issues);
  const places =
    flags.at === undefined
      ? await readPlaces(flags, issues)
      : [{ unitId: '', time: null, lon: flags.at[0], lat: flags.at[1] }];
  const lonLat = Float64Array.from({ length: 2 * places.length }, (_, i) => {
    const { lon, lat } = places[i >> 1]!;
    return i % 2 === 0 ? lon : lat;
  });
  const progress = startProgress(io.stderr, places.length, 'positions {bar} {value}/{total}');
  const found = await answers(index, lonLat, flags.workers, progress);
  write(places, found, flags.format, io);
  const summary = summarizeIssues(issues);
  if (issues.length > 0)
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  return summary.errors === 0;
}

/** The zones of each position, by id. */
async function answers(
  index: ZoneIndex,
  lonLat: Float64Array,
  workers: number,
  progress: Progress,
): Promise<(place: number) => string[]> {
  let done = 0;
  const onProgress = (value: number): void => {
    for (; done < value; done++) progress.step();
  };
  try {
    const { offsets, zones } =
      workers === 1 ? index.atMany(lonLat) : await locateParallel(index, lonLat, { workers, onProgress });
    return (place) => {
      const ordinals = zones.subarray(offsets[place], offsets[place + 1]);
      return Array.from(ordinals, (ordinal) => index.idOf(ordinal) ?? '');
    };
  } finally {
    progress.stop();
  }
}

async function openZones(
  files: readonly string[],
  flags: LocateFlags,
  issues: FileIssue[],
): Promise<ZoneIndex> {
  const [file] = files;
  if (files.length === 1 && file !== undefined && INDEX_FILE.test(file)) {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    return ZoneIndex.fromBuffer(buffer.slice(byteOffset, byteOffset + byteLength));
  }
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags));
  const index = indexOf(collected, zoneOptions(flags));
  for (const issue of collected.issues) issues.push(issue);
  return index;
}

/** The fixes of tracks, then the point zones, of each file in turn. */
async function readPlaces(flags: LocateFlags, issues: FileIssue[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const file of flags.positions ?? []) {
    const before = places.length;
    const { value, issues: own } = await readInput(file, trackReading(flags));
    for (const issue of own) issues.push({ ...issue, file });
    for (const { unitId, fixes } of value.tracks) for (const fix of fixes) places.push(placeOf(unitId, fix));
    for (const { id, type, geometry } of value.zones) {
      const [pair] = geometry;
      if (type.key === 'point' && pair !== undefined) {
        const [lon, lat] = flags.axisOrder === 'latlon' ? [pair[1], pair[0]] : pair;
        places.push({ unitId: id, time: null, lon, lat });
      }
    }
    if (places.length === before && !own.some(({ severity }) => severity === 'error')) {
      const message = 'expected tracks or points, received none';
      issues.push({ code: 'no-positions', severity: 'warning', field: '', message, file });
    }
  }
  return places;
}

function placeOf(unitId: string, { time, lon, lat }: Fix): Place {
  return { unitId, time, lon, lat };
}

function write(
  places: readonly Place[],
  zonesOf: (place: number) => string[],
  format: LocateFlags['format'],
  io: Io,
): void {
  const header = toCsv(COLUMNS, []);
  if (format === 'csv') io.stdout.write(header);
  if (format === 'json') io.stdout.write('[');
  for (let from = 0; from < places.length; from += BATCH) {
    const batch = places.slice(from, from + BATCH);
    if (format === 'csv') {
      const rows = batch.flatMap(({ unitId, time, lon, lat }, i) => {
        const zones = zonesOf(from + i);
        const when = time === null ? null : isoTime(time);
        return (zones.length === 0 ? [null] : zones).map((zone) => [unitId, when, lon, lat, zone]);
      });
      io.stdout.write(toCsv(COLUMNS, rows).slice(header.length));
      continue;
    }
    const objects = batch.map((place, i) => JSON.stringify({ ...place, zones: zonesOf(from + i) }));
    if (format === 'ndjson') io.stdout.write(`${objects.join('\n')}\n`);
    else io.stdout.write(`${from === 0 ? '' : ','}\n${objects.join(',\n')}`);
  }
  if (format === 'json') io.stdout.write('\n]\n');
}

/** `LON,LAT` in degrees. */
function position(text: string): [number, number] {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2) throw new InvalidArgumentError('Expected LON,LAT in degrees.');
  try {
    return readLonLat(parts[0], parts[1], '--at');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `${error.message}.` : '');
  }
}

function count(text: string): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= 1 && value <= 1024)) {
    throw new InvalidArgumentError('Expected a whole number from 1 to 1024.');
  }
  return value;
}
