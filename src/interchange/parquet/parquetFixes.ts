/** Reads the rows of a Parquet file as fixes. Plain rows are copied column by column; other rows are read as the texts of their cells, as in CSV. */

import { MAX_LON_DEGREES, MAX_TIME } from '../../core/input.js';
import { UNKNOWN_FLAG } from '../common/fixBatches.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { FixLayout } from '../csv/fixScanner.js';
import { hexOf } from './decode/converterOf.js';
import type { ParquetValues } from './parquetFile.js';

/** Reads a row from the texts of its cells and reports its issues. `row`: its number from 1. */
type ReadTexts = (record: readonly string[], row: number) => void;

/**
 * The column of times. `isTime`: it has epoch milliseconds, so the format of texts does not apply. `isInstant`: they are UTC, else local
 * time.
 */
export interface TimeColumn {
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
export function cellTextOf(value: unknown): string {
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
