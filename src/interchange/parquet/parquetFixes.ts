/**
 * Reads the rows of a Parquet file as fixes, with wall times by a time zone and numbers as epoch seconds to nanoseconds. Plain rows are copied
 * column by column.
 */

import { MAX_LON_DEGREES, MAX_TIME } from '../../core/input.js';
import { UNKNOWN_FLAG } from '../common/fixBatches.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { parseTime } from '../common/parseTime.js';
import type { CsvOptions } from '../csv/csvOptions.js';
import type { FixLayout } from '../csv/fixScanner.js';
import { LocalTimes } from '../table/localTimes.js';
import { hexOf } from './decode/converterOf.js';
import type { ParquetFile, ParquetValues } from './parquetFile.js';

/** Epochs lie between these seconds: 1979 to 2096. */
const LEAST_SECONDS = 3e8;
const MOST_SECONDS = 4e9;
const EPOCHS = [
  { perSecond: 1, words: 'epoch seconds (10 digits)' },
  { perSecond: 1e3, words: 'epoch milliseconds (13 digits)' },
  { perSecond: 1e6, words: 'epoch microseconds (16 digits)' },
  { perSecond: 1e9, words: 'epoch nanoseconds (19 digits)' },
] as const;

/** Reads a row from the texts of its cells and reports its issues. `row`: its number from 1. */
type ReadTexts = (record: readonly string[], row: number) => void;

/**
 * The column of times. `isTime`: it has epoch milliseconds, so the format of texts does not apply. `isInstant`: they are UTC, else local
 * time.
 */
interface TimeColumn {
  readonly isTime: boolean;
  readonly isInstant: boolean;
}

export class ParquetFixes {
  readonly #layout: FixLayout;
  readonly #builder: ForeignBuilder;
  readonly #times: TimeColumn;
  /** Milliseconds subtracted from a local time; null if it must be read as text, by the rule for texts without a zone. */
  readonly #offsetMs: number | null;
  readonly #readTexts: ReadTexts;
  #row = 0;

  constructor(layout: FixLayout, builder: ForeignBuilder, times: TimeColumn, readTexts: ReadTexts) {
    this.#layout = layout;
    this.#builder = builder;
    this.#times = times;
    const { offsetMinutes } = layout;
    this.#offsetMs = offsetMinutes === null ? null : offsetMinutes * 60_000;
    this.#readTexts = readTexts;
  }

  /**
   * Reads the rows of a row group. `columns`: in the order of the layout, null for unneeded columns. `skipped`: by row, whether it is left
   * out.
   */
  read(columns: readonly (ParquetValues | null)[], rows: number, skipped: readonly boolean[] | null): void {
    const { batches, limits } = this.#builder;
    for (let i = 0; i < rows; i++) {
      this.#row++;
      if (skipped?.[i] === true) continue;
      if (!this.#readPlain(columns, i)) {
        this.#readTexts(this.#texts(columns, i), this.#row);
        continue;
      }
      limits.countVertices(1);
      batches.grow();
    }
  }

  /** Writes row `i` into the batch. Returns false for a row that must be read as texts. */
  #readPlain(columns: readonly (ParquetValues | null)[], i: number): boolean {
    const { batches, crs } = this.#builder;
    if (crs !== null) return false;
    const { unitId, columns: layout } = this.#layout;
    const n = batches.length;
    if (unitId !== null && !this.#putUnit(unitId, n)) return false;
    for (let k = 0; k < layout.length; k++) {
      const values = columns[k];
      if (values === null || values === undefined) continue;
      const own = layout[k]!;
      const value = values[i];
      switch (own.kind) {
        case 'unit':
          if (!this.#putUnit(typeof value === 'bigint' ? String(value) : value, n)) return false;
          break;
        case 'time':
          batches.time[n] = this.#timeOf(value);
          if (!(Math.abs(batches.time[n]) <= MAX_TIME)) return false;
          break;
        case 'lon':
          if (typeof value !== 'number' || !(Math.abs(value) <= MAX_LON_DEGREES)) return false;
          batches.lon[n] = value;
          break;
        case 'lat':
          if (typeof value !== 'number' || !(Math.abs(value) <= 90)) return false;
          batches.lat[n] = value;
          break;
        case 'number':
          if (value === null || value === undefined) batches.numbers(own.name)[n] = Number.NaN;
          else if (typeof value === 'number' && value >= own.least && Number.isFinite(value))
            batches.numbers(own.name)[n] = value * own.scale;
          else return false;
          break;
        case 'flag':
          if (value === null || value === undefined) batches.flags(own.name)[n] = UNKNOWN_FLAG;
          else if (typeof value === 'boolean') batches.flags(own.name)[n] = Number(value);
          else return false;
          break;
        default:
      }
    }
    return true;
  }

  /** Epoch milliseconds of a value; NaN if it must be read as text. */
  #timeOf(value: unknown): number {
    if (this.#times.isTime) {
      const offsetMs = this.#times.isInstant ? 0 : this.#offsetMs;
      return typeof value === 'number' && offsetMs !== null ? value - offsetMs : Number.NaN;
    }
    const { timeFormat } = this.#layout;
    if (timeFormat === 'iso' || (typeof value !== 'number' && typeof value !== 'bigint')) return Number.NaN;
    return Math.floor(timeFormat === 'epoch-seconds' ? Number(value) * 1000 : Number(value));
  }

  /** Writes the unit of row `n` of the batch. Returns false, without writing, for an unknown unit, which the reader of texts then adds. */
  #putUnit(name: unknown, n: number): boolean {
    if (typeof name !== 'string') return false;
    const number = this.#builder.batches.units.numberOf(name);
    if (number === undefined) return false;
    this.#builder.batches.unit[n] = number;
    return true;
  }

  #texts(columns: readonly (ParquetValues | null)[], i: number): string[] {
    return this.#layout.columns.map(({ kind }, k) => {
      const value = columns[k]?.[i];
      if (kind === 'time' && this.#times.isTime && typeof value === 'number') {
        const text = isoOf(value);
        return this.#times.isInstant ? text : text.replace(/Z$/, '');
      }
      return cellTextOf(value);
    });
  }
}

/** The value as the text of a CSV cell. */
function cellTextOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Uint8Array) return hexOf(value);
  if (typeof value === 'object') return JSON.stringify(value, (_, own: unknown) => plainOf(own));
  return typeof value === 'string' ? value : String(value as number | bigint | boolean);
}

/** A bigint as a number, or as text if it is beyond 2^53. Other values are unchanged. */
export function plainOf(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The time as ISO 8601 text. A time outside the range of `Date` becomes its digits, which are then reported as an invalid time. */
function isoOf(time: number): string {
  return Math.abs(time) <= MAX_TIME ? new Date(time).toISOString() : String(time);
}

export class ParquetTimes {
  readonly #name: string;
  readonly #builder: ForeignBuilder;
  /** Zone of the times that have none; null if no option says it, or none is needed. */
  readonly #zone: string | null;
  #local: LocalTimes | null = null;
  /** Whether numbers without a type may be epochs of any unit. */
  readonly #isOpen: boolean;
  #epoch: (typeof EPOCHS)[number] | null = null;
  /** Whether the values are epoch milliseconds. */
  isTime: boolean;
  /** Whether they are UTC; else they are local times at an offset. */
  isInstant: boolean;
  /** Whether they are local times, and no option says their zone. */
  readonly lacksZone: boolean;

  constructor(file: ParquetFile, name: string, builder: ForeignBuilder, options: CsvOptions) {
    this.#name = name;
    this.#builder = builder;
    this.isTime = file.isTime(name);
    this.isInstant = file.isInstant(name);
    const { timeZoneOffsetMinutes: offset, timeFormat, table } = options;
    const isLocal = !this.isInstant && offset === undefined;
    this.#zone = isLocal && typeof table?.timeZone === 'string' ? table.timeZone : null;
    this.#isOpen = timeFormat === undefined && !this.isTime;
    this.lacksZone = this.isTime && isLocal && this.#zone === null;
    if (this.isTime && this.#zone !== null) this.isInstant = true;
  }

  /**
   * Replaces the times of a row group. `units`: the column of units, if any. `read`: rows before. Returns the rows to leave out, with an issue.
   * Throws `tz-unknown`.
   */
  replace(
    values: Map<string, ParquetValues>,
    units: ParquetValues | undefined,
    read: number,
    skipped: readonly boolean[] | null,
  ): readonly boolean[] | null {
    const times = values.get(this.#name);
    if (times === undefined) return skipped;
    if (this.#isOpen && read === 0) this.#findEpoch(times);
    const epoch = this.#epoch;
    if (epoch === null && this.#zone === null) return skipped;
    const left = skipped === null ? Array.from(times, () => false) : [...skipped];
    const leaveOut = (i: number, expected: string): null => {
      left[i] = true;
      this.#builder.issues.error('time-invalid', 'time', expected, read + i + 1);
      return null;
    };
    if (epoch !== null) {
      const { perSecond, words } = epoch;
      const instants = Array.from(times, (value, i) => {
        if (left[i] === true || !isNumber(value)) return value;
        if (isOf(epoch, Number(value))) return millisecondsOf(value, perSecond);
        return leaveOut(i, `expected ${words} as in the other rows, received ${value}`);
      });
      values.set(this.#name, instants);
      return left;
    }
    this.#local ??= new LocalTimes(this.#zone!, this.#isDescending(times));
    const local = this.#local;
    const instants = Array.from(times, (value, i) => {
      const wall = left[i] === true ? null : this.#wallTime(value);
      if (wall === null) return value;
      const instant = local.resolve(wall, cellTextOf(units?.[i]));
      if (instant !== null) return this.isTime ? instant : new Date(instant).toISOString();
      const text = new Date(wall).toISOString().slice(0, 19);
      return leaveOut(
        i,
        `expected a time that the clocks of ${this.#zone} show, received ${text}, which they skip`,
      );
    });
    values.set(this.#name, instants);
    return left;
  }

  finish(): void {
    const doubled = this.#local?.doubled ?? 0;
    if (doubled === 0) return;
    this.#builder.issues.warning(
      'table-assumed',
      '',
      `assumed: ${doubled} times come twice in ${this.#zone}; settled by the order of the rows`,
    );
  }

  /** Whether the newest row comes first. */
  #isDescending(times: ParquetValues): boolean {
    const walls = Array.from(times, (value) => this.#wallTime(value)).filter((wall) => wall !== null);
    return walls.length > 1 && walls[0]! > walls.at(-1)!;
  }

  /** The wall time of a value. Null for a text with a zone, or an unreadable one. */
  #wallTime(value: unknown): number | null {
    if (this.isTime) return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : null;
    const parsed = typeof value === 'string' ? parseTime(value, 0) : null;
    return parsed?.note === 'time-zone-missing' ? parsed.time : null;
  }

  /** Takes numbers without a type as epochs, if more than half of the first row group are of one unit. */
  #findEpoch(times: ParquetValues): void {
    const numbers = Array.from(times).filter(isNumber).map(Number);
    const found = EPOCHS.find(
      (epoch) => 2 * numbers.filter((value) => isOf(epoch, value)).length > numbers.length,
    );
    if (found === undefined) return;
    this.#epoch = found;
    this.isTime = true;
    this.isInstant = true;
    const message = `assumed: ${JSON.stringify(this.#name)} are ${found.words}`;
    this.#builder.issues.warning('table-assumed', '', message);
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

function isOf({ perSecond }: (typeof EPOCHS)[number], value: number): boolean {
  return value >= LEAST_SECONDS * perSecond && value <= MOST_SECONDS * perSecond;
}

/** Epoch milliseconds, rounded down. A bigint may be beyond 2^53. */
function millisecondsOf(value: number | bigint, perSecond: number): number {
  return typeof value === 'bigint' && perSecond > 1000
    ? Number(value / BigInt(perSecond / 1000))
    : Math.floor((Number(value) * 1000) / perSecond);
}
