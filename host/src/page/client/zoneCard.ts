/** The card of a zone: its measures, who is inside, its last visits, its hours and its limit. */

import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, failureText, type PageZone, timeText, typeText } from './app.js';
import type { Fleet } from './fleet.js';

const WEEK_MS = 7 * 86_400_000;
/** Square metres from which areas are shown in km². */
const LARGE = 1e6;
const MOST_SPANS = 14;

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Visit {
  readonly unitId: string;
  readonly enter: number;
  readonly exit: number | null;
}

export interface ZoneCard {
  readonly node: HTMLElement;
  /** Shows again who is inside. */
  readonly moved: () => void;
  /** Shows the visits again if this event is of the zone. */
  readonly visited: (zoneId: string) => void;
}

/** `isCurrent`: whether the positions know the zone as it is; `actions`: buttons below the card. */
export function createZoneCard(
  app: App,
  fleet: Fleet,
  zone: PageZone,
  isCurrent: () => boolean,
  actions: readonly HTMLElement[],
): ZoneCard {
  const { words, number } = app;
  const heading = element('h2', { textContent: zone.name, tabIndex: -1 });
  const facts = element('dl', { className: 'facts' });
  const fact = (name: string, value: string): void => {
    facts.append(element('dt', { textContent: name }), element('dd', { textContent: value }));
  };
  const { key } = zone.type;
  fact(words.type, typeText(words, key));
  if (zone.area != null) fact(words.area, areaText(app, zone.area));
  if (zone.perimeter != null) fact(words.perimeter, `${number(zone.perimeter, 0)} ${words.meters}`);
  if (zone.width != null && key !== 'polygon')
    fact(key === 'line' ? words.width : words.radius, `${number(zone.width, 0)} ${words.meters}`);
  fact(words.limit, zone.speed_limit == null ? words.noLimit : `${number(zone.speed_limit, 0)} ${words.kph}`);
  const inside = element('ul', { className: 'list' });
  const visits = element('ul', { className: 'list' });
  const hours = element('ul', { className: 'list' });

  const moved = (): void => {
    const units = [...fleet.units.values()].filter(({ last }) => last?.zoneIds.includes(zone.id));
    const texts = units.length === 0 ? [words.nobody] : units.map(({ name }) => name);
    fillList(inside, isCurrent() ? texts : ['…']);
  };
  moved();
  const visited = (zoneId: string): void => {
    if (zoneId === zone.id) void showVisits(app, fleet, zone, visits);
  };
  visited(zone.id);
  void showHours(app, zone, hours);
  const node = element(
    'section',
    { className: 'cardview' },
    heading,
    facts,
    element('h3', { textContent: words.inside }),
    inside,
    element('h3', { textContent: words.lastVisits }),
    visits,
    element('h3', { textContent: words.hours }),
    hours,
    element('div', { className: 'tools' }, ...actions),
  );
  node.setAttribute('aria-label', zone.name);
  return { node, moved, visited };
}

export function areaText({ words, number }: Pick<App, 'words' | 'number'>, area: number): string {
  return area < LARGE
    ? `${number(area, 0)} ${words.squareMeters}`
    : `${number(area / LARGE, 2)} ${words.squareKilometers}`;
}

/** Replaces the items only if their texts are others. */
function fillList(list: HTMLElement, texts: readonly string[]): void {
  const same =
    list.children.length === texts.length && texts.every((text, i) => list.children[i]!.textContent === text);
  if (!same) list.replaceChildren(...texts.map((textContent) => element('li', { textContent })));
}

async function showVisits(app: App, fleet: Fleet, { id }: PageZone, list: HTMLElement): Promise<void> {
  const { api, words, clock } = app;
  try {
    const { body } = await api.get<readonly Visit[]>(`/geozones/${encodeURIComponent(id)}/visits`);
    const texts = body.map(({ unitId, enter, exit }) => {
      const end = exit === null ? words.still : timeText(clock, exit);
      return `${fleet.nameOf(unitId)}: ${timeText(clock, enter)} – ${end}`;
    });
    fillList(list, texts.length === 0 ? [words.noVisits] : texts);
  } catch (error) {
    fillList(list, [failureText(app, error)]);
  }
}

async function showHours(app: App, { id, hours }: PageZone, list: HTMLElement): Promise<void> {
  const { api, words, clock } = app;
  if (hours == null) return fillList(list, [words.always]);
  const from = Date.now();
  const query = new URLSearchParams({ from: String(from), to: String(from + WEEK_MS) });
  try {
    const { body } = await api.get<readonly Span[]>(`/geozones/${encodeURIComponent(id)}/hours?${query}`);
    const texts = body
      .slice(0, MOST_SPANS)
      .map((span) => `${clock.text(span.from).slice(5, 16)} – ${clock.text(span.to).slice(5, 16)}`);
    fillList(list, texts.length === 0 ? [words.closed] : texts);
  } catch (error) {
    fillList(list, [failureText(app, error)]);
  }
}

/** A button that asks before it calls `act`. */
export function sureButton(
  { words }: Pick<App, 'words'>,
  text: string,
  name: string,
  act: () => void,
): HTMLElement {
  const ask = button(text, () => {
    const sure = button(fill(words.removeSure, { name }), act, 'small bad');
    const back = button(words.cancel, () => {
      sure.replaceWith(ask);
      back.remove();
      ask.focus();
    });
    ask.replaceWith(sure);
    sure.after(back);
    sure.focus();
  });
  return ask;
}
