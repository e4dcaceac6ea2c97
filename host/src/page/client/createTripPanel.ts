/** Trips: the plan beside what happened, as a table, as distance over time, and on the map. The graph is that of the report. */

import type { Feature } from 'geojson';
import type { Fix } from 'wayzone';
import { type ZoneShape, zoneOutline } from 'wayzone';
import { readTrack } from 'wayzone/tracks';
import { planTrip, type TripInput, type TripReport } from 'wayzone/trips';
import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { createMeasures } from '../../../../src/report/client/measures.js';
import { graphKey, tripGraph } from '../../../../src/report/client/tripGraph.js';
import { chip, offPlan, wallText } from '../../../../src/report/client/tripTexts.js';
import type { PageTripPoint } from '../../../../src/report/pageTrip.js';
import { pageTrip } from '../../../../src/report/pageTrip.js';
import { reportWordsIn } from '../../../../src/report/reportWordsIn.js';
import { TRIPS_STYLE } from '../../../../src/report/tripsStyle.js';
import { type App, failureText, labelled } from './app.js';
import { boxOfPositions } from './boxOf.js';
import { say } from './say.js';

type Trip = TripInput & {
  readonly id: string;
  readonly name: string;
  readonly unit: { readonly id: string };
};

const MOST_TRIPS = 200;
/** Milliseconds without a fix after which the drawn way has a gap. */
const GAP_MS = 600_000;

export function createTripPanel(app: App): void {
  const { api, words, clock, tabs } = app;
  const panel = tabs.panel('trips');
  const choice = element('select');
  const date = element('input', { type: 'date', value: clock.text(Date.now()).slice(0, 10), required: true });
  const empty = element('p', { className: 'empty', textContent: words.noTrips, hidden: true });
  const detail = element('section', { className: 'cardview' });
  const show = button(words.showTrip, () => void open());
  const tools = element(
    'div',
    { className: 'tools' },
    labelled(words.trips, choice),
    labelled(words.date, date),
    show,
  );
  panel.append(tools, empty, detail);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(TRIPS_STYLE);
  document.adoptedStyleSheets.push(sheet);

  let trips: readonly Trip[] = [];
  let isAsked = false;
  tabs.whenShown('trips', () => {
    if (!isAsked) void load();
    isAsked = true;
  });
  async function load(): Promise<void> {
    try {
      const { body } = await api.send<{ readonly list: readonly Trip[] }>('POST', '/trips/filter', {
        count: MOST_TRIPS,
        sortField: 'name',
      });
      trips = body.list;
      choice.replaceChildren(
        ...trips.map(({ id, name }) => element('option', { value: id, textContent: name })),
      );
      empty.hidden = trips.length > 0;
      tools.hidden = trips.length === 0;
    } catch (error) {
      isAsked = false;
      say(failureText(app, error));
    }
  }

  async function open(): Promise<void> {
    const trip = trips.find(({ id }) => id === choice.value);
    if (trip === undefined || !date.reportValidity()) return;
    try {
      const query = new URLSearchParams({ date: date.value });
      const { body: report } = await api.get<TripReport>(
        `/trips/${encodeURIComponent(trip.id)}/report?${query}`,
      );
      const span = new URLSearchParams({ from: String(report.window.from), to: String(report.window.to) });
      const { body: track } = await api.get<{ readonly points: readonly Fix[] }>(
        `/units/${encodeURIComponent(trip.unit.id)}/track?${span}`,
      );
      draw(trip, report, track.points);
    } catch (error) {
      say(failureText(app, error));
    }
  }

  function close(): void {
    detail.replaceChildren();
    app.fleetMap.set('plan', []);
    app.fleetMap.set('happened', []);
    choice.focus();
  }

  function draw(trip: Trip, report: TripReport, fixes: readonly Fix[]): void {
    const { points: plan } = planTrip(trip, report.date, { timeZone: report.timeZone });
    const shown = pageTrip(
      { name: trip.name, report, plan, shapes: [] },
      0,
      readTrack(fixes, { readAt: Date.now() }),
      0,
      GAP_MS,
      words.language,
    );
    const reportWords = reportWordsIn(words.language);
    const graph = element('div');
    const heading = element(
      'h2',
      { textContent: `${trip.name} `, tabIndex: -1 },
      chip(reportWords, shown.status),
    );
    detail.replaceChildren(
      heading,
      element('p', { textContent: shown.text }),
      graph,
      graphKey(reportWords),
      pointTable(shown.points),
      element('div', { className: 'tools' }, button(words.close, close)),
    );
    graph.append(
      tripGraph(
        { words: reportWords, measures: createMeasures('km') },
        shown,
        Math.max(280, detail.clientWidth - 20),
      ),
    );
    showOnMap(app, trip, fixes);
    heading.focus();

    function pointTable(points: readonly PageTripPoint[]): HTMLElement {
      const cell = (...children: (Node | string)[]): HTMLElement => element('td', {}, ...children);
      const time = (at: number | null): string => (at === null ? '–' : wallText(shown, at));
      const late = (seconds: number | null): string =>
        seconds === null ? '' : ` (${offPlan(reportWords, seconds)})`;
      const rows = points.map((point, i) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row', textContent: `${i + 1} ${point.name}` }),
          cell(`${time(point.plannedArrival)} – ${time(point.plannedDeparture)}`),
          cell(
            `${time(point.arrival)}${late(point.arrivalSeconds)} – ${time(point.departure)}${late(point.departureSeconds)} `,
            chip(reportWords, point.status),
          ),
        ),
      );
      const heads = [words.name, words.plan, words.happened].map((textContent) =>
        element('th', { scope: 'col', textContent }),
      );
      const table = element(
        'table',
        { className: 'points' },
        element('caption', { textContent: fill(words.pointsOf, { trip: trip.name }) }),
        element('thead', {}, element('tr', {}, ...heads)),
        element('tbody', {}, ...rows),
      );
      return element('div', { className: 'scroll', tabIndex: 0 }, table);
    }
  }
}

/** The planned points as areas with their numbers, and the way that the unit took. */
function showOnMap({ fleetMap }: App, trip: Trip, fixes: readonly Fix[]): void {
  const plan: Feature[] = trip.points.flatMap((point, i) => {
    const shape = point as unknown as ZoneShape & { readonly coordinates?: ZoneShape['geometry'] };
    const whole = { ...shape, geometry: shape.geometry ?? shape.coordinates! };
    const place: Feature = {
      type: 'Feature',
      properties: { number: String(i + 1) },
      geometry: { type: 'Point', coordinates: [...whole.geometry[0]!] },
    };
    try {
      return [place, { type: 'Feature', properties: {}, geometry: zoneOutline(whole) as never }];
    } catch {
      // A bare position has no outline.
      return [place];
    }
  });
  const lines: [number, number][][] = [];
  fixes.forEach(({ lon, lat, time }, i) => {
    const before = fixes[i - 1];
    if (before === undefined || time - before.time > GAP_MS) lines.push([]);
    lines.at(-1)!.push([lon, lat]);
  });
  fleetMap.set('plan', plan);
  fleetMap.set('happened', [
    { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: lines } },
  ]);
  const places = trip.points.map(
    (point) => (point.geometry ?? (point as { coordinates?: ZoneShape['geometry'] }).coordinates)![0]!,
  );
  const box = boxOfPositions([
    ...places.map(([lon, lat]): [number, number] => [lon!, lat!]),
    ...fixes.map(({ lon, lat }): [number, number] => [lon, lat]),
  ]);
  if (box !== null) fleetMap.show(box);
}
