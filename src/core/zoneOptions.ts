/** Table of the options that go with every shape. */

import { type OptionTable, OWN } from './options.js';
import type { ZoneOptions } from './wire.js';

export const ZONE_OPTIONS: OptionTable<ZoneOptions, 'defaultWidthMeters'> = {
  axisOrder: { words: ['lonlat', 'latlon'] },
  lineWidth: { words: ['total', 'each-side'] },
  defaultWidthMeters: OWN,
  boundary: { words: ['closed', 'half-open'] },
};
