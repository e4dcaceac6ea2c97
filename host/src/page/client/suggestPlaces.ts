/** Places where chosen vehicles stood again and again: each is stored as a zone under a name, or dismissed. */

import { zoneOutline } from 'wayzone';
import { button, duration, element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, failureText, labelled, type PageZone } from './app.js';
import { type Box, boxOf } from './boxOf.js';
import type { Position } from './draft.js';
import type { Fleet } from './fleet.js';
import { outlineFeatures } from './outlineFeatures.js';

interface Suggestion {
  readonly shape: Pick<PageZone, 'type' | 'geometry' | 'width'>;
  readonly visits: number;
  readonly days: number;
  readonly units: number;
  readonly medianStaySeconds: number;
}

export interface SuggestEnds {
  readonly saved: (zone: PageZone, tag: string | null) => void;
  readonly closed: () => void;
}

const DAY_MS = 86_400_000;
/** Days of the period: proposed, and the most. */
const DAYS = 14;
const MOST_DAYS = 90;
/** Vehicles that one request may name. */
const MOST_UNITS = 100;
/** A place nearer than this to a dismissed place counts as dismissed; degrees of latitude (75 m). */
const NEAR = 0.000675;

/** The places that were dismissed since the page was opened. */
const dismissed: Suggestion['shape'][] = [];

export function suggestPlaces(app: App, fleet: Fleet, ends: SuggestEnds): HTMLElement {
  const { words, fleetMap, api } = app;
  const days = element('input', { type: 'number', min: '1', max: String(MOST_DAYS), value: String(DAYS) });
  const units = [...fleet.units.values()].map(({ id, name }, i) => {
    const box = element('input', { type: 'checkbox', value: id, checked: i < MOST_UNITS });
    return { box, node: element('label', {}, box, ` ${name}`) };
  });
  const find = button(words.findPlaces, () => void ask(), 'primary');
  const result = element('div');
  result.setAttribute('role', 'status');
  const list = element('ul', { className: 'list places' });
  const view = element(
    'section',
    { className: 'cardview' },
    element('h2', { textContent: words.suggest, tabIndex: -1 }),
    element('p', { className: 'note', textContent: words.suggestHelp }),
    labelled(words.daysBack, days),
    element(
      'fieldset',
      { className: 'units' },
      element('legend', { textContent: words.vehicles }),
      ...units.map(({ node }) => node),
    ),
    find,
    result,
    list,
    element('div', { className: 'tools' }, button(words.close, close)),
  );
  view.setAttribute('aria-label', words.suggest);

  function close(): void {
    fleetMap.set('preview', []);
    ends.closed();
  }
  async function ask(): Promise<void> {
    const to = Date.now();
    const from = to - Math.min(MOST_DAYS, Math.max(1, days.valueAsNumber || DAYS)) * DAY_MS;
    const chosen = units.flatMap(({ box }) => (box.checked ? [{ id: box.value }] : []));
    find.disabled = true;
    show([]);
    result.replaceChildren(element('p', { textContent: words.loading }));
    try {
      const { body } = await api.send<readonly Suggestion[]>('POST', '/geozones/suggest', {
        units: chosen,
        from: String(from),
        to: String(to),
      });
      show(body.filter(({ shape }) => !dismissed.some((other) => isNear(shape, other))));
    } catch (error) {
      result.replaceChildren(element('p', { className: 'problem', textContent: failureText(app, error) }));
    } finally {
      find.disabled = false;
    }
  }
  /** The places that are left, in the list and on the map. */
  function show(places: readonly Suggestion[]): void {
    list.replaceChildren(...places.map((place, i) => itemOf(place, i, places)));
    fleetMap.set(
      'preview',
      places.flatMap(({ shape }) => outlineFeatures(zoneOutline(shape as never) as never)),
    );
    const text = places.length === 0 ? words.noPlaces : fill(words.placesOf, { count: places.length });
    result.replaceChildren(element('p', { textContent: text }));
  }
  function itemOf(place: Suggestion, i: number, places: readonly Suggestion[]): HTMLLIElement {
    const { shape, visits, days: dayCount, units: unitCount, medianStaySeconds } = place;
    const name = element('input', { type: 'text', value: fill(words.placeNumber, { n: i + 1 }) });
    name.setAttribute('aria-label', words.name);
    const rest = (): void => {
      show(places.filter((other) => other !== place));
      find.focus();
    };
    const store = button(words.storePlace, () => void keep(), 'small');
    const problem = element('p', { className: 'problem', hidden: true });
    const keep = async (): Promise<void> => {
      store.disabled = true;
      try {
        const { body, tag } = await api.send<PageZone>('POST', '/geozones', { ...shape, name: name.value });
        ends.saved(body, tag);
        rest();
      } catch (error) {
        store.disabled = false;
        problem.hidden = false;
        problem.textContent = failureText(app, error);
      }
    };
    const facts = fill(words.placeFacts, {
      visits,
      days: dayCount,
      units: unitCount,
      stay: duration(medianStaySeconds * 1000),
      radius: Math.round(shape.width ?? 0),
    });
    return element(
      'li',
      {},
      button(facts, () => fleetMap.show(boxOf(shape) as Box), 'find'),
      element(
        'div',
        { className: 'tools' },
        name,
        store,
        button(words.dismiss, () => {
          dismissed.push(shape);
          rest();
        }),
      ),
      problem,
    );
  }
  setTimeout(() => view.querySelector('h2')!.focus(), 0);
  return view;
}

function isNear(a: Suggestion['shape'], b: Suggestion['shape']): boolean {
  const [lon, lat] = a.geometry[0] as Position;
  const [ownLon, ownLat] = b.geometry[0] as Position;
  const east = (lon - ownLon) * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(east, lat - ownLat) < NEAR;
}
