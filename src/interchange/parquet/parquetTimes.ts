/** The column of times of a Parquet file as instants: wall times by a time zone, and numbers as epoch seconds to nanoseconds. */

import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { parseTime } from '../common/parseTime.js';
import type { CsvOptions } from '../csv/csvOptions.js';
import { LocalTimes } from '../table/localTimes.js';
import type { ParquetFile, ParquetValues } from './parquetFile.js';
import { cellTextOf } from './parquetFixes.js';

/** Epochs lie between these seconds: 1979 to 2096. */
const LEAST_SECONDS = 3e8;
const MOST_SECONDS = 4e9;
const EPOCHS = [
  { perSecond: 1, words: 'epoch seconds (10 digits)' },
  { perSecond: 1e3, words: 'epoch milliseconds (13 digits)' },
  { perSecond: 1e6, words: 'epoch microseconds (16 digits)' },
  { perSecond: 1e9, words: 'epoch nanoseconds (19 digits)' },
] as const;

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
