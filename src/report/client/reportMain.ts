/** The script of the report's page. */

import { meetingsTable, ridesTable, speedingTable } from './conductTables.js';
import { byId, element } from './dom.js';
import { createFinders } from './finders.js';
import { fill } from './formats.js';
import { createLayers } from './layers.js';
import { makeRoute } from './makeRoute.js';
import { makeTimeline } from './makeTimeline.js';
import { makeTrips } from './makeTrips.js';
import { mileageTable } from './mileageTable.js';
import { createPage, type Page } from './page.js';
import { createSelection } from './selection.js';
import { speedingStretch } from './speedingStretch.js';
import type { Table } from './table.js';
import { filesTables, makeCards, swatch, unitBoxes, unitsTable, visitsTable, zonesTable } from './tables.js';
import { createTabs } from './tabs.js';

const page = createPage();
const tabs = createTabs();
const selection = createSelection(page.view);
const boxes = unitBoxes(page, (i, on) => layers.showUnits([i], on));
const layers = createLayers(
  page,
  {
    zone(i, at) {
      finders.zone(i, at);
      reveal('zones', zones, i);
    },
    unit(i, at) {
      finders.unit(i, at);
      reveal('units', units, i);
    },
    visit(i) {
      finders.visit(i, true);
      reveal('visits', visits, i);
    },
    speeding(i, at) {
      finders.stretch({ ...speedingStretch(page, i), at });
      if (speeding !== null) reveal('speeding', speeding, i);
    },
  },
  (i, on) => {
    boxes[i]!.checked = on;
  },
);
const finders = createFinders(page, layers, selection);

makeCards(page);
const visits = visitsTable(page, tabs, finders);
const zones = zonesTable(page, tabs, finders);
mileageTable(page, tabs);
ridesTable(page, tabs, finders);
const speeding = speedingTable(page, tabs, finders);
meetingsTable(page, tabs, finders);
makeRoute(page, tabs, finders);
const units = unitsTable(page, tabs, finders, { layers, boxes });
filesTables(page, tabs);
makeTrips(page, tabs, layers, selection);
makeTimeline(page, tabs, finders);
byId('gradation').append(...speedKey(page));
page.view.start([...layers.zones, ...layers.tracks]);

/** Shows the row of the item that was clicked on the map. */
function reveal(panel: string, table: Table, i: number): void {
  tabs.choose(panel);
  const row = table.reveal(i);
  if (row !== null) selection.markRow(row);
}

function speedKey({ data, words }: Page): (HTMLElement | string)[] {
  const keys = data.gradation.map(({ max, color }, i) => {
    const from = data.gradation[i - 1]?.max ?? 0;
    const text = max === null ? fill(words.above, { kph: from }) : fill(words.upTo, { kph: max });
    return element('span', {}, swatch(color), text);
  });
  return [...keys, ` ${words.kph}`];
}
