/** Trips: the plan beside what happened, as a table, as distance over time, and on the map. The graph is that of the report. */

import type { Fix } from 'wayzone';
import { readTrack } from 'wayzone/tracks';
import { planTrip, type TripReport } from 'wayzone/trips';
import {
  button,
  chip,
  createMeasures,
  element,
  fill,
  graphKey,
  offPlan,
  type PageTripPoint,
  pageTrip,
  reportWordsIn,
  TRIPS_STYLE,
  tripGraph,
  wallText,
} from '../../../../src/report/client/shared/index.js';
import { type App, dayNote, failureText, labelled } from './app.js';
import type { PageTrip } from './editTrip.js';
import type { Fleet } from './fleet.js';
import { say } from './say.js';
import { GAP_MS, showTrip } from './showTrip.js';

const MOST_TRIPS = 200;

/** Reports that are asked for at a time, for the statuses of the list. */
const REPORTS_AT_A_TIME = 2;

/** A row of the list. */
interface Row {
  readonly trip: PageTrip;
  readonly state: HTMLElement;
}

export function createTripPanel(app: App, fleet: Fleet): void {
  const { api, words, clock, tabs } = app;
  const reportWords = reportWordsIn(words.language);
  const panel = tabs.panel('trips');
  const today = (): string => clock.text(Date.now()).slice(0, 10);
  const date = element('input', { type: 'date', value: today(), required: true });
  const note = element('p', { className: 'empty' });
  note.setAttribute('role', 'status');
  const list = element('ul', { className: 'list' });
  const detail = element('section', { className: 'cardview' });
  const tools = element('div', { className: 'tools' }, labelled(words.date, date));
  if (app.mayEdit) tools.append(button(words.newTrip, () => void edit(null)));
  const whole = element('div', {}, tools, dayNote(date), note, list);
  panel.append(whole, detail);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(TRIPS_STYLE);
  document.adoptedStyleSheets.push(sheet);

  function setDate(text: string): void {
    date.value = text;
    date.dispatchEvent(new Event('input'));
  }

  let trips: readonly PageTrip[] = [];
  /** Number of trips, of which the page may have fewer. */
  let count = 0;
  let isAsked = false;
  tabs.whenShown('trips', () => {
    // Statuses change while another tab is shown.
    void (isAsked ? showDay() : load());
    isAsked = true;
  });
  async function load(): Promise<void> {
    try {
      const { body } = await api.send<{ readonly max: number; readonly list: readonly PageTrip[] }>(
        'POST',
        '/trips/filter',
        { count: MOST_TRIPS, sortField: 'name' },
      );
      trips = body.list;
      count = body.max;
      setDate(nearestDay());
    } catch (error) {
      isAsked = false;
      say(failureText(app, error));
    }
  }
  /** The chosen day if a trip has a run on it; else the last day with a run before it, else the first. */
  function nearestDay(): string {
    const days = trips.flatMap(({ dates }) => dates.map((one) => one.slice(0, 10))).sort();
    const chosen = date.value === '' ? today() : date.value;
    return days.filter((day) => day <= chosen).at(-1) ?? days[0] ?? chosen;
  }

  let statuses = new AbortController();
  date.addEventListener('input', () => void showDay());
  /** Lists the runs of the chosen day, with the status of each. */
  async function showDay(): Promise<void> {
    statuses.abort();
    statuses = new AbortController();
    const { signal } = statuses;
    const day = date.value;
    const ofDay = trips.filter(({ dates }) => dates.some((one) => one.startsWith(day)));
    const rows = ofDay.map((trip): Row => ({ trip, state: element('span', { textContent: '…' }) }));
    note.textContent = ofDay.length === 0 ? words.noTrips : '';
    if (trips.length < count) note.textContent = fill(words.countOf, { count: trips.length, all: count });
    note.hidden = note.textContent === '';
    list.replaceChildren(
      ...rows.map(({ trip, state }) =>
        element(
          'li',
          {},
          button(trip.name, () => void open(trip), 'find'),
          ' ',
          state,
          element('p', { className: 'note', textContent: fleet.nameOf(trip.unit.id) }),
        ),
      ),
    );
    const waiting = rows.values();
    const read = async (): Promise<void> => {
      for (const { trip, state } of waiting) {
        if (signal.aborted) return;
        try {
          const { status } = await reportOf(trip, day);
          state.replaceWith(chip(reportWords, status));
        } catch (error) {
          state.textContent = failureText(app, error);
        }
      }
    };
    await Promise.all(Array.from({ length: REPORTS_AT_A_TIME }, read));
  }

  async function reportOf(trip: PageTrip, day: string): Promise<TripReport> {
    const query = new URLSearchParams({ date: day });
    const { body } = await api.get<TripReport>(`/trips/${encodeURIComponent(trip.id)}/report?${query}`);
    return body;
  }

  /** Shows the form of a trip; null: of a new one. */
  async function edit(trip: PageTrip | null): Promise<void> {
    const showSaved = async (id: string, day: string): Promise<void> => {
      close();
      date.value = day;
      await load();
      const saved = trips.find((one) => one.id === id);
      if (saved !== undefined) await open(saved);
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
          close();
          void load();
        },
        closed: close,
        changed: (points) => showTrip(app, { points }, []),
      });
      detail.replaceChildren(form);
      whole.hidden = true;
    } catch (error) {
      say(failureText(app, error));
    }
  }

  async function open(trip: PageTrip): Promise<void> {
    try {
      const report = await reportOf(trip, date.value);
      const span = new URLSearchParams({ from: String(report.window.from), to: String(report.window.to) });
      const { body: track } = await api.get<{ readonly points: readonly Fix[] }>(
        `/units/${encodeURIComponent(trip.unit.id)}/track?${span}`,
      );
      draw(trip, report, track.points);
      whole.hidden = true;
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
    whole.hidden = false;
    detail.replaceChildren();
    drawOnMap = null;
    clearMap();
    void showDay();
    date.focus();
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
    const change = app.mayEdit ? [button(words.edit, () => void edit(trip))] : [];
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
      element('div', { className: 'tools' }, ...change, button(words.close, close)),
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
      const time = (at: number | null): string => (at === null ? '' : wallText(shown, at));
      const span = (from: number | null, to: number | null): HTMLElement =>
        element('span', { className: 'times', textContent: `${time(from)} – ${time(to)}`.trim() });
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
          cell(span(point.plannedArrival, point.plannedDeparture)),
          cell(
            span(point.arrival, point.departure),
            ' ',
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
