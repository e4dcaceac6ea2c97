/** `wayzone movement`: the trips, parkings and stops of tracks, as rows. */

import type { Command } from 'commander';
import { MOVEMENT_COLUMNS, type MovementRow, movementRows, summarizeIssues } from '../report/index.js';
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
import { addMovementFlags, type MovementFlags, settingsOf } from './unitSettings.js';
import { writeRows } from './writeRows.js';

interface CommandFlags extends TrackFlags, MovementFlags {
  readonly format: Format;
  readonly maxSpeed: number;
  readonly workers: number;
}

/** Adds the command `movement`. */
export function addMovement(program: Command, io: Io, run: Run): void {
  const command = program
    .command('movement')
    .summary("every unit's trips, parkings and stops, as rows")
    .description(
      "Prints one row for each trip, parking and stop, by the trip detector's settings. Times are ISO 8601 UTC.",
    )
    .argument('<tracks...>', 'tracks (.gpx, .csv, .csv.gz, .kml)');
  addMovementFlags(command);
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
    .action((files: string[], flags: CommandFlags) => run(() => movement(files, flags, io)));
}

async function movement(files: readonly string[], flags: CommandFlags, io: Io): Promise<boolean> {
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
    if (found !== null) for (const row of movementRows(unitId, found)) rows.push(row);
  }
  writeRows(MOVEMENT_COLUMNS, rows, flags.format, io);
  const summary = summarizeIssues(issues);
  if (issues.length > 0)
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  return summary.errors === 0;
}
