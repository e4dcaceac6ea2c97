/** `wayzone measure`: area, perimeter and length of the zones of files. */

import { WayzoneError } from '../../../core/errors.js';
import type { FileIssue } from '../../../report/index.js';
import { measureZone, type ZoneMeasure } from '../../../zones/measureZone.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { RowFlags } from '../../flags/tableFlags.js';
import { type Io, reportIssues } from '../../io/io.js';
import { type RowOutput, writeRows } from '../../io/openRows.js';
import { printable, table } from '../../io/terminal.js';
import { collect } from '../../shared/collect.js';
import { zoneIssue } from '../../shared/indexOfZones.js';

export interface MeasureFlags extends ZoneFlags, RowFlags {
  readonly format: 'text' | 'json' | 'csv';
}

const JSON_COLUMNS = ['id', 'name', 'type', 'area', 'perimeter', 'length'] as const;
/** Columns of tables, with their units. */
const TABLE_COLUMNS = ['id', 'name', 'type', 'area_m2', 'perimeter_meters', 'length_meters'] as const;

interface Row extends ZoneMeasure {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Writes the measures. Returns whether everything could be read and measured. */
export async function measure(files: readonly string[], flags: MeasureFlags, io: Io): Promise<boolean> {
  const { zones, issues, fileOf } = await collect(
    { zones: files, tracks: [] },
    readingOptions(flags),
    io.stderr,
  );
  const found: FileIssue[] = [...issues];
  const rows: Row[] = [];
  for (const zone of zones) {
    const { id, name, type } = zone;
    try {
      rows.push({ id, name, type: type.key, ...measureZone(zone, zoneOptions(flags)) });
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      found.push(zoneIssue(fileOf, id, error));
    }
  }
  const { format, excel } = flags;
  if (format === 'text' && excel === undefined) io.stdout.write(`${measureTable(rows)}\n`);
  else {
    const output: RowOutput = { ...flags, format: format === 'text' ? 'csv' : format };
    if (output.format === 'json') {
      await writeRows<Row, (typeof JSON_COLUMNS)[number]>(JSON_COLUMNS, output, io, (stream) =>
        stream.write(rows),
      );
    } else {
      await writeRows<TableRow, keyof TableRow>(TABLE_COLUMNS, output, io, (stream) =>
        stream.write(rows.map(tableRow)),
      );
    }
  }
  return reportIssues(found, io.stderr);
}

type TableRow = Readonly<Record<(typeof TABLE_COLUMNS)[number], string | number | null>>;

function tableRow({ id, name, type, area, perimeter, length }: Row): TableRow {
  return { id, name, type, area_m2: area, perimeter_meters: perimeter, length_meters: length };
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
