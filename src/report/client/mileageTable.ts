/** The table of mileage by unit, zone and day, with the total of its rows. */

import type { PageMileage } from '../pageMileage.js';
import { column, durationColumn, type PageColumn, summed, wayColumn } from './column.js';
import type { Page } from './page.js';
import { makeTable, type Table } from './table.js';
import { emptyText } from './tables.js';
import type { Tabs } from './tabs.js';

export function mileageTable({ data, words, number }: Page, tabs: Tabs): Table {
  const zoneOf = (row: PageMileage): string => data.zones[row[1]]?.name ?? words.outsideZones;
  const unitOf = (row: PageMileage): string => data.units[row[0]]!.id;
  const way = (title: string, at: 2 | 6): PageColumn<PageMileage> =>
    summed(wayColumn<PageMileage>(number, title, (row) => row[at]));
  const time = (title: string, at: 3 | 4 | 5 | 7): PageColumn<PageMileage> =>
    summed(durationColumn<PageMileage>(words, title, (row) => 1000 * row[at]));
  return makeTable<PageMileage>(tabs.panel('mileage'), words, {
    what: words.mileage.toLowerCase(),
    rows: data.mileage,
    empty: emptyText(data, words, words.noMileage),
    filters: [
      { label: words.unit, value: unitOf },
      { label: words.zone, value: zoneOf },
      { label: words.day, value: (row) => row[8] },
    ],
    columns: [
      column(words.zone, 'text', zoneOf),
      column(words.unit, 'text', unitOf),
      column(words.day, 'time', (row) => row[8]),
      way(words.km, 2),
      time(words.moving, 3),
      time(words.idling, 4),
      time(words.parked, 5),
      way(words.unseenKm, 6),
      time(words.unseenTime, 7),
    ],
    total: words.total,
  });
}
