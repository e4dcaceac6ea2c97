/** The script of the report's page. */

import type { PageData } from '../pageData.js';
import { meetingsTable, mileageTable, ridesTable, speedingTable } from './conductTables.js';
import { createFinders, type Finders } from './finders.js';
import { createLayers, type Layers } from './layers.js';
import { makeProblems } from './makeProblems.js';
import { makeRoute } from './makeRoute.js';
import { makeTimeline } from './makeTimeline.js';
import { makeTrips } from './makeTrips.js';
import { speedingStretch } from './movesOf.js';
import { createPage, type Page, placeText } from './page.js';
import { createSelection } from './selection.js';
import { byId, createTabs, element, type Tabs } from './shared/dom.js';
import { fill } from './shared/formats.js';
import { inTasks } from './shared/inSlices.js';
import { startBasemap } from './startBasemap.js';
import { startLinks } from './startLinks.js';
import { filteredTables, type ReportTables, startMapFilter } from './startMapFilter.js';
import { startReplay } from './startReplay.js';
import {
  filesTables,
  makeCards,
  swatch,
  unitBoxes,
  unitsTable,
  visitRowsTable,
  zonesTable,
} from './tables.js';

// Removed when the page has loaded. The browser draws the title and the tabs before the first task.
document.body.setAttribute('aria-busy', 'true');
// From here on the user can choose tabs.
const tabs = createTabs();
inTasks(load());

/** Builds the page from the top down, with pauses. */
function* load(): Generator<void, void, void> {
  const page = yield* createPage();
  const { data, words, view, links } = page;
  view.setLoading(true);
  yield;
  const selection = createSelection({
    view,
    close: words.close,
    onLink: links.set,
    placeText: (lat, lon) => placeText(page, lat, lon),
  });
  makeProblems(page);
  yield;
  // The map gets its view before its layers: a layer added earlier would be drawn with all others in one long task.
  const bounds = yield* boundsOfData(data);
  view.start([{ getBounds: () => bounds }], data.basemap === null, words);
  yield;
  startBasemap(page);
  yield;
  const boxes = unitBoxes(page, (i, on) => layers.showUnits([i], on));
  const layers = yield* createLayers(
    page,
    {
      zone(i, at) {
        finders.zone(i, at);
        reveal('zones', i);
      },
      unit(i, at) {
        finders.unit(i, at);
        reveal('units', i);
      },
      visit(i) {
        finders.visit(i, true);
        reveal('visits', i);
      },
      speeding(i, at) {
        finders.stretch({ ...speedingStretch(page, i), at });
        reveal('speeding', i);
      },
    },
    (i, on) => {
      boxes[i]!.checked = on;
    },
  );
  const finders = createFinders(page, layers, selection);
  makeCards(page);
  yield;
  const plain = yield* makeTables(page, tabs, finders, { layers, boxes });
  const showRoute = makeRoute(page, tabs, finders);
  yield;
  const trips = makeTrips(page, tabs, layers, selection);
  yield;
  const timeline = makeTimeline(page, tabs, finders);
  yield;
  const tables = { ...plain, trips: trips.table, timeline: timeline.table };
  byId('gradation').append(...speedKey(page));
  startMapFilter(page, tabs, layers, filteredTables(page, tables));
  yield;
  const replay = yield* startReplay(page, layers);
  view.setLoading(false);
  document.body.removeAttribute('aria-busy');
  startLinks(page, tabs, { finders, trips, timeline, replay, reveal, showRoute });

  /** Shows the row of an item. */
  function reveal(panel: 'visits' | 'zones' | 'units' | 'speeding', i: number): void {
    const table = tables[panel];
    if (table === null) return;
    tabs.choose(panel);
    const row = table.reveal(i);
    if (row !== null) selection.markRow(row);
  }
}

/** Adds the tables without other controls. The first one is visible. */
function* makeTables(
  page: Page,
  tabs: Tabs,
  finders: Finders,
  drawn: { readonly layers: Layers; readonly boxes: readonly HTMLInputElement[] },
): Generator<void, Omit<ReportTables, 'trips' | 'timeline'>, void> {
  const units = unitsTable(page, tabs, finders, drawn);
  yield;
  const visits = visitRowsTable(page, tabs, finders);
  yield;
  const zones = zonesTable(page, tabs, finders);
  yield;
  const mileage = mileageTable(page, tabs);
  yield;
  const rides = ridesTable(page, tabs, finders);
  yield;
  const speeding = speedingTable(page, tabs, finders);
  yield;
  const meetings = meetingsTable(page, tabs, finders);
  yield;
  filesTables(page, tabs);
  yield;
  return { visits, zones, mileage, rides, speeding, meetings, units };
}

function speedKey({ data, words, measures, number }: Page): (HTMLElement | string)[] {
  const kph = (value: number): string => number(measures.speed(value), 0);
  const keys = data.gradation.map(({ max, color }, i) => {
    const from = data.gradation[i - 1]?.max ?? 0;
    const text = max === null ? fill(words.above, { kph: kph(from) }) : fill(words.upTo, { kph: kph(max) });
    return element('span', {}, swatch(color), text);
  });
  return [...keys, ` ${words.kph}`];
}

/** The box of all zones and tracks, whose lines are packed by `packLine`. Yields after each zone and unit. */
function* boundsOfData({ zones, units }: PageData): Generator<void, L.LatLngBounds, void> {
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const add = (packed: readonly number[]): void => {
    let [lat, lon] = [0, 0];
    for (let i = 0; i + 1 < packed.length; i += 2) {
      lat += packed[i]!;
      lon += packed[i + 1]!;
      west = Math.min(west, lon);
      east = Math.max(east, lon);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  };
  for (const { shape, line } of zones) {
    for (const ring of shape.flat()) add(ring);
    if (line !== null) add(line);
    yield;
  }
  for (const { lines } of units) {
    lines.forEach(add);
    yield;
  }
  if (south > north) return L.latLngBounds([]);
  return L.latLngBounds([south / 1e6, west / 1e6], [north / 1e6, east / 1e6]);
}
