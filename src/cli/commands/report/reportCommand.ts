/** Declares the command `report`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { addMovementFlags } from '../../flags/movementFlags.js';
import {
  addFixFlags,
  addTrackFlags,
  addVisitFlags,
  addZoneFlags,
  besideTrips,
  fixOptions,
  trackReading,
  visitOptions,
  zoneOptions,
} from '../../flags/options.js';
import { addRowFlags } from '../../flags/tableFlags.js';
import { addTripFlags } from '../../flags/tripFlags.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { ReportFlags, ReportOptions } from './report.js';
import { addBasemapFlags, addConductFlags } from './reportFlags.js';

/** Adds the command `report`. */
export function reportCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('report')
    .summary("every unit's visits to the zones: a page, tables and files")
    .description(
      "Reads zones and tracks, finds every unit's visits, and writes into DIR:\n" +
        'index.html (opens offline), visits.csv, movement.csv, zones.geojson, zones.kml, summary.json, and with trips trips.csv.\n\n' +
        'Without --zones, --tracks and --trips it reads the example city that comes with the package.',
    )
    .option('--zones <file...>', `zones (${ZONE_FILES}); may be given more than once`)
    .option(
      '--tracks <file...>',
      `tracks (${TRACK_FILES}); may be given more than once; the same unit in several files is joined`,
    )
    .option(
      '--trips <file...>',
      'planned trips (.json, .ndjson; .csv, .tsv, .xlsx with a row a stop); needs --time-zone',
    )
    .requiredOption('--out <dir>', 'folder to write, made if needed')
    .option(
      '--title <text>',
      'title of the page (default: "Visits, trips and movement", in Russian "Посещения, рейсы и движение")',
    )
    .option('--company <text>', 'whose report it is, above the title')
    .option('--language <tag>', 'language of the page: en or ru', 'en')
    .option('--gradation <file>', 'JSON {styles: [{max, hex_color}]}: the colours of tracks by speed');
  addBasemapFlags(command.optionsGroup('Map and units of the page:'));
  addRowFlags(command.optionsGroup('Other files:')).optionsGroup('Reading tracks:');
  addTrackFlags(command, false);
  addFixFlags(command);
  addZoneFlags(command);
  addVisitFlags(command);
  addTripFlags(command);
  addConductFlags(command.optionsGroup('Limits, hours, a route, meetings:'));
  addMovementFlags(command.optionsGroup('Movement:'))
    .addHelpText(
      'after',
      `
Examples:
  wayzone report --out out/demo
  wayzone report --zones depots.geojson yards.kml --tracks monday.csv.gz --speed-unit mps --out out/monday
  wayzone report --zones depots.geojson --tracks monday.csv --trips monday.json --time-zone Europe/Berlin --out out/monday
  wayzone report --zones depots.geojson --tracks monday.csv --limit 90 --hours hours.json --time-zone Europe/Berlin --out out/monday
  wayzone report --zones depots.geojson --tracks monday.csv --route bus-12.geojson --route-width 60 --meeting-meters 50 --out out/monday
  wayzone report --zones depots.geojson --tracks monday.csv --tiles 'https://tiles.example/{z}/{x}/{y}.png' --out out/monday
  wayzone report --zones depots.geojson --tracks monday.csv --basemap city.pmtiles --units miles --out out/monday
  wayzone report --zones taxi_zones.geojson --id-property LocationID --tracks a.gpx --tracks b.gpx --out out/taxi`,
    )
    .action((flags: ReportFlags) =>
      run(async () => (await import('./report.js')).report(readFlags(flags, command), io)),
    );
}

function readFlags(flags: ReportFlags, command: Command): ReportOptions {
  const { zones = [], tracks = [], out } = flags;
  const isExample = zones.length === 0 && tracks.length === 0 && flags.trips === undefined;
  if (!isExample && zones.length === 0 && flags.trips === undefined)
    command.error('error: --zones is missing');
  if (!isExample && tracks.length === 0) command.error('error: --tracks is missing');
  if (flags.trips !== undefined && flags.timeZone === undefined)
    command.error('error: --time-zone is missing');
  return {
    zones,
    tracks,
    trips: flags.trips ?? [],
    flags,
    out,
    reading: flags.trips === undefined ? trackReading(flags) : besideTrips(trackReading(flags)),
    zoneOptions: zoneOptions(flags),
    visitOptions: visitOptions(flags),
    fixOptions: fixOptions(flags),
  };
}
