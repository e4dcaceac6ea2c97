/** Whether the fixes of a window are at one place, and whether they moved within it. */

import { lonStep } from '../../core/angles.js';
import type { Ruler } from './ruler.js';
import { type FixRing, LAT, LON, rowOf, WITNESS } from './stayState.js';

/** A part of a window has at least as many fixes. */
const PART = 3;
/** Medians of two parts may be so far apart, as a share of the radius, and as a multiple of the greater spread. */
const APART = 0.4;
const SPREADS = 4;
/** One and a half radii, and a margin for rounding. */
const NEAR = 1.501;
/** At most so many fixes are compared. */
const COMPARED = 24;

const NO_NUMBERS = new Float64Array(0);

/** Scratch numbers of one look; nothing is kept between two. */
export class QuietWindow {
  centreLon: number = 0;
  centreLat: number = 0;
  /** Metres east and north of the last fix. */
  #x: Float64Array = NO_NUMBERS;
  #y: Float64Array = NO_NUMBERS;
  #sorted: Float64Array = NO_NUMBERS;
  /** Medians of the first and of the last fixes, by their number. */
  #firstX: Float64Array = NO_NUMBERS;
  #firstY: Float64Array = NO_NUMBERS;
  #lastX: Float64Array = NO_NUMBERS;
  #lastY: Float64Array = NO_NUMBERS;

  /** Whether the entries `from` to `to` are quiet, in which case `centreLon` and `centreLat` are their medians. */
  isQuiet(ring: FixRing, from: number, to: number, radius: number, ruler: Ruler): boolean {
    const count = to - from + 1;
    this.#load(ring, from, count, ruler);
    // The last fix is the origin.
    if (!this.#mayBeQuiet(count, radius)) return false;
    const x = median(this.#sorted, this.#x, count);
    const fromX = this.#x[0]! - x;
    const most = radius * radius;
    if (x * x > most || fromX * fromX > most) return false;
    const y = median(this.#sorted, this.#y, count);
    const fromY = this.#y[0]! - y;
    if (x * x + y * y > most || fromX * fromX + fromY * fromY > most) return false;
    const half = (radius / 2) ** 2;
    let inside = 0;
    for (let i = 0; i < count; i++) {
      const dx = this.#x[i]! - x;
      const dy = this.#y[i]! - y;
      if (dx * dx + dy * dy <= half) inside++;
    }
    if (3 * inside < 2 * count || this.#moved(ring, from, count, radius)) return false;
    this.#place(ring, to, x, y, ruler);
    return true;
  }

  /** The cheap test: two thirds are within half a radius of a centre that is at most a radius from the last fix. */
  #mayBeQuiet(count: number, radius: number): boolean {
    const most = (NEAR * radius) ** 2;
    let near = 0;
    for (let i = 0; i < count; i++) if (this.#x[i]! ** 2 + this.#y[i]! ** 2 <= most) near++;
    return 3 * near >= 2 * count;
  }

  /** Sets the centre to the medians of the entries `from` to `to`. */
  centre(ring: FixRing, from: number, to: number, ruler: Ruler): void {
    const count = to - from + 1;
    this.#load(ring, from, count, ruler);
    const x = median(this.#sorted, this.#x, count);
    this.#place(ring, to, x, median(this.#sorted, this.#y, count), ruler);
  }

  #load(ring: FixRing, from: number, count: number, ruler: Ruler): void {
    if (count >= this.#x.length) this.#grow(count);
    const { recent } = ring;
    const end = rowOf(ring, from + count - 1);
    const [lon, lat] = [recent[end + LON]!, recent[end + LAT]!];
    ruler.aim(lat);
    for (let i = 0; i < count; i++) {
      const at = rowOf(ring, from + i);
      this.#x[i] = lonStep(lon, recent[at + LON]!) * ruler.metersPerLon;
      this.#y[i] = (recent[at + LAT]! - lat) * ruler.metersPerLat;
    }
  }

  #place(ring: FixRing, to: number, x: number, y: number, ruler: Ruler): void {
    const row = rowOf(ring, to);
    const lon = ring.recent[row + LON]! + x / ruler.metersPerLon;
    this.centreLon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
    this.centreLat = ring.recent[row + LAT]! + y / ruler.metersPerLat;
  }

  /** Whether a cut divides the fixes into two places. Of many fixes some are compared. */
  #moved(ring: FixRing, from: number, count: number, radius: number): boolean {
    if (count < 2 * PART) return false;
    const least = (APART * radius) ** 2;
    if (this.#extent(count) < least / 4) return false;
    const every = Math.ceil(count / COMPARED);
    const some = Math.ceil(count / every);
    for (let i = 1; i < some; i++) {
      this.#x[i] = this.#x[every * i]!;
      this.#y[i] = this.#y[every * i]!;
    }
    mediansOf(this.#firstX, this.#sorted, this.#x, some, false);
    mediansOf(this.#firstY, this.#sorted, this.#y, some, false);
    mediansOf(this.#lastX, this.#sorted, this.#x, some, true);
    mediansOf(this.#lastY, this.#sorted, this.#y, some, true);
    // The cut whose parts are farthest apart: with a fix beside it that moves, and of all.
    let [most, mostMoving, cut, cutMoving] = [0, 0, 0, 0];
    for (let i = PART; i <= some - PART; i++) {
      const dx = this.#firstX[i]! - this.#lastX[some - i]!;
      const dy = this.#firstY[i]! - this.#lastY[some - i]!;
      const apart = dx * dx + dy * dy;
      if (apart > most) {
        most = apart;
        cut = i;
      }
      if (apart > mostMoving && this.#isMoving(ring, from + every * (i - 1), from + every * i)) {
        mostMoving = apart;
        cutMoving = i;
      }
    }
    if (most > least && most > (SPREADS * this.#spread(cut, some)) ** 2) return true;
    if (mostMoving <= least / 4) return false;
    return mostMoving > ((SPREADS / 2) * this.#spread(cutMoving, some)) ** 2;
  }

  /** Whether one of some entries moves. */
  #isMoving(ring: FixRing, from: number, to: number): boolean {
    for (let entry = from; entry <= to; entry++)
      if (ring.recent[rowOf(ring, entry) + WITNESS]! < 0) return true;
    return false;
  }

  /** Upper bound of the squared distance of two medians of parts: the fixes' box without its outermost ones. */
  #extent(count: number): number {
    return span(this.#x, count) ** 2 + span(this.#y, count) ** 2;
  }

  /** The greater of the spreads of the first `cut` fixes and of the others. */
  #spread(cut: number, count: number): number {
    return Math.max(
      this.#spreadOf(0, cut, this.#firstX[cut]!, this.#firstY[cut]!),
      this.#spreadOf(cut, count - cut, this.#lastX[count - cut]!, this.#lastY[count - cut]!),
    );
  }

  /**
   * The median distance of a part's fixes from its median, or the median of its steps if that is greater: of fixes that flip between two places, such as
   * 0, 20 and 0 m, the former may be 0.
   */
  #spreadOf(from: number, count: number, x: number, y: number): number {
    for (let i = 0; i < count; i++) {
      const [dx, dy] = [this.#x[from + i]! - x, this.#y[from + i]! - y];
      this.#sorted[i] = Math.sqrt(dx * dx + dy * dy);
    }
    const distance = selectMiddle(this.#sorted, count);
    for (let i = 1; i < count; i++) {
      const at = from + i;
      const [dx, dy] = [this.#x[at]! - this.#x[at - 1]!, this.#y[at]! - this.#y[at - 1]!];
      this.#sorted[i - 1] = Math.sqrt(dx * dx + dy * dy);
    }
    // The lower one of two: a single step from rest to rest is no spread.
    const rank = (count - 2) >> 1;
    select(this.#sorted, count - 1, rank);
    return Math.max(distance, this.#sorted[rank]!);
  }

  #grow(count: number): void {
    const size = 2 * count + 2;
    this.#x = new Float64Array(size);
    this.#y = new Float64Array(size);
    this.#sorted = new Float64Array(size);
    this.#firstX = new Float64Array(size);
    this.#firstY = new Float64Array(size);
    this.#lastX = new Float64Array(size);
    this.#lastY = new Float64Array(size);
  }
}

/** From the second least to the second greatest value. */
function span(values: Float64Array, count: number): number {
  let [least, low, high, most] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < least) {
      low = least;
      least = value;
    } else if (value < low) low = value;
    if (value > most) {
      high = most;
      most = value;
    } else if (value > high) high = value;
  }
  return high - low;
}

function median(scratch: Float64Array, values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) scratch[i] = values[i]!;
  return selectMiddle(scratch, count);
}

/** The median of the first values, which it puts in another order. */
function selectMiddle(values: Float64Array, count: number): number {
  const half = count >> 1;
  select(values, count, half);
  if (count % 2 === 1) return values[half]!;
  let below = values[0]!;
  for (let k = 1; k < half; k++) if (values[k]! > below) below = values[k]!;
  return (below + values[half]!) / 2;
}

/** Reorders the first values so that none before the rank is greater, and none after it less (Hoare's FIND, with insertion for few values). */
function select(values: Float64Array, count: number, rank: number): void {
  let [low, high] = [0, count - 1];
  while (high - low > 12) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
  for (let k = low + 1; k <= high; k++) {
    const value = values[k]!;
    let at = k;
    for (; at > low && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

function middleOf(sorted: Float64Array, count: number): number {
  const half = count >> 1;
  return count % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** `medians[k]`: of the first k values, or with `isLast` of the last k. */
function mediansOf(
  medians: Float64Array,
  sorted: Float64Array,
  values: Float64Array,
  count: number,
  isLast: boolean,
): void {
  for (let k = 0; k < count; k++) {
    const value = values[isLast ? count - 1 - k : k]!;
    let at = k;
    for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = value;
    medians[k + 1] = middleOf(sorted, k + 1);
  }
}
