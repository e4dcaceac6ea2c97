/** `wayzone movement`: the trips, parkings and stops of tracks, as rows. */

import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { isoTime, summarizeIssues } from '../report/index.js';
import type { MovementItem, MovementKind } from '../tracks/index.js';
import { collect } from './collect.js';
import {
  addFormat,
  addTrackFlags,
  addWorkers,
  amount,
  type Format,
  type TrackFlags,
  trackReading,
} from './options.js';
import { replayUnits } from './replayUnits.js';
import type { Io, Run } from './run.js';
import { issueLines } from './terminal.js';
import { writeRows } from './writeRows.js';

interface MovementFlags extends TrackFlags {
  readonly settings?: string;
  readonly jump: 'distance' | 'speed';
  readonly format: Format;
  readonly maxSpeed: number;
  readonly workers: number;
}

const COLUMNS = [
  'unit_id',
  'kind',
  'from_utc',
  'to_utc',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'distance_meters',
  'duration_seconds',
  'max_speed_kph',
] as const;

type MovementRow = { readonly unit_id: string; readonly kind: MovementKind } & ReturnType<typeof cells>;

/** Adds the command `movement`. */
export function addMovement(program: Command, io: Io, run: Run): void {
  const command = program
    .command('movement')
    .summary("every unit's trips, parkings and stops, as rows")
    .description(
      "Prints one row for each trip, parking and stop, by the trip detector's settings. Times are ISO 8601 UTC.",
    )
    .argument('<tracks...>', 'tracks (.gpx, .csv, .csv.gz, .kml)')
    .option(
      '--settings <file>',
      'JSON with the custom fields of a unit, as an object or a list of {key, value}',
    )
    .addOption(
      new Option('--jump <by>', 'a step that cuts a trip is judged by its distance or by its speed')
        .choices(['distance', 'speed'])
        .default('distance'),
    );
  addFormat(command);
  addWorkers(command)
    .optionsGroup('Reading tracks:')
    .option('--max-speed <kph>', 'a fix faster than this to both neighbours is left out', amount, 300);
  addTrackFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone movement monday.csv.gz --speed-unit kph > movement.csv
  wayzone movement van.gpx --settings unit.json --jump speed --format json`,
    )
    .action((files: string[], flags: MovementFlags) => run(() => movement(files, flags, io)));
}

async function movement(files: readonly string[], flags: MovementFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const reading = trackReading({ ...flags, axisOrder: 'lonlat', lineWidth: 'total' });
  const { units, issues } = await collect({ zones: [], tracks: files }, reading);
  const options = {
    movement: settings,
    movementOptions: { jump: flags.jump },
    track: { maxSpeedKph: flags.maxSpeed },
    workers: flags.workers,
  };
  const rows: MovementRow[] = [];
  for await (const { unitId, movement: found } of replayUnits(units, options, issues, io)) {
    const { trips, parkings, stops } = found ?? { trips: [], parkings: [], stops: [] };
    const kinds = [['trip', trips] as const, ['parking', parkings] as const, ['stop', stops] as const];
    const items = kinds
      .flatMap(([kind, list]) => list.map((item) => ({ kind, item })))
      .sort((a, b) => a.item.from - b.item.from || a.item.to - b.item.to);
    for (const { kind, item } of items) rows.push({ unit_id: unitId, kind, ...cells(item) });
  }
  writeRows(COLUMNS, rows, flags.format, io);
  const summary = summarizeIssues(issues);
  if (issues.length > 0)
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  return summary.errors === 0;
}

async function settingsOf(file: string | undefined): Promise<TripDetectorSettings> {
  if (file === undefined) return {};
  return JSON.parse(await readFile(file, 'utf8')) as TripDetectorSettings;
}

function cells({ from, to, start, end, distanceMeters, durationSeconds, maxSpeedKph }: MovementItem) {
  return {
    from_utc: isoTime(from),
    to_utc: isoTime(to),
    start_lon: start[0],
    start_lat: start[1],
    end_lon: end[0],
    end_lat: end[1],
    distance_meters: distanceMeters,
    duration_seconds: durationSeconds,
    max_speed_kph: maxSpeedKph,
  };
}
