/** `wayzone measure`: area, perimeter and length of the zones of files. */

import type { Command } from 'commander';
import { WayzoneError } from '../core/errors.js';
import type { FileIssue } from '../report/index.js';
import { summarizeIssues } from '../report/index.js';
import { measureZone, type ZoneMeasure } from '../zones/measure.js';
import { collect } from './collect.js';
import { addZoneFlags, readingOptions, type ZoneFlags, zoneOptions } from './options.js';
import type { Io, Run } from './run.js';
import { issueLines, printable, table } from './terminal.js';

interface MeasureFlags extends ZoneFlags {
  readonly json?: true;
}

interface Row extends ZoneMeasure {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Adds the command `measure`. */
export function addMeasure(program: Command, io: Io, run: Run): void {
  const command = program
    .command('measure')
    .summary('area, perimeter and length of zones')
    .description(
      'Prints area, perimeter and length of every zone of the files (.geojson, .json, .kml, .gpx), on the WGS84 ellipsoid.\n' +
        'A line has the area and perimeter of its corridor, and the length of the line itself.',
    )
    .argument('<zones...>', 'files with zones')
    .option('--json', 'a JSON array with full precision instead of a table');
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone measure depots.geojson
  wayzone measure regions.kml streets.geojson --default-width 20 --json`,
    )
    .action((files: string[], flags: MeasureFlags) => run(() => measure(files, flags, io)));
}

/** Returns whether everything could be read and measured. */
async function measure(files: readonly string[], flags: MeasureFlags, io: Io): Promise<boolean> {
  const { zones, issues, fileOf } = await collect({ zones: files, tracks: [] }, readingOptions(flags));
  const found: FileIssue[] = [...issues];
  const rows: Row[] = [];
  for (const zone of zones) {
    const { id, name, type } = zone;
    try {
      rows.push({ id, name, type: type.key, ...measureZone(zone, zoneOptions(flags)) });
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const { code, message } = error;
      const field = `zone ${JSON.stringify(id)}${error.field === '' ? '' : ` ${error.field}`}`;
      found.push({ code, severity: 'error', field, message, file: fileOf.get(id) ?? '' });
    }
  }
  io.stdout.write(flags.json === true ? `${JSON.stringify(rows, null, 2)}\n` : `${measureTable(rows)}\n`);
  const summary = summarizeIssues(found);
  if (found.length > 0) io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  return summary.errors === 0;
}

function measureTable(rows: readonly Row[]): string {
  const number = (value: number | null): string => (value === null ? '-' : value.toFixed(1));
  return table(
    ['id', 'name', 'type', 'area m²', 'perimeter m', 'length m'],
    rows.map(({ id, name, type, area, perimeter, length }) => [
      printable(id),
      printable(name),
      type,
      number(area),
      number(perimeter),
      number(length),
    ]),
  ).join('\n');
}
