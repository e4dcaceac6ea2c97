/** Finds tracks whose longitude and latitude seem exchanged. */

import type { Issue } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { seemsSwapped } from '../zones/seemsSwapped.js';

/** Most fixes that are compared, evenly spread over the track. */
const MOST_SAMPLE_FIXES = 256;

/** The warning `axis-order-suspect` if most fixes are near `near` only with their numbers exchanged. */
export function swappedIssue(lon: Float64Array, lat: Float64Array, near: Position | null): Issue[] {
  if (near === null) return [];
  const size = Math.min(lon.length, MOST_SAMPLE_FIXES);
  const sample = Array.from({ length: size }, (_, k): Position => {
    const i = Math.floor((k * lon.length) / size);
    return [lon[i]!, lat[i]!];
  });
  const swapped = sample.filter((position) => seemsSwapped(position, near));
  const [first] = swapped;
  if (first === undefined || 2 * swapped.length <= size) return [];
  const message = `expected fixes near the position \`near\`, received a track with lon ${first[0]}, lat ${first[1]}, which is near only with the two exchanged; swap lon and lat`;
  return [{ code: 'axis-order-suspect', severity: 'warning', field: 'fixes', message }];
}
