/** The tables whose filters drive the map. */

import { movesOf } from './movesOf.js';
import type { Page } from './page.js';
import type { FilteredTable } from './startMapFilter.js';
import type { Table } from './table.js';

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
