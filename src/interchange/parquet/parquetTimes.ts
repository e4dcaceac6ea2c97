/** The column of times of a Parquet file as instants: wall times by a time zone, and whole numbers as epoch seconds to nanoseconds. */

import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { parseTime } from '../common/parseTime.js';
import type { CsvOptions } from '../csv/csvOptions.js';
import { LocalTimes } from '../table/localTimes.js';
import type { ParquetFile, ParquetValues } from './parquetFile.js';
import { cellTextOf } from './parquetFixes.js';

/** Whole numbers of one unit of time lie between these seconds: 1979 to 2096. */
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
  readonly #zone: string | null;
  readonly #local: LocalTimes | null;
  readonly #isTyped: boolean;
  /** Whether whole numbers without a type may be epochs of any unit. */
  readonly #isOpen: boolean;
  #perSecond: number | null = null;
  /** Whether the values are epoch milliseconds. */
  isTime: boolean;
  /** Whether they are UTC; else they are local times at an offset. */
  isInstant: boolean;
  /** Whether they are local times, and no option says their zone. */
  readonly lacksZone: boolean;

  /** Throws `tz-unknown`. */
  constructor(file: ParquetFile, name: string, builder: ForeignBuilder, options: CsvOptions) {
    this.#name = name;
    this.#builder = builder;
    this.isTime = file.isTime(name);
    this.#isTyped = this.isTime;
    this.isInstant = file.isInstant(name);
    const { timeZoneOffsetMinutes: offset, timeFormat } = options;
    const zone = options.table?.timeZone;
    this.#zone = typeof zone === 'string' && offset === undefined ? zone : null;
    this.#local = this.#zone === null || this.isInstant ? null : new LocalTimes(this.#zone, false);
    this.#isOpen = timeFormat === undefined && !this.isTime;
    this.lacksZone = this.isTime && !this.isInstant && this.#local === null && offset === undefined;
    if (this.isTime && this.#local !== null) this.isInstant = true;
  }

  /** Replaces the times of a row group. `units`: the column of units, if any. `read`: rows before. Returns the rows to leave out, with an issue. */
  replace(
    values: Map<string, ParquetValues>,
    units: ParquetValues | undefined,
    read: number,
    skipped: readonly boolean[] | null,
  ): readonly boolean[] | null {
    const times = values.get(this.#name);
    if (times === undefined || (this.#isTyped && this.#local === null)) return skipped;
    if (this.#isOpen && read === 0) this.#findEpoch(times);
    const perSecond = this.#perSecond;
    if (perSecond !== null) {
      values.set(
        this.#name,
        Array.from(times, (value) =>
          isWhole(value)
            ? typeof value === 'bigint'
              ? millisecondsOf(value, perSecond)
              : Math.floor((Number(value) * 1000) / perSecond)
            : value,
        ),
      );
      return skipped;
    }
    const local = this.#local;
    if (local === null) return skipped;
    const left = skipped === null ? Array.from(times, () => false) : [...skipped];
    const instants = Array.from(times, (value, i) => {
      const wall = this.#wallTime(value);
      if (wall === null || left[i] === true) return value;
      const instant = local.resolve(wall, cellTextOf(units?.[i]));
      if (instant !== null) return this.isTime ? instant : new Date(instant).toISOString();
      left[i] = true;
      const text = new Date(wall).toISOString().slice(0, 19);
      this.#builder.issues.error(
        'time-invalid',
        'time',
        `expected a time that the clocks of ${this.#zone} show, received ${text}, which they skip`,
        read + i + 1,
      );
      return value;
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

  /** The wall time of a value; null for texts with a zone and for what is no time. */
  #wallTime(value: unknown): number | null {
    if (this.isTime) return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : null;
    const parsed = typeof value === 'string' ? parseTime(value, 0) : null;
    return parsed?.note === 'time-zone-missing' ? parsed.time : null;
  }

  /** Takes whole numbers without a type as epochs if all of the first row group are of one unit. */
  #findEpoch(times: ParquetValues): void {
    const numbers = Array.from(times).filter(isWhole).map(Number);
    if (numbers.length === 0) return;
    const found = EPOCHS.find(({ perSecond }) =>
      numbers.every((value) => value >= LEAST_SECONDS * perSecond && value <= MOST_SECONDS * perSecond),
    );
    if (found === undefined) return;
    this.#perSecond = found.perSecond;
    this.isTime = true;
    this.isInstant = true;
    this.#builder.issues.warning(
      'table-assumed',
      '',
      `assumed: ${JSON.stringify(this.#name)} are ${found.words}`,
    );
  }
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

/** Epoch milliseconds, rounded down, of a count that may be beyond 2^53. */
function millisecondsOf(value: bigint, perSecond: number): number {
  return perSecond <= 1000
    ? Math.floor((Number(value) * 1000) / perSecond)
    : Number(value / BigInt(perSecond / 1000));
}
