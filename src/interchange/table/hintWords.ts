/** Allowed values of hints that are words. */

import type { TableHints } from './tableDescription.js';

type WordHint =
  | 'decimal'
  | 'dateOrder'
  | 'speedUnit'
  | 'mileageUnit'
  | 'coordinates'
  | 'radiusUnit'
  | 'axisOrder'
  | 'kind';

type Words<Word> = readonly [Word, ...Word[]];

export const HINT_WORDS: { readonly [Hint in WordHint]: Words<NonNullable<TableHints[Hint]>> } = {
  decimal: ['.', ','],
  dateOrder: ['dmy', 'mdy', 'ymd'],
  speedUnit: ['kph', 'mps', 'mph', 'knots'],
  mileageUnit: ['m', 'km', 'mi'],
  coordinates: ['degrees', 'dms', 'ddmm', '1e-5', '1e-6', '1e-7', 'semicircles'],
  radiusUnit: ['m', 'km', 'ft', 'mi', 'nmi'],
  axisOrder: ['lonlat', 'latlon'],
  kind: ['fixes', 'zones', 'unknown'],
};
