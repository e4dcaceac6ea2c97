/**
 * Tests whether the rows of a plain table without a unit column are surely of one unit, with the reader of bytes: a description would cost
 * as much as reading the file.
 */

import type { TimedPosition } from '../../core/fix.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { isTorn } from '../common/isTorn.js';
import { CsvBytes } from './csvBytes.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';

/** Largest number of fixes examined. */
const MOST_POINTS = 20_000;
/** Step against the order of the times, as a share of their span, that begins the track of another unit. */
const MOST_BACK = 0.05;

/**
 * Whether picked rows of a table (`rowSample`) are in order of time and without jumps. Also false if the reader of bytes cannot read every
 * row; then all rows must be examined. Cost: O(bytes). Throws the errors of the options.
 */
export function isOneUnit(table: Uint8Array, options: CsvOptions): boolean {
  const points: TimedPosition[] = [];
  const { onFix: _, onZone: _zones, ...plain } = options;
  const own: CsvOptions = {
    ...plain,
    onFixes: ({ length, time, lon, lat }) => {
      for (let i = 0; i < length && points.length < MOST_POINTS; i++)
        points.push({ time: time[i]!, lon: lon[i]!, lat: lat[i]! });
    },
  };
  const builder = new ForeignBuilder(own);
  const reader = new CsvBytes(new CsvRows(own, builder), builder, own);
  reader.read(table, true);
  builder.batches.flush();
  const isRead = !reader.isOver && builder.issues.toArray().every(({ severity }) => severity !== 'error');
  return isRead && points.length > 0 && isInOrder(points) && !isTorn(points);
}

/** Whether times run in one direction. The tracks of several units, one after the other, go back at the start of each. */
function isInOrder(points: readonly TimedPosition[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [up, down] = [0, 0];
  for (const [i, { time }] of points.entries()) {
    least = Math.min(least, time);
    most = Math.max(most, time);
    const step = i === 0 ? 0 : time - points[i - 1]!.time;
    up = Math.max(up, step);
    down = Math.max(down, -step);
  }
  const isDescending = points.at(-1)!.time < points[0]!.time;
  return (isDescending ? up : down) <= MOST_BACK * (most - least);
}
