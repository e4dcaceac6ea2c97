/** `wayzone visits`: the visits of tracks to zones, as rows. */

import type { Command } from 'commander';
import type { UnitReplay } from '../parallel/index.js';
import { summarizeIssues, visitsTable } from '../report/index.js';
import { collect } from './collect.js';
import { indexOf } from './indexOf.js';
import {
  addFormat,
  addTrackFlags,
  addVisitFlags,
  addWorkers,
  addZoneFlags,
  amount,
  type Format,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  visitOptions,
  type ZoneFlags,
  zoneOptions,
} from './options.js';
import { replayUnits } from './replayUnits.js';
import { VISIT_COLUMNS } from './report.js';
import type { Io, Run } from './run.js';
import { issueLines } from './terminal.js';
import { writeRows } from './writeRows.js';

interface VisitsFlags extends ZoneFlags, TrackFlags, VisitFlags {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly format: Format;
  readonly maxSpeed: number;
  readonly workers: number;
}

/** Adds the command `visits`. */
export function addVisits(program: Command, io: Io, run: Run): void {
  const command = program
    .command('visits')
    .summary("every unit's visits to the zones, as rows")
    .description(
      'Prints one row for each stay of a unit in a zone. Times are ISO 8601 UTC; an open visit has no exit.',
    )
    .requiredOption('--zones <file...>', 'zones (.geojson, .json, .kml)')
    .requiredOption('--tracks <file...>', 'tracks (.gpx, .csv, .csv.gz, .kml)');
  addFormat(command);
  addWorkers(command)
    .optionsGroup('Reading tracks:')
    .option('--max-speed <kph>', 'a fix faster than this to both neighbours is left out', amount, 300);
  addTrackFlags(command);
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone visits --zones depots.geojson --tracks monday.csv.gz --speed-unit kph > visits.csv
  wayzone visits --zones depots.geojson --tracks van.gpx --min-inside 60 --format ndjson`,
    )
    .action((flags: VisitsFlags) => run(() => visits(flags, io)));
}

async function visits(flags: VisitsFlags, io: Io): Promise<boolean> {
  const collected = await collect(flags, trackReading(flags));
  const index = indexOf(collected, zoneOptions(flags));
  const options = {
    zones: index,
    visits: visitOptions(flags),
    track: { maxSpeedKph: flags.maxSpeed },
    workers: flags.workers,
  };
  const units: UnitReplay[] = [];
  for await (const unit of replayUnits(collected.units, options, collected.issues, io)) units.push(unit);
  const rows = visitsTable({ zones: collected.zones.map((zone) => ({ zone })), units });
  writeRows(VISIT_COLUMNS, rows, flags.format, io);
  const summary = summarizeIssues(collected.issues);
  if (summary.list.length > 0) {
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  }
  return summary.errors === 0;
}
