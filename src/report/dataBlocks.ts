/**
 * The data of a report's page in blocks. A browser parses one block in some milliseconds, all of a large report in a quarter of a second.
 */

import type { PageData } from './pageData.js';

/** The lists that may be long. */
const LISTS = ['units', 'visits', 'mileage', 'speeding', 'rides'] as const;
/** Largest number of characters of a block's JSON. */
const MOST = 250_000;

/** The next items of a list. */
export interface DataBlock {
  readonly list: (typeof LISTS)[number];
  readonly items: readonly unknown[];
}

/** The data with the first items of each long list, then the blocks with the other items, in order. */
export function dataBlocks(
  data: PageData,
  most: number = MOST,
): readonly [first: PageData, ...more: DataBlock[]] {
  const more: DataBlock[] = [];
  const cut = <Items extends readonly unknown[] | null>(list: DataBlock['list'], items: Items): Items => {
    if (items === null) return items;
    const parts = partsOf(items, most);
    for (const part of parts.slice(1)) more.push({ list, items: part });
    return (parts[0] ?? []) as unknown as Items;
  };
  const { conduct } = data;
  const first = {
    ...data,
    units: cut('units', data.units),
    visits: cut('visits', data.visits),
    mileage: cut('mileage', data.mileage),
    conduct: { ...conduct, speeding: cut('speeding', conduct.speeding), rides: cut('rides', conduct.rides) },
  };
  return [first, ...more];
}

/** The list cut into parts of at least one item and about `most` characters. */
function partsOf<Item>(items: readonly Item[], most: number): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const { length } = JSON.stringify(item);
    if (length > left || parts.length === 0) {
      parts.push([]);
      left = most;
    }
    parts.at(-1)!.push(item);
    left -= length;
  }
  return parts;
}
