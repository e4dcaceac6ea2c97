/** Options of the CSV readers, and the columns that they name or the header shows. */

import { offsetText } from '../../core/localClock.js';
import { type OptionTable, OWN, type OwnRow } from '../../core/options.js';
import { pushTo } from '../../core/pushTo.js';
import type { IssueList } from '../common/issueList.js';
import { nameOfFile, READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';
import type { TableColumn, TableHints } from '../table/tableDescription.js';
import { factorOf } from '../table/unitWords.js';

/** Largest number of unread columns named in the warning. */
const MAX_LISTED = 20;
const ALIASES: Readonly<Record<Quantity, readonly string[]>> = {
  unit: [
    'unit',
    'unit_id',
    'unitid',
    'vehicle',
    'vehicle_id',
    'vehicleid',
    'device',
    'device_id',
    'deviceid',
    'imei',
  ],
  time: ['time', 'timestamp', 'datetime', 'date_time', 'time_utc'],
  lat: ['lat', 'latitude', 'y'],
  lon: ['lon', 'lng', 'long', 'longitude', 'x'],
  speed: ['speed'],
  course: ['course', 'coursedegrees', 'course_degrees', 'heading', 'bearing'],
  altitude: ['altitudemeters', 'altitude_meters', 'altitude_m'],
  accuracy: ['accuracy', 'accuracymeters', 'accuracy_meters', 'accuracy_m'],
  satellites: ['satellites', 'sat', 'sats'],
  ignition: ['ignition'],
  mileage: [
    'mileagemeters',
    'mileage_meters',
    'mileage_m',
    'odometermeters',
    'odometer_meters',
    'odometer_m',
  ],
  mileageDelta: ['mileagedeltameters', 'mileage_delta_meters', 'mileage_delta_m'],
  valid: ['valid'],
};
const QUANTITIES = Object.keys(ALIASES) as Quantity[];
const REQUIRED: readonly Quantity[] = ['time', 'lat', 'lon'];

export interface CsvOptions extends ReadOptions {
  /** The header of the column of each quantity. Default: common names such as `vehicle_id`, `timestamp`, `lat`, `lon`, `speed_kph`. */
  readonly columns?: Partial<Readonly<Record<Quantity, string>>> | undefined;
  /** Kind of the rows. Default: `zones` if there is one column of well-known text and no column of times, else `fixes`. */
  readonly as?: 'fixes' | 'zones' | undefined;
  /** Header of the column of well-known text. Default: `wkt`, `geom`, `the_geom`, `geometry`, `geometry_wkt` or `wkt_geom`. */
  readonly wktColumn?: string | undefined;
  /** Unit of the speed column if its header has none. If neither has one, speeds are left out with an error. */
  readonly speedUnit?: SpeedUnit | undefined;
  /** Format of times. Default `iso`. */
  readonly timeFormat?: 'iso' | 'epoch-seconds' | 'epoch-milliseconds' | undefined;
  /** Offset of ISO times without a time zone, minutes east of UTC. Without this option such a time is `time-invalid`. */
  readonly timeZoneOffsetMinutes?: number | undefined;
  /** Unit id of a file without a unit column. Default: the name of the file, else `unit-1`. */
  readonly unitId?: string | undefined;
  /**
   * The delimiter. Default: the delimiter of a first line `sep=;`, else the most frequent of comma, semicolon, tab and `|` in the header. A
   * first line `sep=;` is never the header.
   */
  readonly delimiter?: string | undefined;
  /**
   * Facts about the table: a description of `describeTable`, also changed, or some of its fields. Default: the content is examined. Plain tables
   * (UTF-8, common headers, ISO times with a zone, decimal degrees) are read as a stream.
   */
  readonly table?: TableHints | undefined;
  /** Name of the file, used as unit id if the table has none. */
  readonly fileName?: string | undefined;
}

export const CSV_OPTIONS: OptionTable<CsvOptions, 'as' | 'speedUnit' | 'timeZoneOffsetMinutes'> = {
  ...READ_OPTIONS,
  columns: OWN,
  as: OWN,
  wktColumn: OWN,
  speedUnit: OWN,
  timeFormat: { words: ['iso', 'epoch-seconds', 'epoch-milliseconds'] },
  timeZoneOffsetMinutes: OWN,
  unitId: OWN,
  delimiter: OWN,
  table: OWN,
  fileName: OWN,
};

/** The options of a reader as hints of a table. */
export function hintsOf(options: CsvOptions): TableHints {
  const {
    columns = {},
    speedUnit,
    timeFormat,
    timeZoneOffsetMinutes: offset,
    unitId,
    fileName,
    delimiter,
    as,
    wktColumn: wkt,
    table = {},
  } = options;
  const named: Partial<TableColumn>[] = Object.entries(columns).flatMap(([quantity, name]) =>
    name === undefined ? [] : [{ name, role: quantity as TableColumn['role'] }],
  );
  if (wkt !== undefined) named.push({ name: wkt, role: 'wkt' });
  const format =
    timeFormat === undefined || timeFormat === 'iso'
      ? null
      : timeFormat === 'epoch-seconds'
        ? 'seconds'
        : 'milliseconds';
  const withFormat = named.map((column) =>
    column.role === 'time' && format !== null ? { ...column, format } : column,
  );
  return {
    ...(named.length === 0 ? {} : { columns: withFormat }),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...(offset === undefined ? {} : { timeZone: offsetText(offset) }),
    ...(unitId === undefined ? {} : { unitId }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(delimiter === undefined || delimiter.length !== 1 ? {} : { delimiter }),
    ...(as === undefined ? {} : { kind: as }),
    ...Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)),
    ...(named.length > 0 && table.columns === undefined ? { columns: withFormat } : {}),
  };
}

/** Options of the reader of bytes for a plain table: the file's name is its unit id. */
export function plainOptions(options: CsvOptions): CsvOptions {
  const unitId =
    options.unitId ?? options.table?.unitId ?? nameOfFile(options.table?.fileName ?? options.fileName);
  return unitId === null || unitId === options.unitId ? options : { ...options, unitId };
}

/** Quantities of columns. */
export type Quantity =
  | 'unit'
  | 'time'
  | 'lat'
  | 'lon'
  | 'speed'
  | 'course'
  | 'altitude'
  | 'accuracy'
  | 'satellites'
  | 'ignition'
  | 'mileage'
  | 'mileageDelta'
  | 'valid';

/** Units of speed. */
export type SpeedUnit = 'kph' | 'mps' | 'mph' | 'knots';

const SPEED_NAMES: ReadonlyMap<string, SpeedUnit> = new Map([
  ['speed_kph', 'kph'],
  ['speedkph', 'kph'],
  ['speed_kmh', 'kph'],
  ['speed_km/h', 'kph'],
  ['speed_mps', 'mps'],
  ['speed_ms', 'mps'],
  ['speed_m/s', 'mps'],
  ['speed_mph', 'mph'],
  ['speed_knots', 'knots'],
  ['speed_kn', 'knots'],
]);
/** Table of the names in the option `columns`. */
export const COLUMN_NAMES: Readonly<Record<string, OwnRow>> = Object.fromEntries(
  QUANTITIES.map((quantity) => [quantity, OWN]),
);

export interface CsvColumns {
  /** Column numbers from 0; -1 for no column. */
  readonly at: Readonly<Record<Quantity, number>>;
  /** km/h per unit of the speed column; null if speeds are not read. */
  readonly kphPerUnit: number | null;
  /** Headers of all other columns. */
  readonly others: readonly string[];
}

/** The header in lower case, with each run of spaces, hyphens and brackets as one underscore, and no underscore at its ends. */
function plainName(header: string): string {
  const name = header.toLowerCase().replace(/[\s\-()[\]]+/g, '_');
  let from = 0;
  let to = name.length;
  while (name.charAt(from) === '_') from++;
  while (to > from && name.charAt(to - 1) === '_') to--;
  return name.slice(from, to);
}

/** Whether the header has a column of times, by the caller's name or a common one. */
export function hasTimeColumn(
  header: readonly string[],
  chosen: Partial<Readonly<Record<Quantity, string>>>,
): boolean {
  return header
    .map(plainName)
    .some((name) =>
      chosen.time === undefined ? ALIASES.time.includes(name) : name === plainName(chosen.time),
    );
}

/**
 * Finds the columns by the caller's names, else by common names in any case. Null if time, lat or lon has no column, or if one of them or
 * the unit has several.
 *
 * Issues with the line of the header: `csv-columns` (two columns for one quantity, or no required column), `speed-unit`.
 */
export function findColumns(
  header: readonly string[],
  chosen: Partial<Readonly<Record<Quantity, string>>>,
  speedUnit: SpeedUnit | undefined,
  issues: IssueList,
  line: number,
): CsvColumns | null {
  const names = header.map(plainName);
  const places = new Map<string, number[]>();
  for (const [i, name] of names.entries()) pushTo(places, name, i);
  const at = Object.fromEntries(QUANTITIES.map((quantity) => [quantity, -1])) as Record<Quantity, number>;
  const met = new Set<number>();
  let usable = true;
  for (const quantity of QUANTITIES) {
    const wanted = chosen[quantity];
    // A text that equals the wanted name except for spaces has the same plain name.
    const own =
      wanted === undefined
        ? new Set([...ALIASES[quantity], ...(quantity === 'speed' ? SPEED_NAMES.keys() : [])])
        : [plainName(wanted)];
    const matches = [...own].flatMap((name) => places.get(name) ?? []).sort((a, b) => a - b);
    const exact = wanted === undefined ? [] : matches.filter((i) => header[i]?.trim() === wanted.trim());
    const found = exact.length === 1 ? exact : matches;
    for (const i of found) met.add(i);
    if (found.length === 1) at[quantity] = found[0] ?? -1;
    else if (found.length > 1) {
      const list = found
        .slice(0, 30)
        .map((i) => JSON.stringify(header[i]))
        .join(', ');
      issues.error(
        'csv-columns',
        quantity,
        `expected one column for ${quantity}, received ${list}; name it in columns`,
        line,
      );
      if (REQUIRED.includes(quantity) || quantity === 'unit') usable = false;
    } else if (wanted !== undefined || REQUIRED.includes(quantity)) {
      const message = `expected a column ${JSON.stringify(wanted ?? quantity)}, received ${header.slice(0, 30).join(', ')}`;
      issues.error('csv-columns', quantity, message, line);
      usable = false;
    }
  }
  if (!usable) return null;
  const unit = speedUnit ?? SPEED_NAMES.get(names[at.speed] ?? '');
  if (at.speed >= 0 && unit === undefined) {
    const message = `expected speedUnit (kph, mps, mph or knots) for column ${JSON.stringify(header[at.speed])}, received none; speeds are left out`;
    issues.error('speed-unit', 'speedUnit', message, line);
  }
  const others = header.filter((text, i) => !met.has(i) && text.trim() !== '');
  return { at, others, kphPerUnit: at.speed < 0 || unit === undefined ? null : factorOf(unit, 'speed') };
}

/** Warns of a row with fewer cells than the header. Its missing cells are empty, and its last number may be truncated. */
export function warnOfShortRow(received: number, inHeader: number, issues: IssueList, line: number): void {
  if (received >= inHeader) return;
  const message = `expected ${inHeader} cells as in the header, received ${received}; missing cells are empty, the last cell may be truncated`;
  issues.warning('csv-columns', '', message, line);
}

/** Warns of unread columns. `names` are quoted. */
export function warnOfOtherColumns(names: readonly string[], issues: IssueList, line: number): void {
  if (names.length === 0) return;
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  const list = names.slice(0, MAX_LISTED).join(', ');
  const message = `expected columns with fields of a fix, received also ${list}${rest}; left out`;
  issues.warning('csv-columns', '', message, line);
}
