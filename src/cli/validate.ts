/** `wayzone validate`: all that is wrong with files. */

import { type Command, Option } from 'commander';
import { WayzoneError } from '../core/errors.js';
import type { ForeignData } from '../core/fix.js';
import type { ZoneOptions } from '../core/wire.js';
import { type Crs, loadCrs } from '../interchange/index.js';
import type { FileIssue } from '../report/index.js';
import { shapeProblems } from '../zones/shapeProblems.js';
import { issueCsv, issueRows } from './issueTable.js';
import {
  addTrackFlags,
  addZoneFlags,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
  zoneOptions,
} from './options.js';
import { type Progress, startProgress } from './progress.js';
import type { Io, Run } from './run.js';
import { FILE_FORMATS, type FileFormat, streamInput } from './streamInput.js';
import { printable } from './terminal.js';

interface ValidateFlags extends ZoneFlags, TrackFlags {
  readonly from?: FileFormat;
  readonly crs?: string;
  readonly format: 'text' | 'json' | 'csv';
}

/** A file and what is wrong with it. */
interface Verdict {
  readonly file: string;
  readonly value: ForeignData['value'];
  readonly issues: readonly FileIssue[];
}

/** Adds the command `validate`. */
export function addValidate(program: Command, io: Io, run: Run): void {
  const command = program
    .command('validate')
    .summary('every issue of files, with its place')
    .description(
      'Lists all that is wrong with files (.kml, .kmz, .geojson, .json, .gpx, .csv, but for .kmz also with .gz): what cannot be read, and zones\n' +
        'that are read but not valid (rings that cross themselves, holes outside, circles without a radius).',
    )
    .argument('<file...>', 'the files')
    .addOption(
      new Option('--from <format>', 'what the files are; default: by their extensions').choices(FILE_FORMATS),
    )
    .option('--crs <name>', 'their coordinate system: an EPSG code or a proj string (default: WGS84)')
    .addOption(
      new Option('--format <format>', 'of the list').choices(['text', 'json', 'csv']).default('text'),
    )
    .optionsGroup('Reading tracks:');
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Exit code: 0 no errors (there may be warnings), 1 errors, 2 wrong use.

Examples:
  wayzone validate zones.kml tracks.gpx
  wayzone validate export.csv --speed-unit kph --format csv > issues.csv
  wayzone validate *.geojson --format json | jq '.[] | select(.severity == "error")'`,
    )
    .action(async (files: string[], flags: ValidateFlags) => {
      let crs: Crs | null = null;
      try {
        if (flags.crs !== undefined) crs = await loadCrs(flags.crs);
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
        command.error(`error: --crs: ${printable(error.message)}`);
      }
      return run(() => validate(files, flags, crs, io));
    });
}

/** Returns whether there are no errors. */
async function validate(
  files: readonly string[],
  flags: ValidateFlags,
  crs: Crs | null,
  io: Io,
): Promise<boolean> {
  const verdicts: Verdict[] = [];
  for (const file of files) {
    const { value, issues } = await streamInput(
      file,
      {
        ...trackReading(flags),
        maxIssues: Number.POSITIVE_INFINITY,
        ...(flags.from === undefined ? {} : { format: flags.from }),
        ...(crs === null ? {} : { crs }),
      },
      io.stderr,
    );
    const progress = startProgress(io.stderr, value.zones.length, 'zones {bar} {value}/{total}');
    const all = [...issues, ...zoneIssues(value, zoneOptions(flags), progress)];
    progress.stop();
    verdicts.push({ file, value, issues: all.map((issue) => ({ ...issue, file })) });
  }
  if (flags.format === 'text') for (const verdict of verdicts) io.stdout.write(textOf(verdict));
  else {
    const all = verdicts.flatMap(({ issues }) => issues);
    const json = (): string => `${JSON.stringify(issueRows(all), null, 2)}\n`;
    io.stdout.write(flags.format === 'csv' ? issueCsv(all) : json());
  }
  return verdicts.every(({ issues }) => issues.every(({ severity }) => severity !== 'error'));
}

/** What was read, and is not valid. */
function* zoneIssues(
  { zones }: ForeignData['value'],
  options: ZoneOptions,
  progress: Progress,
): Generator<Omit<FileIssue, 'file'>> {
  for (const zone of zones) {
    for (const { field, message, reason = 'invalid' } of shapeProblems(zone, options)) {
      const place = `zone ${JSON.stringify(zone.id)} ${field}`;
      yield { code: reason, severity: 'error', field: place, message };
    }
    progress.step();
  }
}

/** A line for each issue, and one for the file. */
function textOf({ file, value, issues }: Verdict): string {
  const name = printable(file);
  const lines = issues.map(({ line, field, severity, code, message }) => {
    const place = line === undefined ? name : `${name}:${line}`;
    return `${place}: ${severity} ${code}${field === '' ? '' : ` ${printable(field)}`}: ${printable(message)}\n`;
  });
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const { zones, groups, routes, tracks } = value;
  const fixes = tracks.reduce((sum, track) => sum + track.fixes.length, 0);
  const content = `${zones.length} zones, ${groups.length} groups, ${routes.length} routes, ${tracks.length} tracks (${fixes} fixes)`;
  return `${lines.join('')}${name}: ${content}; ${errors} errors, ${issues.length - errors} warnings\n`;
}
