/** The table of mileage by unit, zone and day, with the total of its rows. */

import type { PageMileage } from '../pageMileage.js';
import { duration } from './formats.js';
import type { Page } from './page.js';
import { amountColumn, column, durationColumn, makeTable, type Table } from './table.js';
import { emptyText } from './tables.js';
import type { Tabs } from './tabs.js';

/** Ways are in hundredths of a kilometre or mile. */
export const STEPS_OF_KM = 100;

export function mileageTable({ data, words, number }: Page, tabs: Tabs): Table {
  const km = (steps: number): string => number(steps / STEPS_OF_KM, 2);
  const time = (seconds: number): string => duration(seconds * 1000);
  const zoneOf = (row: PageMileage): string => data.zones[row[1]]?.name ?? words.outsideZones;
  const unitOf = (row: PageMileage): string => data.units[row[0]]!.id;
  const amounts = [
    [words.km, 2, km],
    [words.moving, 3, time],
    [words.idling, 4, time],
    [words.parked, 5, time],
    [words.unseenKm, 6, km],
    [words.unseenTime, 7, time],
  ] as const;
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
      ...amounts.map(([title, at, text]) =>
        text === km
          ? amountColumn<PageMileage>(
              title,
              (row) => row[at],
              (steps) => steps / STEPS_OF_KM,
              number,
              2,
            )
          : durationColumn<PageMileage>(words, title, (row) => 1000 * row[at]),
      ),
    ],
    total: (rows) => [
      words.total,
      '',
      '',
      ...amounts.map(([, at, text]) => text(rows.reduce((sum, row) => sum + row[at], 0))),
    ],
  });
}
