/** Reads rows of fixes in the usual form from bytes into columns, without objects or texts per row. */

import { CR, LF, ONE, QUOTE, ZERO } from '../../core/ascii.js';
import type { FixFlagName, FixNumberName } from '../../core/fix.js';
import { MAX_LON_DEGREES, MAX_TIME } from '../../core/input.js';
import { type FixBatches, UNKNOWN_FLAG } from '../common/fixBatches.js';
import { NumberScanner, TimeScanner } from '../common/numberScanner.js';
import type { LimitCounter } from '../common/readOptions.js';
import { type Crs, isProblem, wgs84PlaceOf } from '../crs/crs.js';

/** Meaning of a column. */
export type FixColumn =
  | { readonly kind: 'skip' | 'unit' | 'time' | 'lon' | 'lat' }
  | {
      readonly kind: 'number';
      readonly name: FixNumberName;
      readonly scale: number;
      readonly least: number;
    }
  | { readonly kind: 'flag'; readonly name: FixFlagName };

/** The columns of a file of fixes. */
export interface FixLayout {
  /** Meanings of the columns, in the order of the cells. */
  readonly columns: readonly FixColumn[];
  readonly timeFormat: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  readonly offsetMinutes: number | null;
  /** Unit id of all rows; null if a column has the units. */
  readonly unitId: string | null;
}

const KINDS = ['skip', 'unit', 'time', 'lon', 'lat', 'number', 'flag'] as const;
const [SKIP, UNIT, TIME, LON, LAT, NUMBER] = [0, 1, 2, 3, 4, 5];

export class FixScanner {
  readonly #kinds: Uint8Array;
  readonly #numbers: readonly Float64Array[];
  readonly #scales: readonly number[];
  readonly #leasts: readonly number[];
  readonly #flags: readonly Uint8Array[];
  readonly #isIso: boolean;
  readonly #msPerUnit: number;
  readonly #unitId: string | null;
  readonly #delimiter: number;
  readonly #batches: FixBatches;
  readonly #limits: LimitCounter;
  readonly #crs: Crs | null;
  readonly #number = new NumberScanner();
  readonly #time: TimeScanner;
  /** Line of the next row. */
  line = 1;

  constructor(
    layout: FixLayout,
    delimiter: number,
    batches: FixBatches,
    limits: LimitCounter,
    crs: Crs | null,
  ) {
    const { columns, timeFormat, offsetMinutes, unitId } = layout;
    const none = new Float64Array(0);
    this.#kinds = Uint8Array.from(columns, ({ kind }) => KINDS.indexOf(kind));
    this.#numbers = columns.map((own) => (own.kind === 'number' ? batches.numbers(own.name) : none));
    this.#scales = columns.map((own) => (own.kind === 'number' ? own.scale : 1));
    this.#leasts = columns.map((own) => (own.kind === 'number' ? own.least : 0));
    this.#flags = columns.map((own) => (own.kind === 'flag' ? batches.flags(own.name) : new Uint8Array(0)));
    this.#isIso = timeFormat === 'iso';
    this.#msPerUnit = timeFormat === 'epoch-seconds' ? 1000 : 1;
    this.#unitId = unitId;
    this.#delimiter = delimiter;
    this.#batches = batches;
    this.#limits = limits;
    this.#crs = crs;
    this.#time = new TimeScanner(offsetMinutes);
  }

  /**
   * Reads rows from `from` on. Returns the index of the first row in another form, or `to` if there is none. `to` must be after a line end.
   * Throws `limit-vertices`.
   */
  read(bytes: Uint8Array, from: number, to: number, isCrlf: boolean): number {
    const batches = this.#batches;
    const { unit, time, lon, lat } = batches;
    let i = from;
    while (i < to) {
      const first = bytes[i]!;
      if (first === LF && !isCrlf) {
        this.line++;
        i++;
        continue;
      }
      if (first === CR) {
        if (!isCrlf || bytes[i + 1] !== LF) return i;
        this.line++;
        i += 2;
        continue;
      }
      const n = batches.length;
      if (this.#unitId !== null) {
        const number = batches.units.numberOf(this.#unitId);
        if (number === undefined) return i;
        unit[n] = number;
      }
      const end = this.#row(bytes, i, isCrlf, n, unit, time, lon, lat);
      if (end < 0) return i;
      this.#limits.countVertices(1);
      this.line++;
      i = end;
      batches.grow();
    }
    return i;
  }

  /** Writes a row at index `n` of the columns. Returns the index after the row; -1 for another form. */
  #row(
    bytes: Uint8Array,
    from: number,
    isCrlf: boolean,
    n: number,
    unit: Uint32Array,
    time: Float64Array,
    lon: Float64Array,
    lat: Float64Array,
  ): number {
    const kinds = this.#kinds;
    const last = kinds.length - 1;
    const delimiter = this.#delimiter;
    const numbers = this.#number;
    let x = 0;
    let y = 0;
    let i = from;
    for (let k = 0; k <= last; k++) {
      const isQuoted = bytes[i] === QUOTE;
      if (isQuoted) i++;
      const kind = kinds[k];
      if (kind === LON || kind === LAT) {
        const value = numbers.read(bytes, i);
        if (Number.isNaN(value)) return -1;
        if (kind === LON) x = value;
        else y = value;
        i = numbers.end;
      } else if (kind === NUMBER) {
        const c = bytes[i]!;
        if (isQuoted ? c === QUOTE : c === delimiter || c === LF || c === CR) {
          this.#numbers[k]![n] = Number.NaN;
        } else {
          const value = numbers.read(bytes, i);
          if (!(value >= this.#leasts[k]!)) return -1;
          this.#numbers[k]![n] = value * this.#scales[k]!;
          i = numbers.end;
        }
      } else if (kind === TIME) {
        const value = this.#isIso ? this.#time.read(bytes, i) : this.#epoch(bytes, i);
        if (Number.isNaN(value)) return -1;
        time[n] = value;
        i = this.#isIso ? this.#time.end : numbers.end;
      } else if (kind === UNIT || kind === SKIP) {
        const end = endOfText(bytes, i, isQuoted ? QUOTE : delimiter);
        if (kind === UNIT) {
          const number = this.#batches.units.find(bytes, i, end);
          if (number < 0) return -1;
          unit[n] = number;
        }
        i = end;
      } else {
        const c = bytes[i]!;
        let value = UNKNOWN_FLAG;
        if (c === ZERO || c === ONE) {
          value = c - ZERO;
          i++;
        }
        this.#flags[k]![n] = value;
      }
      if (isQuoted) {
        if (bytes[i] !== QUOTE) return -1;
        i++;
      }
      if (k === last) i = afterLine(bytes, i, isCrlf);
      else if (bytes[i++] !== delimiter) return -1;
    }
    if (i < 0) return -1;
    if (this.#crs !== null) {
      const place = wgs84PlaceOf(x, y, this.#crs);
      if (isProblem(place)) return -1;
      [x, y] = place;
    } else if (!(y <= 90 && y >= -90 && x <= MAX_LON_DEGREES && x >= -MAX_LON_DEGREES)) return -1;
    lon[n] = x;
    lat[n] = y;
    return i;
  }

  /** Reads an epoch number as milliseconds; NaN beyond the range of times. */
  #epoch(bytes: Uint8Array, from: number): number {
    const value = Math.floor(this.#number.read(bytes, from) * this.#msPerUnit);
    return Math.abs(value) <= MAX_TIME ? value : Number.NaN;
  }
}

/** Index after the text of a cell: of the next `end`, quote or line end. */
function endOfText(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  let c = bytes[i]!;
  while (c !== end && c !== LF && c !== CR && c !== QUOTE) c = bytes[++i]!;
  return i;
}

/** Index after the line end at `from`; -1 if there is no line end of the file's kind. */
function afterLine(bytes: Uint8Array, from: number, isCrlf: boolean): number {
  if (!isCrlf) return bytes[from] === LF ? from + 1 : -1;
  return bytes[from] === CR && bytes[from + 1] === LF ? from + 2 : -1;
}
