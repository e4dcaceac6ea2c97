/** The tables of speeding, rides and meetings, with the totals of their rows. */

import type { PageMeeting, PageRide, PageSpeeding } from '../pageConduct.js';
import type { PageMileage } from '../pageMileage.js';
import {
  amountColumn,
  column,
  durationColumn,
  type PageColumn,
  spanColumns,
  summed,
  wayColumn,
} from './column.js';
import type { Finders } from './finders.js';
import { speedingStretch } from './movesOf.js';
import type { Page } from './page.js';
import type { Tabs } from './shared/dom.js';
import { wordOf } from './shared/formats.js';
import { makeTable, type Table } from './table.js';
import { emptyText } from './tables.js';

export function speedingTable(page: Page, tabs: Tabs, finders: Finders): Table | null {
  const { data, words, clock, number, measures } = page;
  const rows = data.conduct.speeding;
  if (rows === null) return null;
  const zoneOf = ([, , , , , , zone]: PageSpeeding): string => data.zones[zone]?.name ?? words.ofUnit;
  const text = (value: string): string => wordOf(words, value);
  return makeTable<PageSpeeding>(tabs.panel('speeding'), words, {
    what: words.speeding.toLowerCase(),
    rows,
    open: (i) => finders.stretch(speedingStretch(page, i)),
    empty: emptyText(data, words, words.noSpeeding),
    filters: [
      { label: words.unit, value: (s) => data.units[s[0]]!.id },
      { label: words.zone, value: zoneOf },
    ],
    columns: [
      column(words.unit, 'text', (s) => data.units[s[0]]!.id),
      ...spanColumns<PageSpeeding>(clock, [words.from, words.to], (s) => [s[2], s[3]]),
      summed(durationColumn<PageSpeeding>(words, words.duration, (s) => 1000 * s[9])),
      amountColumn(words.limit, (s) => s[5], measures.speed, number, 1),
      amountColumn(words.maxKph, (s) => s[7], measures.speed, number, 1),
      amountColumn(words.overBy, (s) => s[7] - s[5], measures.speed, number, 1),
      summed(wayColumn<PageSpeeding>(number, words.km, (s) => s[8])),
      column(words.zone, 'text', zoneOf),
      column(words.end, '', (s) => s[4], text),
    ],
    total: words.total,
  });
}

export function ridesTable(page: Page, tabs: Tabs, finders: Finders): Table {
  const { data, words, clock, number } = page;
  const { rides } = data.conduct;
  const zone = (i: number): string => data.zones[i]?.name ?? '';
  const time = (title: string, at: 6 | 7 | 8 | 9): PageColumn<PageRide> =>
    summed(durationColumn<PageRide>(words, title, (r) => 1000 * r[at]));
  return makeTable<PageRide>(tabs.panel('rides'), words, {
    what: words.rides.toLowerCase(),
    rows: rides,
    open: (i) => finders.ride(rides[i]!),
    empty: emptyText(data, words, words.noRides),
    filters: [
      { label: words.unit, value: (r) => data.units[r[0]]!.id },
      { label: words.fromZone, value: (r) => zone(r[1]) },
      { label: words.toZone, value: (r) => zone(r[2]) },
    ],
    columns: [
      column(words.unit, 'text', (r) => data.units[r[0]]!.id),
      column(words.fromZone, 'text', (r) => zone(r[1])),
      column(words.toZone, 'text', (r) => zone(r[2])),
      ...spanColumns<PageRide>(clock, [words.from, words.to], (r) => [r[3], r[4]]),
      time(words.duration, 6),
      summed(wayColumn<PageRide>(number, words.km, (r) => r[5])),
      time(words.moving, 7),
      time(words.idling, 8),
      time(words.parked, 9),
    ],
    total: words.total,
  });
}

export function meetingsTable(page: Page, tabs: Tabs, finders: Finders): Table | null {
  const { data, words, clock, number, measures } = page;
  const { meetings } = data.conduct;
  if (meetings === null) return null;
  const unit = (i: number): string => data.units[i]!.id;
  const text = (value: string): string => wordOf(words, value);
  return makeTable<PageMeeting>(tabs.panel('meetings'), words, {
    what: words.meetings.toLowerCase(),
    rows: meetings,
    open: (i) => finders.unit(meetings[i]![0]),
    empty: emptyText(data, words, words.noMeetings),
    filters: [{ label: words.end, value: (m) => m[7], text }],
    columns: [
      column(words.unit, 'text', (m) => unit(m[0])),
      column(words.otherUnit, 'text', (m) => unit(m[1])),
      ...spanColumns<PageMeeting>(clock, [words.from, words.to], (m) => [m[2], m[3]]),
      summed(durationColumn<PageMeeting>(words, words.duration, (m) => 1000 * m[4])),
      amountColumn(words.nearest, (m) => m[5], measures.length, number, 1),
      column(words.end, '', (m) => m[7], text),
    ],
    total: words.total,
  });
}

/** The table of mileage by unit, zone and day, with the total of its rows. */
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
