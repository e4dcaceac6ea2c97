/** Filters and sorts a long list by name. A second contender uses the collator alone, to show how much of the time the collator takes. */

import { filterGeozones } from '../src/listing/index.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';

const WORDS = [
  'Склад',
  'Depot',
  'школа',
  'Ёлка',
  'Zone',
  'Åre',
  'Больница',
  'терминал',
  'North',
  'яр',
  'База',
];

export function listingBench(quick: boolean): string {
  const count = quick ? 10_000 : 100_000;
  const random = seeded(6);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)]!;
  const zones = Array.from({ length: count }, (_, i) => ({
    id: String(i),
    name: `${word()} ${word()} ${Math.floor(random() * count)}`,
    is_delete: i % 10 === 0,
  }));
  const checksum = (list: readonly { id: string }[]): number =>
    list.reduce((sum, { id }, place) => (sum * 31 + Number(id) * (place + 1)) % 1_000_003, 0);
  const collator = new Intl.Collator('ru');
  const query = { conditions: [{ field: 'name', value: 'о' }], sortField: 'name' };
  const timings = compare(
    [
      {
        name: 'filterGeozones, part of the name, sorted by name',
        run: () => checksum(filterGeozones(zones, query, { language: 'ru' }).list),
      },
      {
        name: 'filter and sort by Intl.Collator, written by hand',
        run: () =>
          checksum(
            zones
              .filter(({ name, is_delete }) => !is_delete && name.toLowerCase().includes('о'))
              .sort((a, b) => collator.compare(a.name, b.name)),
          ),
      },
    ],
    count,
  );
  const whole = compare(
    [
      {
        name: 'filterGeozones, all that are live, sorted by name',
        run: () => checksum(filterGeozones(zones, { sortField: 'name' }, { language: 'ru' }).list),
      },
      {
        name: 'the same by Intl.Collator alone',
        run: () =>
          checksum(zones.filter((zone) => !zone.is_delete).sort((a, b) => collator.compare(a.name, b.name))),
      },
    ],
    count,
  );
  const title = (what: string): string => `Listing: ${count.toLocaleString('en')} zones, ${what}`;
  return [table(title('a part of the name'), timings), table(title('all'), whole)].join('\n');
}
