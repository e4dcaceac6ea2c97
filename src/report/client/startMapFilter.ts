/** Shows on the map only the items of the rows that pass the filter of the chosen table. */

import type { Filtered, Layers } from './layers.js';
import { movesOf } from './movesOf.js';
import type { Page } from './page.js';
import { byId, element, type Tabs } from './shared/dom.js';
import { fill } from './shared/formats.js';
import type { Table } from './table.js';

/** Units, zones and visits that a row belongs to, by index. */
interface RowItems {
  readonly units?: readonly number[];
  readonly zones?: readonly number[];
  readonly visits?: readonly number[];
}

/** A table, its panel, and the items of each row. */
interface FilteredTable {
  readonly panel: string;
  readonly table: Table;
  readonly items: (row: number) => RowItems;
}

export function startMapFilter(
  page: Page,
  tabs: Tabs,
  layers: Layers,
  tables: readonly FilteredTable[],
): void {
  const { data, words } = page;
  const note = byId('shown');
  const apply = (): void => {
    const chosen = tables.find(({ panel }) => panel === tabs.chosen());
    const rows = chosen?.table.filtered() ?? null;
    const filtered = rows === null ? {} : itemsOf(rows.map(chosen!.items));
    layers.filter(filtered);
    note.replaceChildren();
    if (rows === null) return;
    const clear = element('button', { type: 'button', textContent: words.clearFilter });
    clear.addEventListener('click', () => chosen!.table.clear());
    const { units, zones } = filtered;
    const text =
      units === undefined
        ? fill(words.shownZones, { zones: zones?.size ?? 0, all: data.zones.length })
        : fill(words.shownOnMap, { units: units.size, all: data.units.length });
    note.append(`${text} `, clear);
  };
  for (const { table } of tables) table.onFilter(apply);
  tabs.onChoose(apply);
}

function itemsOf(rows: readonly RowItems[]): Filtered {
  const filtered: { units?: Set<number>; zones?: Set<number>; visits?: Set<number> } = {};
  for (const key of ['units', 'zones', 'visits'] as const) {
    if (rows.length > 0 && rows.every((row) => row[key] === undefined)) continue;
    filtered[key] = new Set(rows.flatMap((row) => row[key] ?? []));
  }
  return filtered;
}

/** The tables of the report by panel; null for a table that the report lacks. */
export type ReportTables = Readonly<
  Record<'visits' | 'zones' | 'mileage' | 'rides' | 'units' | 'trips' | 'timeline', Table>
> & { readonly speeding: Table | null; readonly meetings: Table | null };

/** The tables, each with the zones, units and visits of its rows. */
export function filteredTables({ data }: Page, tables: ReportTables): FilteredTable[] {
  const { visits, zones, mileage, rides, speeding, meetings, units, trips, timeline } = tables;
  const moves = movesOf(data);
  const { conduct } = data;
  const known = (items: readonly number[]): number[] => items.filter((i) => i >= 0);
  const list: (FilteredTable | null)[] = [
    {
      panel: 'visits',
      table: visits,
      items(i) {
        const [unit, zone] = data.visits[i]!;
        return { units: [unit], zones: [zone], visits: [i] };
      },
    },
    { panel: 'zones', table: zones, items: (i) => ({ zones: [i] }) },
    {
      panel: 'mileage',
      table: mileage,
      items(i) {
        const [unit, zone] = data.mileage[i]!;
        return { units: [unit], zones: known([zone]) };
      },
    },
    {
      panel: 'rides',
      table: rides,
      items(i) {
        const [unit, fromZone, toZone] = conduct.rides[i]!;
        return { units: [unit], zones: known([fromZone, toZone]) };
      },
    },
    speeding && { panel: 'speeding', table: speeding, items: (i) => ({ units: [conduct.speeding![i]![0]] }) },
    meetings && {
      panel: 'meetings',
      table: meetings,
      items: (i) => ({ units: [conduct.meetings![i]![0], conduct.meetings![i]![1]] }),
    },
    { panel: 'units', table: units, items: (i) => ({ units: [i] }) },
    { panel: 'trips', table: trips, items: (i) => ({ units: known([data.trips[i]!.unit]) }) },
    { panel: 'timeline', table: timeline, items: (i) => ({ units: [moves[i]!.unit] }) },
  ];
  return list.filter((item) => item !== null);
}
