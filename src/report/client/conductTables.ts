/** The tables of speeding, rides and meetings, with the totals of their rows. */

import type { PageMeeting, PageRide, PageSpeeding } from '../pageConduct.js';
import type { Finders } from './finders.js';
import { duration } from './formats.js';
import { STEPS_OF_KM } from './mileageTable.js';
import { type Page, wordOf } from './page.js';
import { speedingStretch } from './speedingStretch.js';
import { amountColumn, column, durationColumn, makeTable, pageTimeColumn, type Table } from './table.js';
import { emptyText, endText } from './tables.js';
import type { Tabs } from './tabs.js';

const time = (seconds: number): string => duration(seconds * 1000);

export function speedingTable(page: Page, tabs: Tabs, finders: Finders): Table | null {
  const { data, words, clock, number, measures } = page;
  const rows = data.conduct.speeding;
  if (rows === null) return null;
  const km = (steps: number): string => number(steps / STEPS_OF_KM, 2);
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
      pageTimeColumn<PageSpeeding>(clock, `${words.from} (${clock.name})`, (s) => s[2]),
      pageTimeColumn<PageSpeeding>(
        clock,
        words.to,
        (s) => s[3],
        (to, s) => endText(page, s[2], to),
      ),
      durationColumn(words, words.duration, (s) => 1000 * s[9]),
      amountColumn(words.limit, (s) => s[5], measures.speed, number, 1),
      amountColumn(words.maxKph, (s) => s[7], measures.speed, number, 1),
      amountColumn(words.overBy, (s) => s[7] - s[5], measures.speed, number, 1),
      amountColumn(
        words.km,
        (s) => s[8],
        (steps) => steps / STEPS_OF_KM,
        number,
        2,
      ),
      column(words.zone, 'text', zoneOf),
      column(words.end, '', (s) => s[4], text),
    ],
    total: (shown) => [
      words.total,
      '',
      '',
      time(shown.reduce((sum, s) => sum + s[9], 0)),
      '',
      '',
      '',
      km(shown.reduce((sum, s) => sum + s[8], 0)),
      '',
      '',
    ],
  });
}

export function ridesTable(page: Page, tabs: Tabs, finders: Finders): Table {
  const { data, words, clock, number } = page;
  const { rides } = data.conduct;
  const km = (steps: number): string => number(steps / STEPS_OF_KM, 2);
  const zone = (i: number): string => data.zones[i]?.name ?? '';
  const amounts = [
    [words.duration, 6, time],
    [words.km, 5, km],
    [words.moving, 7, time],
    [words.idling, 8, time],
    [words.parked, 9, time],
  ] as const;
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
      pageTimeColumn<PageRide>(clock, `${words.from} (${clock.name})`, (r) => r[3]),
      pageTimeColumn<PageRide>(
        clock,
        words.to,
        (r) => r[4],
        (to, r) => endText(page, r[3], to),
      ),
      ...amounts.map(([title, at, text]) =>
        text === km
          ? amountColumn<PageRide>(
              title,
              (r) => r[at],
              (steps) => steps / STEPS_OF_KM,
              number,
              2,
            )
          : durationColumn<PageRide>(words, title, (r) => 1000 * r[at]),
      ),
    ],
    total: (shown) => [
      words.total,
      '',
      '',
      '',
      '',
      ...amounts.map(([, at, text]) => text(shown.reduce((sum, r) => sum + r[at], 0))),
    ],
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
      pageTimeColumn<PageMeeting>(clock, `${words.from} (${clock.name})`, (m) => m[2]),
      pageTimeColumn<PageMeeting>(
        clock,
        words.to,
        (m) => m[3],
        (to, m) => endText(page, m[2], to),
      ),
      durationColumn(words, words.duration, (m) => 1000 * m[4]),
      amountColumn(words.nearest, (m) => m[5], measures.length, number, 1),
      column(words.end, '', (m) => m[7], text),
    ],
    total: (shown) => [words.total, '', '', '', time(shown.reduce((sum, m) => sum + m[4], 0)), '', ''],
  });
}
