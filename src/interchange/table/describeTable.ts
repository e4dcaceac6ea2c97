/** Describes a table before it is read. */

import { inputError } from '../../core/errors.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import { isEncoding } from './findEncoding.js';
import { dayOfText } from './judgeTimes.js';
import { zoneInstants } from './localTimes.js';
import { openTable } from './openTable.js';
import { readyTable } from './readyTable.js';
import { HINT_WORDS, type TableDescription, type TableHints } from './tableDescription.js';

/** Largest size of the parts of a workbook, bytes. */
const MAX_BYTES = 1_073_741_824;

/** Fields of a description that are only findings. A description may be given as hints, so they are allowed there. */
interface Findings {
  readonly form?: unknown;
  readonly quote?: unknown;
  readonly headerLine?: unknown;
  readonly assumptions?: unknown;
  readonly questions?: unknown;
  readonly name?: unknown;
  readonly headers?: unknown;
}

export const TABLE_HINTS: OptionTable<TableHints & Findings, keyof TableHints | keyof Findings> = {
  encoding: OWN,
  delimiter: OWN,
  decimal: OWN,
  columns: OWN,
  timeZone: OWN,
  dateOrder: OWN,
  date: OWN,
  speedUnit: OWN,
  mileageUnit: OWN,
  coordinates: OWN,
  radiusUnit: OWN,
  axisOrder: OWN,
  swappedUnits: OWN,
  unitId: OWN,
  fileName: OWN,
  kind: OWN,
  profile: OWN,
  sheet: OWN,
  form: OWN,
  quote: OWN,
  headerLine: OWN,
  assumptions: OWN,
  questions: OWN,
  name: OWN,
  headers: OWN,
};

/** Checks hints. Throws `option-type`, `option-unknown`, `option-value`, `tz-unknown`. */
export function checkHints(hints: unknown, field: string): TableHints {
  checkOptions(hints, TABLE_HINTS, field);
  const given = hints as Readonly<Record<string, unknown>>;
  for (const [name, words] of Object.entries<readonly string[]>(HINT_WORDS)) {
    const value = given[name];
    if (value === undefined || value === null || words.includes(value as string)) continue;
    throw inputError('option-value', `${field}.${name}`, `one of ${words.join(', ')}`, value);
  }
  for (const name of ['encoding', 'timeZone', 'date', 'unitId', 'fileName', 'sheet', 'delimiter'] as const) {
    const value = given[name];
    if (value === undefined || value === null || (typeof value === 'string' && value !== '')) continue;
    throw inputError('option-value', `${field}.${name}`, 'a text', value);
  }
  const own = hints as TableHints;
  if (
    own.delimiter !== undefined &&
    own.delimiter !== null &&
    (own.delimiter.length !== 1 || /["\r\n]/.test(own.delimiter))
  ) {
    throw inputError(
      'option-value',
      `${field}.delimiter`,
      'one character that is neither a quote nor a line end',
      own.delimiter,
    );
  }
  if (own.date !== undefined && dayOfText(own.date) === null)
    throw inputError('option-value', `${field}.date`, 'a day yyyy-MM-dd', own.date);
  if (typeof own.encoding === 'string' && !isEncoding(own.encoding))
    throw inputError('option-value', `${field}.encoding`, 'a label of the Encoding Standard', own.encoding);
  if (typeof own.timeZone === 'string') zoneInstants(own.timeZone);
  for (const name of ['columns', 'swappedUnits'] as const) {
    const list: unknown = own[name];
    if (list !== undefined && !Array.isArray(list))
      throw inputError('option-value', `${field}.${name}`, 'a list', list);
    for (const [i, item] of ((list ?? []) as readonly unknown[]).entries()) {
      const isText = typeof item === 'string';
      if (
        isText ||
        (name === 'columns' &&
          typeof item === 'object' &&
          item !== null &&
          typeof (item as { name?: unknown }).name === 'string')
      )
        continue;
      throw inputError(
        'option-value',
        `${field}.${name}[${i}]`,
        name === 'columns' ? 'a text, or an object with a name' : 'a text',
        item,
      );
    }
  }
  const { profile } = own;
  if (typeof profile === 'object' && profile !== null) checkHints(profile, `${field}.profile`);
  else if (profile !== undefined && profile !== null && typeof profile !== 'string') {
    throw inputError('option-value', `${field}.profile`, 'a name or a profile', profile);
  }
  return own;
}

/**
 * Description of a table: its encoding, delimiter, decimal mark, columns with their quantities, units and forms, and the zone of its times. It
 * also lists assumptions (`assumptions`) and open questions (`questions`). A field with an open question is not read until the hints answer it.
 *
 * The bytes may be delimited text in any common encoding, XLSX, JSON or newline-delimited JSON of records, NMEA 0183, WLN or PLT. The result is
 * plain data: pass it to a reader of tables as `table`, also after changes. Whole columns are examined, so the cost is O(bytes).
 *
 * Throws `input-type`, `option-type`, `option-unknown`, `option-value`, `tz-unknown`, `xlsx-corrupt`, `xlsx-unsupported`, `limit-inflated`,
 * `limit-features`.
 *
 * @example
 * ```ts
 * import { describeTable, fromCsv } from 'wayzone/interchange';
 * const bytes = new TextEncoder().encode('ТС;Время;Широта;Долгота\nА1;15.01.2026 08:00;56,30;44,01');
 * const table = describeTable(bytes);
 * table.columns[1].role; // 'time'
 * table.questions[0].code; // 'time-zone-missing'
 * const { value } = fromCsv(bytes, { table: { ...table, timeZone: 'Europe/Moscow' } });
 * value.tracks[0].fixes[0].time; // 1768453200000
 * ```
 */
export function describeTable(bytes: string | Uint8Array, hints: TableHints = {}): TableDescription {
  const own = checkHints(hints, 'options');
  const given: unknown = bytes;
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'text or a Uint8Array', given);
  }
  return readyTable(openTable(bytes, own, MAX_BYTES), own).description;
}
