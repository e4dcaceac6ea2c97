/** The list of zones: searched and filtered by the host, a page at a time; the same filter on the map. */

import type { ExpressionSpecification } from 'maplibre-gl';
import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, failureText, type PageZone, typeText } from './app.js';
import { say } from './say.js';

const PAGE = 50;
/** Milliseconds after the last key before the host is asked. */
const WAIT_MS = 250;
const TYPES = ['point', 'circle', 'line', 'polygon'] as const;
/** Filter of the map. Zones with `is_show_on_map: false` appear in the list only. */
const SHOWN_ON_MAP: ExpressionSpecification = ['!=', ['get', 'is_show_on_map'], false];
const LAYERS = ['zone-area', 'zone-border', 'zone-point', 'zone-text'] as const;

export interface ZonePanel {
  readonly list: HTMLElement;
  readonly refresh: () => void;
  /** Puts a view in the place of the list, or the list back. */
  readonly replace: (view: HTMLElement | null) => void;
}

export function createZonePanel(
  app: App,
  open: (id: string) => void,
  actions: readonly HTMLElement[],
): ZonePanel {
  const { api, words, tabs, fleetMap } = app;
  const panel = tabs.panel('zones');
  const search = element('input', { type: 'search', placeholder: words.search });
  search.setAttribute('aria-label', words.search);
  const type = element('select', {}, element('option', { value: '', textContent: words.allTypes }));
  type.setAttribute('aria-label', words.type);
  for (const key of TYPES) type.append(element('option', { value: key, textContent: words[key] }));
  const count = element('span', { className: 'note' });
  count.setAttribute('role', 'status');
  const list = element('ul', { className: 'list' });
  const empty = element('p', { className: 'empty', textContent: words.noZones, hidden: true });
  const more = button('', () => void load(list.children.length), 'more');
  more.hidden = true;
  const view = element('div', { className: 'view', hidden: true });
  const whole = element(
    'div',
    {},
    element('div', { className: 'tools' }, search, type, count),
    ...(actions.length > 0 ? [element('div', { className: 'tools' }, ...actions)] : []),
    empty,
    list,
    more,
  );
  panel.append(whole, view);

  let asked = 0;
  const load = async (from: number): Promise<void> => {
    const turn = ++asked;
    const conditions = [
      ...(search.value.trim() === '' ? [] : [{ field: 'name', value: search.value.trim() }]),
      ...(type.value === '' ? [] : [{ field: 'type.key', value: type.value }]),
    ];
    try {
      const { body } = await api.send<{ readonly max: number; readonly list: readonly PageZone[] }>(
        'POST',
        '/geozones/filter',
        { from, count: PAGE, sortField: 'name', conditions },
      );
      // An answer to an earlier question.
      if (turn !== asked) return;
      const items = body.list.map(itemOf);
      if (from === 0) list.replaceChildren(...items);
      else list.append(...items);
      const shown = list.children.length;
      count.textContent = fill(words.countOf, { count: shown, all: body.max });
      more.hidden = shown >= body.max;
      more.textContent = fill(words.more, { count: Math.min(PAGE, body.max - shown) });
      empty.hidden = body.max > 0;
    } catch (error) {
      say(failureText(app, error));
    }
  };
  const itemOf = ({ id, name, type: { key }, color }: PageZone): HTMLLIElement => {
    const swatch = element('span', { className: 'swatch' });
    if (color != null && /^#[0-9a-f]{6}$/i.test(color.key)) swatch.style.background = color.key;
    const note = element('span', { className: 'note', textContent: ` ${typeText(words, key)}` });
    return element(
      'li',
      {},
      swatch,
      button(name, () => open(id), 'find'),
      note,
    );
  };

  /** The list's conditions as the map's filter. `name` is matched without case on both sides. */
  const filterMap = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const conditions: ExpressionSpecification[] = [SHOWN_ON_MAP];
    if (type.value !== '') conditions.push(['==', ['get', 'type'], type.value]);
    if (wanted !== '') conditions.push(['in', wanted, ['downcase', ['coalesce', ['get', 'name'], '']]]);
    for (const layer of LAYERS) fleetMap.map.setFilter(layer, ['all', ...conditions]);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      filterMap();
      void load(0);
    }, WAIT_MS);
  };
  search.addEventListener('input', changed);
  type.addEventListener('change', changed);
  filterMap();
  void load(0);
  return {
    list,
    refresh: () => void load(0),
    replace(own) {
      whole.hidden = own !== null;
      view.hidden = own === null;
      view.replaceChildren(...(own === null ? [] : [own]));
    },
  };
}
