/** The trips: a table of runs, and for the selected run its points and its graph. */

import type { PageTrip } from '../pageTrip.js';
import { amountColumn, column } from './column.js';
import type { Layers } from './layers.js';
import type { Page } from './page.js';
import type { Selection } from './selection.js';
import { button, element, type Tabs } from './shared/dom.js';
import { clockOf, fill, wordOf } from './shared/formats.js';
import {
  amount,
  chip,
  colouredChip,
  graphKey,
  offPlan,
  seenText,
  tripGraph,
  wallText,
} from './shared/tripGraph.js';
import { makeTable, type Table } from './table.js';
import { createTripMap } from './tripMap.js';

export interface Trips {
  readonly table: Table;
  /** Shows a run, and one of its points unless `point` is null. */
  readonly open: (i: number, point: number | null) => void;
}

export function makeTrips(page: Page, tabs: Tabs, layers: Layers, selection: Selection): Trips {
  const { data, words } = page;
  const panel = tabs.panel('trips');
  const detail = element('section', { className: 'detail' });
  detail.setAttribute('aria-label', words.chosenTrip);
  const map = createTripMap(page, layers, selection, (trip, i) => {
    tabs.choose('trips');
    if (shown !== trip) show(trip);
    markPoint(i);
  });
  const markPoint = (i: number): void => {
    const row = detail.querySelectorAll('table.points tbody tr')[i];
    row?.scrollIntoView({ block: 'nearest' });
    if (row !== undefined) selection.markRow(row);
  };
  let shown = data.trips[0];
  const show = (trip: PageTrip): void => {
    shown = trip;
    const graph = element('div');
    detail.replaceChildren(
      heading(page, trip),
      element('p', { textContent: trip.text }),
      element('p', { className: 'note', textContent: factsOf(page, trip).join(' · ') }),
      graph,
      graphKey(words),
      pointsTable(page, trip, (i) => map.point(trip, i)),
      button(words.showOnMap, () => map.trip(trip)),
    );
    graph.append(tripGraph(page, trip, Math.max(280, detail.clientWidth - 20)));
  };
  const table = runsTable(page, panel, (trip) => {
    show(trip);
    map.trip(trip);
  });
  if (shown !== undefined) {
    panel.append(detail);
    tabs.whenShown('trips', () => show(shown!));
    // The tab may have been chosen already while the page was loading.
    if (!panel.hidden) show(shown);
  }
  return {
    table,
    open(i, point) {
      const trip = data.trips[i]!;
      shown = trip;
      tabs.choose('trips');
      const row = table.reveal(i);
      if (point === null || trip.points[point] === undefined) map.trip(trip);
      else {
        map.point(trip, point);
        markPoint(point);
      }
      if (row !== null) selection.markRow(row);
    },
  };
}

/** Adds the table of all runs. `open`: called on a click on a run. */
function runsTable(page: Page, panel: HTMLElement, open: (trip: PageTrip) => void): Table {
  const { data, words, number, measures } = page;
  const text = (value: string): string => wordOf(words, value);
  return makeTable<PageTrip>(panel, words, {
    what: words.trips.toLowerCase(),
    rows: data.trips,
    open: (i) => open(data.trips[i]!),
    empty: words.noTrips,
    filters: [{ label: words.status, value: (t) => t.status, text }],
    columns: [
      column(words.trip, 'text', (t) => t.name),
      column(words.unit, 'text', (t) => t.unitId),
      column(words.date, 'time', (t) => t.date),
      {
        ...column<PageTrip, PageTrip['status']>(words.status, '', (t) => t.status, text),
        draw: (trip) => chip(words, trip.status),
      },
      column(
        words.passed,
        'num',
        (t) => t.passed / t.points.length,
        (_, t) => `${t.passed}/${t.points.length}`,
      ),
      column(words.onTime, 'num', (t) => t.onTime),
      column(words.violations, 'num', (t) => t.violations),
      amountColumn(words.km, (t) => t.meters, measures.way, number, 1),
      column(words.uncertain, 'num', (t) => t.uncertain),
      column(words.withoutData, 'num', (t) => t.noData),
    ],
  });
}

function heading({ words }: Page, trip: PageTrip): HTMLElement {
  const head = element('h2', { textContent: `${trip.name} ` }, chip(words, trip.status));
  if (trip.activation === 'assumed') head.append(' ', chip(words, 'assumed'));
  return head;
}

function factsOf({ words, number, measures }: Page, trip: PageTrip): string[] {
  const facts = [
    trip.unitId,
    trip.date,
    wordOf(words, trip.order),
    fill(words.pointsPassed, { count: trip.passed, all: trip.points.length }),
    `${words.onTime}: ${trip.onTime}`,
    ...(trip.uncertain > 0 ? [`${words.uncertain}: ${trip.uncertain}`] : []),
    ...(trip.noData > 0 ? [`${words.withoutData}: ${trip.noData}`] : []),
    `${words.violations}: ${trip.violations}`,
  ];
  if (trip.activatedAt !== null) facts.push(`${words.activated} ${wallText(trip, trip.activatedAt)}`);
  if (trip.finishedAt !== null) facts.push(`${words.finished} ${wallText(trip, trip.finishedAt)}`);
  if (trip.meters !== null) facts.push(`${number(measures.way(trip.meters), 1)} ${words.km}`);
  facts.push(fill(words.timesIn, { zone: clockOf(trip.timeZone).name }));
  return facts;
}

function pointsTable({ words }: Page, trip: PageTrip, open: (i: number) => void): HTMLElement {
  const rows = trip.points.map((point, i) => {
    const name = point.name || fill(words.pointNumber, { number: i + 1 });
    const row = element('tr', { title: point.text });
    const act = (): void => {
      open(i);
      row.classList.add('hit');
    };
    const opener = button(name, act, 'find');
    if (point.name) {
      opener.setAttribute('aria-label', `${point.name}, ${fill(words.pointNumber, { number: i + 1 })}`);
    }
    const status = element('td', {}, chip(words, point.status));
    if (point.outOfOrder) status.append(' ', chip(words, 'out_of_order'));
    if (point.overdueSeconds !== null) {
      const time = amount(words, point.overdueSeconds);
      status.append(' ', colouredChip('bad', fill(words.overdueBy, { time })));
    }
    const arrival = timeCell(
      trip,
      point.plannedArrival,
      point.arrival,
      point.arrivalBounds,
      point.arrivalStatus,
      point.arrivalSeconds,
    );
    if (point.predictedArrival !== null) {
      const isLate = point.window !== null && point.predictedArrival > point.window[1];
      const time = wallText(trip, point.predictedArrival);
      arrival.append(' ', colouredChip(isLate ? 'bad' : 'wait', fill(words.expectedAt, { time })));
    }
    row.append(
      element('td', { className: 'num', textContent: String(i + 1) }),
      element('td', { className: 'text' }, opener),
      status,
      arrival,
      timeCell(
        trip,
        point.plannedDeparture,
        point.departure,
        point.departureBounds,
        point.departureStatus,
        point.departureSeconds,
      ),
    );
    return row;
  });
  /** A cell with the planned time, the actual time and the deviation. */
  function timeCell(
    { timeZone, date }: PageTrip,
    planned: number | null,
    actual: number | null,
    bounds: readonly [number, number] | null,
    status: string | null,
    seconds: number | null,
  ): HTMLElement {
    const cell = element('td', { className: 'plan' });
    const text = (time: number): string => wallText({ timeZone, date }, time);
    if (planned !== null)
      cell.append(element('span', { className: 'note', textContent: `${text(planned)} → ` }));
    cell.append(actual === null ? '–' : seenText(words, { timeZone, date }, actual, bounds));
    if (status !== null)
      cell.append(' ', chip(words, status, seconds === null ? '' : offPlan(words, seconds)));
    return cell;
  }
  const heads = ['#', words.point, words.status, words.arrival, words.departure].map((textContent) =>
    element('th', { scope: 'col', textContent }),
  );
  return element(
    'div',
    { className: 'scroll' },
    element(
      'table',
      { className: 'points' },
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows),
    ),
  );
}
