/** A short drive past one zone, a minute a fix. */

import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';

export const START = 1_772_438_400_000;
export const fix = (i: number): Fix => ({ time: START + i * 60_000, lon: 37.6 + 0.01 * i, lat: 55.7 });
export const INDEX: ZoneIndex = new ZoneIndex([
  { id: 'z', name: 'z', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 } as never,
]);
/** The message for a time outside the range of ECMAScript. */
export const WIDE = 'expected a number from -8640000000000000 to 8640000000000000, received';
