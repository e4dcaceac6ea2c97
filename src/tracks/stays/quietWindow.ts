/** Whether the fixes of a window are at one place, and whether they moved within it. */

import { lonStep } from '../../core/angles.js';
import type { Ruler } from './ruler.js';
import { LAT, LON, WIDTH, WITNESS } from './stayState.js';

/** A part of a window has at least as many fixes. */
const PART = 3;
/** Medians of two parts may be so far apart, as a share of the radius, and as a multiple of the greater spread. */
const APART = 0.4;
const SPREADS = 4;

/** Scratch numbers of one look; nothing is kept between two. */
export class QuietWindow {
  centreLon: number = 0;
  centreLat: number = 0;
  /** Metres east and north of the last fix. */
  #x: Float64Array = new Float64Array(256);
  #y: Float64Array = new Float64Array(256);
  #sorted: Float64Array = new Float64Array(256);
  /** Medians of the first and of the last fixes, by their number. */
  #firstX: Float64Array = new Float64Array(256);
  #firstY: Float64Array = new Float64Array(256);
  #lastX: Float64Array = new Float64Array(256);
  #lastY: Float64Array = new Float64Array(256);

  /** Whether rows `from` to `to` of the entries are quiet, in which case `centreLon` and `centreLat` are their medians. */
  isQuiet(recent: readonly number[], from: number, to: number, radius: number, ruler: Ruler): boolean {
    const count = to - from + 1;
    this.#load(recent, from, count, ruler);
    const x = median(this.#sorted, this.#x, 0, count);
    const y = median(this.#sorted, this.#y, 0, count);
    if (Math.hypot(this.#x[0]! - x, this.#y[0]! - y) > radius) return false;
    // The last fix is the origin.
    if (Math.hypot(x, y) > radius) return false;
    const half = (radius / 2) ** 2;
    let inside = 0;
    for (let i = 0; i < count; i++) {
      const [dx, dy] = [this.#x[i]! - x, this.#y[i]! - y];
      if (dx * dx + dy * dy <= half) inside++;
    }
    if (3 * inside < 2 * count || this.#moved(recent, from, count, radius)) return false;
    this.#place(recent, to, x, y, ruler);
    return true;
  }

  /** Sets the centre to the medians of rows `from` to `to`. */
  centre(recent: readonly number[], from: number, to: number, ruler: Ruler): void {
    const count = to - from + 1;
    this.#load(recent, from, count, ruler);
    const x = median(this.#sorted, this.#x, 0, count);
    this.#place(recent, to, x, median(this.#sorted, this.#y, 0, count), ruler);
  }

  #load(recent: readonly number[], from: number, count: number, ruler: Ruler): void {
    if (count >= this.#x.length) this.#grow(count);
    const end = (from + count - 1) * WIDTH;
    const [lon, lat] = [recent[end + LON]!, recent[end + LAT]!];
    ruler.aim(lat);
    for (let i = 0, at = from * WIDTH; i < count; i++, at += WIDTH) {
      this.#x[i] = lonStep(lon, recent[at + LON]!) * ruler.metersPerLon;
      this.#y[i] = (recent[at + LAT]! - lat) * ruler.metersPerLat;
    }
  }

  #place(recent: readonly number[], to: number, x: number, y: number, ruler: Ruler): void {
    const lon = recent[to * WIDTH + LON]! + x / ruler.metersPerLon;
    this.centreLon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
    this.centreLat = recent[to * WIDTH + LAT]! + y / ruler.metersPerLat;
  }

  /** Whether a cut divides the fixes into two places. */
  #moved(recent: readonly number[], from: number, count: number, radius: number): boolean {
    if (count < 2 * PART) return false;
    const least = (APART * radius) ** 2;
    if (this.#extent(count) < least / 4) return false;
    mediansOf(this.#firstX, this.#sorted, this.#x, count, false);
    mediansOf(this.#firstY, this.#sorted, this.#y, count, false);
    mediansOf(this.#lastX, this.#sorted, this.#x, count, true);
    mediansOf(this.#lastY, this.#sorted, this.#y, count, true);
    // The cut whose parts are farthest apart: with a fix beside it that moves, and of all.
    let [most, mostMoving, cut, cutMoving] = [0, 0, 0, 0];
    for (let i = PART; i <= count - PART; i++) {
      const dx = this.#firstX[i]! - this.#lastX[count - i]!;
      const dy = this.#firstY[i]! - this.#lastY[count - i]!;
      const apart = dx * dx + dy * dy;
      if (apart > most) {
        most = apart;
        cut = i;
      }
      const at = (from + i) * WIDTH + WITNESS;
      if (apart > mostMoving && (recent[at]! < 0 || recent[at - WIDTH]! < 0)) {
        mostMoving = apart;
        cutMoving = i;
      }
    }
    if (most > least && most > (SPREADS * this.#spread(cut, count)) ** 2) return true;
    if (mostMoving <= least / 4) return false;
    return mostMoving > ((SPREADS / 2) * this.#spread(cutMoving, count)) ** 2;
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

  #spreadOf(from: number, count: number, x: number, y: number): number {
    const sorted = this.#sorted.subarray(0, count);
    for (let i = 0; i < count; i++) sorted[i] = Math.hypot(this.#x[from + i]! - x, this.#y[from + i]! - y);
    sorted.sort();
    return middleOf(sorted, count);
  }

  #grow(count: number): void {
    const size = 2 * count;
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

function median(scratch: Float64Array, values: Float64Array, from: number, count: number): number {
  const sorted = scratch.subarray(0, count);
  sorted.set(values.subarray(from, from + count));
  sorted.sort();
  return middleOf(sorted, count);
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
