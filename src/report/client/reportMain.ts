/** The script of the report's page. */

import { meetingsTable, ridesTable, speedingTable } from './conductTables.js';
import { byId, element } from './dom.js';
import { createFinders } from './finders.js';
import { fill } from './formats.js';
import { createLayers } from './layers.js';
import { linkNames } from './links.js';
import { makeProblems } from './makeProblems.js';
import { makeRoute } from './makeRoute.js';
import { makeTimeline } from './makeTimeline.js';
import { makeTrips } from './makeTrips.js';
import { mileageTable } from './mileageTable.js';
import { movesOf } from './movesOf.js';
import { createPage, type Page, placeText } from './page.js';
import { createSelection } from './selection.js';
import { speedingStretch } from './speedingStretch.js';
import { startBasemap } from './startBasemap.js';
import { type FilteredTable, startMapFilter } from './startMapFilter.js';
import { startReplay } from './startReplay.js';
import type { Table } from './table.js';
import { filesTables, makeCards, swatch, unitBoxes, unitsTable, visitsTable, zonesTable } from './tables.js';
import { createTabs } from './tabs.js';

const page = createPage();
const { data, words, view, links } = page;
const tabs = createTabs();
const selection = createSelection({
  view,
  close: words.close,
  onLink: links.set,
  placeText: (lat, lon) => placeText(page, lat, lon),
});
const boxes = unitBoxes(page, (i, on) => layers.showUnits([i], on));
makeProblems(page);
startBasemap(page);
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
const mileage = mileageTable(page, tabs);
const rides = ridesTable(page, tabs, finders);
const speeding = speedingTable(page, tabs, finders);
const meetings = meetingsTable(page, tabs, finders);
const showRoute = makeRoute(page, tabs, finders);
const units = unitsTable(page, tabs, finders, { layers, boxes });
filesTables(page, tabs);
const trips = makeTrips(page, tabs, layers, selection);
const timeline = makeTimeline(page, tabs, finders);
byId('gradation').append(...speedKey(page));
view.start([...layers.zones, ...layers.tracks], data.basemap === null, words);
startMapFilter(page, tabs, layers, filteredTables());
const replay = startReplay(page, layers);
startLinks();

/** Shows the row of the item that was clicked on the map. */
function reveal(panel: string, table: Table, i: number): void {
  tabs.choose(panel);
  const row = table.reveal(i);
  if (row !== null) selection.markRow(row);
}

/** What the rows of each table are about. */
function filteredTables(): FilteredTable[] {
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
    { panel: 'trips', table: trips.table, items: (i) => ({ units: known([data.trips[i]!.unit]) }) },
    { panel: 'timeline', table: timeline.table, items: (i) => ({ units: [moves[i]!.unit] }) },
  ];
  return list.filter((item) => item !== null);
}

/** What a link into the report opens. Items are named by their own ids, so that they are found in any order of rows. */
function startLinks(): void {
  const names = linkNames(data);
  const numbers = <T>(items: readonly T[], nameOf: (i: number) => string): ((name: string) => number) => {
    let known: Map<string, number> | null = null;
    return (name) => {
      // Of equal names the first is kept.
      known ??= new Map(items.map((_, i) => [nameOf(i), i] as const).reverse());
      return known.get(name) ?? -1;
    };
  };
  const on = (
    key: string,
    numberOf: (name: string) => number,
    open: (i: number, rest: URLSearchParams) => void,
  ): void =>
    links.on(key, (name, rest) => {
      const i = numberOf(name);
      if (i >= 0) open(i, rest);
      return i >= 0;
    });
  const timeOf = (rest: URLSearchParams): number | null => {
    const time = Date.parse(rest.get('t') ?? '');
    return Number.isNaN(time) ? null : time;
  };
  links.on('tab', (name) => {
    if (document.getElementById(`tab-${name}`) === null) return false;
    if (name !== 'timeline') tabs.choose(name);
    if (name === 'read') byId('panel-read').scrollIntoView({ block: 'nearest' });
    return true;
  });
  on('trip', numbers(data.trips, names.trip), (i, rest) => {
    const point = Number(rest.get('point') ?? 0);
    trips.open(i, point > 0 ? point - 1 : null);
  });
  on('visit', numbers(data.visits, names.visit), (i, rest) => {
    finders.visit(i);
    if (rest.get('tab') === 'timeline') timeline.reveal(data.visits[i]![0], timeOf(rest));
    else reveal('visits', visits, i);
  });
  on('speeding', numbers(data.conduct.speeding ?? [], names.speeding), (i, rest) => {
    finders.stretch(speedingStretch(page, i));
    if (rest.get('tab') === 'timeline') timeline.reveal(data.conduct.speeding![i]![0], timeOf(rest));
    else if (speeding !== null) reveal('speeding', speeding, i);
  });
  on(
    'unit',
    numbers(data.units, (i) => data.units[i]!.id),
    (i, rest) => {
      finders.unit(i);
      if (rest.get('tab') === 'route') showRoute?.(i);
      else if (rest.get('tab') === 'timeline') timeline.reveal(i, timeOf(rest));
      else reveal('units', units, i);
    },
  );
  on(
    'zone',
    numbers(data.zones, (i) => data.zones[i]!.id),
    (i) => {
      finders.zone(i);
      reveal('zones', zones, i);
    },
  );
  links.on('t', (text) => replay.show(Date.parse(text)));
  const unknown = element('p', { className: 'unread', textContent: words.linkUnknown });
  unknown.setAttribute('role', 'alert');
  links.start(() => byId('problems').prepend(unknown));
}

function speedKey({ measures, number }: Page): (HTMLElement | string)[] {
  const kph = (value: number): string => number(measures.speed(value), 0);
  const keys = data.gradation.map(({ max, color }, i) => {
    const from = data.gradation[i - 1]?.max ?? 0;
    const text = max === null ? fill(words.above, { kph: kph(from) }) : fill(words.upTo, { kph: kph(max) });
    return element('span', {}, swatch(color), text);
  });
  return [...keys, ` ${words.kph}`];
}
