/** `sumByZone`: what a unit did in each zone, in all or by local day or month. */

import { DAY_MS } from '../../core/durations.js';
import { type LocalClock, makeClock } from '../../core/localClock.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import type { Measure } from '../meter/measure.js';
import type { TrackMeter } from '../meter/trackMeter.js';
import { checkMeter, readSpans, type StayLike, type ZoneSpan } from './readSpans.js';

/** Sums of a unit in a zone and a period. */
export interface ZoneSum {
  /** Id of the zone; null outside all zones. */
  readonly zoneId: string | null;
  /** Local `yyyy-MM-dd` or `yyyy-MM`; null with `by: 'all'`. */
  readonly period: string | null;
  /** Number of spans that begin in the period. */
  readonly count: number;
  /** Sums of the spans' parts in the period. */
  readonly measure: Measure;
}

/** Options of `sumByZone`. */
export interface SumOptions {
  /** The periods. Default `all`: one period for all time. */
  readonly by?: 'all' | 'day' | 'month' | undefined;
  /** IANA time zone of the days. Default `UTC`. */
  readonly timeZone?: string | undefined;
}

const OPTIONS: OptionTable<SumOptions> = { by: { words: ['all', 'day', 'month'] }, timeZone: OWN };

/**
 * The sums of spans by zone and period. `items` are visits, runs of `splitByZone`, or any `{zoneId, from, to}`. An open visit ends at
 * `meter.to`.
 *
 * Spans are cut at local midnight. A day of a clock change has 23 or 25 hours. `count` is the number of spans that begin in the period. Rows are
 * sorted by period, then by the first span of the zone in the list. A period without a span has no row. `maxSpeedKph` is the greatest speed of
 * the parts. `meanSpeedKph` is computed from the sums.
 *
 * Errors: `spans-type`, `span-invalid`, `meter-invalid`, `tz-unknown`, `option-type`, `option-unknown`, `option-value`. Cost: O(log n) for each
 * span and each midnight in it.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { meterTrack, readTrack, splitByZone, sumByZone } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack([0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 })));
 * const sums = sumByZone(splitByZone(track, index), meterTrack(track), { by: 'day', timeZone: 'Europe/Moscow' });
 * sums.map(({ zoneId, period, count }) => [zoneId, period, count]); // [[null, '2026-03-02', 2], ['depot', '2026-03-02', 1]]
 * ```
 */
export function sumByZone(
  items: readonly (ZoneSpan | StayLike)[],
  meter: TrackMeter,
  options: SumOptions = {},
): ZoneSum[] {
  const { by, timeZone } = readOptions(options, OPTIONS);
  const clock = makeClock(timeZone ?? 'UTC');
  checkMeter(meter);
  const spans = readSpans(items, meter.to);
  const ranks = new Map<string | null, number>();
  const sums = new Map<string, Row>();
  for (const { zoneId, from, to } of spans) {
    if (!ranks.has(zoneId)) ranks.set(zoneId, ranks.size);
    for (const part of periodsOf(from, to, by, clock)) {
      const key = JSON.stringify([part.period, zoneId]);
      const measure = meter.between(part.from, part.to);
      const sum = sums.get(key);
      const count = part.from === from ? 1 : 0;
      if (sum === undefined) sums.set(key, { zoneId, period: part.period, count, measure });
      else {
        sum.count += count;
        sum.measure = added(sum.measure, measure);
      }
    }
  }
  const rows = [...sums.values()];
  return rows.sort((a, b) => compare(a.period, b.period) || ranks.get(a.zoneId)! - ranks.get(b.zoneId)!);
}

interface Row {
  zoneId: string | null;
  period: string | null;
  count: number;
  measure: Measure;
}

function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return a! < b! ? -1 : 1;
}

/** The sum of two measures. Whole milliseconds are added, so that seconds stay exact. */
export function added(a: Measure, b: Measure): Measure {
  const seconds = (
    name: 'durationSeconds' | 'movingSeconds' | 'idlingSeconds' | 'parkedSeconds' | 'unmeasuredSeconds',
  ): number => Math.round((a[name] + b[name]) * 1000) / 1000;
  const movingSeconds = seconds('movingSeconds');
  const way = ({ meanSpeedKph, movingSeconds: moving }: Measure): number => (meanSpeedKph ?? 0) * moving;
  return {
    durationSeconds: seconds('durationSeconds'),
    movingSeconds,
    idlingSeconds: seconds('idlingSeconds'),
    parkedSeconds: seconds('parkedSeconds'),
    unmeasuredSeconds: seconds('unmeasuredSeconds'),
    distanceMeters: a.distanceMeters + b.distanceMeters,
    unmeasuredMeters: a.unmeasuredMeters + b.unmeasuredMeters,
    maxSpeedKph: greater(a.maxSpeedKph, b.maxSpeedKph),
    meanSpeedKph: movingSeconds === 0 ? null : (way(a) + way(b)) / movingSeconds,
  };
}

function greater(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

interface PeriodPart {
  /** `yyyy-MM-dd` or `yyyy-MM`; null for all time. */
  readonly period: string | null;
  readonly from: number;
  readonly to: number;
}

/** The parts of a span by local day or month, in order. A span without a duration has one part. */
function periodsOf(from: number, to: number, by: 'all' | 'day' | 'month', clock: LocalClock): PeriodPart[] {
  if (by === 'all') return [{ period: null, from, to }];
  const parts: PeriodPart[] = [];
  let start = from;
  do {
    const { wall, next } = periodAt(start, by, clock);
    const end = Math.min(to, next);
    parts.push({ period: nameOf(wall, by), from: start, to: end });
    start = end;
  } while (start < to);
  return parts;
}

/** A wall time of the period at an instant, and when the next period begins. */
function periodAt(time: number, by: 'day' | 'month', clock: LocalClock): { wall: number; next: number } {
  const wall = clock.wallTimeOf(time);
  const border = followingBorder(wall, by);
  const next = clock.epochOf(border);
  if (next > time) return { wall, next };
  // Clocks that are set back over midnight show the day before again. That time belongs to the day that has begun.
  return { wall: border, next: clock.epochOf(followingBorder(border, by)) };
}

/** The wall time at which the period after that of `wall` begins. */
function followingBorder(wall: number, by: 'day' | 'month'): number {
  if (by === 'day') return Math.floor(wall / DAY_MS) * DAY_MS + DAY_MS;
  const date = new Date(wall);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function nameOf(wall: number, by: 'day' | 'month'): string {
  const date = new Date(wall);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  if (by === 'month') return `${year}-${month}`;
  return `${year}-${month}-${String(date.getUTCDate()).padStart(2, '0')}`;
}
