/** Shows on the map only the items of the rows that pass the filter of the chosen table. */

import { byId, element } from './dom.js';
import { fill } from './formats.js';
import type { Filtered, Layers } from './layers.js';
import type { Page } from './page.js';
import type { Table } from './table.js';
import type { Tabs } from './tabs.js';

/** Units, zones and visits that a row belongs to, by index. */
export interface RowItems {
  readonly units?: readonly number[];
  readonly zones?: readonly number[];
  readonly visits?: readonly number[];
}

/** A table, its panel, and the items of each row. */
export interface FilteredTable {
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
