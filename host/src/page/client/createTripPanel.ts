/** Trips: the plan beside what happened, as a table, as distance over time, and on the map. The graph is that of the report. */

import type { Fix } from 'wayzone';
import { readTrack } from 'wayzone/tracks';
import { planTrip, type TripReport } from 'wayzone/trips';
import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { createMeasures } from '../../../../src/report/client/measures.js';
import { graphKey, tripGraph } from '../../../../src/report/client/tripGraph.js';
import { chip, offPlan, wallText } from '../../../../src/report/client/tripTexts.js';
import type { PageTripPoint } from '../../../../src/report/pageTrip.js';
import { pageTrip } from '../../../../src/report/pageTrip.js';
import { reportWordsIn } from '../../../../src/report/reportWordsIn.js';
import { TRIPS_STYLE } from '../../../../src/report/tripsStyle.js';
import { type App, dayNote, failureText, labelled } from './app.js';
import type { PageTrip } from './editTrip.js';
import type { Fleet } from './fleet.js';
import { say } from './say.js';
import { GAP_MS, showTrip } from './showTrip.js';

const MOST_TRIPS = 200;
export function createTripPanel(app: App, fleet: Fleet): void {
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
  const change = button(words.edit, () => void edit(trips.find(({ id }) => id === choice.value) ?? null));
  if (app.mayEdit) tools.append(change);
  const actions = app.mayEdit
    ? [
        element(
          'div',
          { className: 'tools' },
          button(words.newTrip, () => void edit(null)),
        ),
      ]
    : [];
  const dateInWords = dayNote(date);
  const whole = element('div', {}, ...actions, tools, dateInWords, empty);
  panel.append(whole, detail);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(TRIPS_STYLE);
  document.adoptedStyleSheets.push(sheet);

  function setDate(text: string): void {
    date.value = text;
    date.dispatchEvent(new Event('input'));
  }

  let trips: readonly PageTrip[] = [];
  let isAsked = false;
  tabs.whenShown('trips', () => {
    if (!isAsked) void load();
    isAsked = true;
  });
  async function load(): Promise<void> {
    try {
      const { body } = await api.send<{ readonly list: readonly PageTrip[] }>('POST', '/trips/filter', {
        count: MOST_TRIPS,
        sortField: 'name',
      });
      trips = body.list;
      choice.replaceChildren(
        ...trips.map(({ id, name }) => element('option', { value: id, textContent: name })),
      );
      empty.hidden = trips.length > 0;
      tools.hidden = trips.length === 0;
      dateInWords.hidden = tools.hidden;
      chooseDay();
    } catch (error) {
      isAsked = false;
      say(failureText(app, error));
    }
  }
  /** Chooses the last day of the trip until today, else its first, unless it has a run on the chosen one. */
  function chooseDay(): void {
    const days = (trips.find(({ id }) => id === choice.value)?.dates ?? [])
      .map((one) => one.slice(0, 10))
      .sort();
    if (days.length === 0 || days.includes(date.value)) return;
    const today = clock.text(Date.now()).slice(0, 10);
    setDate(days.filter((day) => day <= today).at(-1) ?? days[0]!);
  }
  choice.addEventListener('change', chooseDay);

  /** Shows the form of a trip; null: of a new one. */
  async function edit(trip: PageTrip | null): Promise<void> {
    const end = (): void => {
      whole.hidden = false;
      close();
    };
    const showSaved = async (id: string, day: string): Promise<void> => {
      end();
      await load();
      choice.value = id;
      setDate(day);
      await open();
    };
    try {
      const { editTrip } = await import('./editTrip.js');
      const { body, tag } =
        trip === null
          ? { body: null, tag: null }
          : await api.get<PageTrip>(`/trips?${new URLSearchParams({ ids: trip.id })}`);
      const form = editTrip(app, fleet, body, tag, {
        saved: ({ id, dates }) => void showSaved(id, dates[0]!.slice(0, 10)),
        removed() {
          end();
          void load();
        },
        closed: end,
        changed: (points) => showTrip(app, { points }, []),
      });
      detail.replaceChildren(form);
      whole.hidden = true;
    } catch (error) {
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

  /** Draws the shown trip on the map again. */
  let drawOnMap: (() => void) | null = null;
  function clearMap(): void {
    app.fleetMap.set('plan', []);
    app.fleetMap.set('happened', []);
  }
  // The map shows a trip only beside its panel.
  tabs.onChoose(() => (tabs.chosen() === 'trips' ? drawOnMap?.() : clearMap()));

  function close(): void {
    detail.replaceChildren();
    drawOnMap = null;
    clearMap();
    choice.focus();
  }

  function draw(trip: PageTrip, report: TripReport, fixes: readonly Fix[]): void {
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
    drawOnMap = showTrip(app, trip, fixes);
    heading.focus();

    function pointTable(points: readonly PageTripPoint[]): HTMLElement {
      const cell = (...children: (Node | string)[]): HTMLElement => element('td', {}, ...children);
      const time = (at: number | null): string => (at === null ? '–' : wallText(shown, at));
      /** Violations of a point; else its status. */
      const chipsOf = (i: number, status: string): HTMLElement[] => {
        const wrong = report.violations.filter(({ pointIndex }) => pointIndex === i);
        if (wrong.length === 0) return [chip(reportWords, status)];
        return wrong.map(({ type, which, seconds }) => {
          const own = chip(reportWords, type, seconds === null ? '' : offPlan(reportWords, seconds));
          if (which !== null) own.prepend(`${reportWords[which]}: `);
          return own;
        });
      };
      const rows = points.map((point, i) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row', textContent: `${i + 1} ${point.name}` }),
          cell(`${time(point.plannedArrival)} – ${time(point.plannedDeparture)}`),
          cell(
            `${time(point.arrival)} – ${time(point.departure)} `,
            ...chipsOf(i, point.status).flatMap((own) => [own, ' ']),
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
