/** The route: each unit's coverage of it as a bar, on the map, and as a table of parts. */

import { PART_STATUSES, type PagePart, type PageRoute, type PageRouteUnit } from '../pageConduct.js';
import { amountColumn, column, wayColumn } from './column.js';
import type { Finders } from './finders.js';
import { type Page, unpack } from './page.js';
import { css, element, svg, type Tabs, tip } from './shared/dom.js';
import { fill } from './shared/formats.js';
import { makeTable } from './table.js';
import { barKey, emptyText } from './tables.js';

/** Width of a bar, pixels. */
const BAR = 150;
const COLORS = ['--covered', '--unseen', '--missed', '--ahead'] as const;

/** Adds the panel of the route. Returns a function that shows a unit's parts; null if the report has no route. */
export function makeRoute(page: Page, tabs: Tabs, finders: Finders): ((unit: number) => void) | null {
  const { data, words, number, view } = page;
  const { route } = data.conduct;
  if (route === null) return null;
  const panel = tabs.panel('route');
  const statuses = statusesOf(page);
  const onMap = L.layerGroup();
  const below = element('div');
  const choose = (own: PageRouteUnit): void => {
    onMap.clearLayers();
    for (const path of pathsOf(page, own)) onMap.addLayer(path);
    below.replaceChildren(
      element('h2', { textContent: fill(words.partsOf, { unit: data.units[own.unit]!.id }) }),
    );
    partsTable(page, below, own, finders);
  };

  const title = fill(words.routeOf, { name: route.name, km: kmText(page, route.lengthMeters) });
  panel.append(
    element('h2', { textContent: title }),
    element('div', { className: 'tools' }, element('span', { className: 'key note' }, ...keyOf(statuses))),
  );
  const columns = [
    column<PageRouteUnit>(words.unit, 'text', (u) => data.units[u.unit]!.id),
    {
      ...column<PageRouteUnit>(words.alongRoute, '', (u) => u.ways[0]!),
      text: () => '',
      draw: (own: PageRouteUnit): Node => barOf(page, own, route),
    },
    column<PageRouteUnit, number>(
      words.coveredShare,
      'num',
      (u) => (100 * u.ways[0]!) / u.ways.reduce((sum, way) => sum + way, 0),
      (share) => number(share, 1),
    ),
    ...statuses.map((name, at) =>
      wayColumn<PageRouteUnit>(number, `${name}, ${words.km}`, (own) => own.ways[at]!),
    ),
    column<PageRouteUnit>(words.backward, 'num', (u) => u.backward),
    column<PageRouteUnit>(words.deviations, 'num', (u) => u.deviations),
  ];
  makeTable<PageRouteUnit>(panel, words, {
    what: words.units.toLowerCase(),
    rows: route.units,
    open: (i) => choose(route.units[i]!),
    empty: emptyText(data, words, words.noRoute),
    columns,
  });
  panel.append(below);
  const best = [...route.units].sort((a, b) => b.ways[0]! - a.ways[0]!)[0];
  if (best !== undefined) choose(best);
  const box = document.querySelector<HTMLInputElement>('[data-show=route]')!;
  const show = (): void => {
    if (box.checked) onMap.addTo(view.map);
    else onMap.remove();
  };
  box.addEventListener('change', show);
  show();
  return (unit) => {
    const own = route.units.find((one) => one.unit === unit);
    if (own !== undefined) choose(own);
  };
}

/** Words of the statuses of parts, by status number. */
function statusesOf({ words }: Page): string[] {
  return [words.covered, words.unseenPart, words.missedPart, words.aheadPart];
}

function kmText({ number, measures }: Page, meters: number): string {
  return number(measures.way(meters), 2);
}

/** Adds the table of a unit's parts of the route. */
function partsTable(page: Page, host: HTMLElement, { unit, parts }: PageRouteUnit, finders: Finders): void {
  const { data, words, number, measures } = page;
  const statuses = statusesOf(page);
  const status = (value: number): string => statuses[value]!;
  makeTable<PagePart>(host, words, {
    what: words.alongRoute.toLowerCase(),
    rows: parts,
    open: (i) => {
      const [kind, from, to, , line] = parts[i]!;
      const text = `${kmText(page, from)} – ${kmText(page, to)} ${words.km}`;
      finders.stretch({ unit, line, lines: [data.conduct.route!.name, text, status(kind)] });
    },
    empty: '',
    filters: [{ label: words.status, value: (p) => String(p[0]), text: (value) => status(Number(value)) }],
    columns: [
      amountColumn(words.fromKm, (p) => p[1], measures.way, number, 2),
      amountColumn(words.toKm, (p) => p[2], measures.way, number, 2),
      column(words.status, '', (p) => p[0], status),
      column(words.passes, 'num', (p) => p[3]),
    ],
  });
}

/** Lines along the parts of the route, coloured by the unit's status there. */
function pathsOf({ view, data }: Page, own: PageRouteUnit): L.Polyline[] {
  const wide = { renderer: view.canvas.zones, interactive: false, lineCap: 'butt' as const };
  const outline = L.polyline(unpack(data.conduct.route!.line), { ...wide, color: css('--card'), weight: 11 });
  return [
    outline,
    ...own.parts.map(([status, , , , line]) =>
      L.polyline(unpack(line), { ...wide, color: css(COLORS[status]!), weight: 7, opacity: 0.9 }),
    ),
  ];
}

function barOf(page: Page, { parts }: PageRouteUnit, { lengthMeters }: PageRoute): SVGElement {
  const statuses = statusesOf(page);
  const textOf = ([status, from, to]: PagePart): string =>
    `${statuses[status]} ${kmText(page, from)} – ${kmText(page, to)}`;
  const label = parts.map(textOf).join(', ');
  const bar = svg('svg', {
    width: BAR,
    height: 12,
    viewBox: `0 0 ${BAR} 12`,
    class: 'along',
    role: 'img',
    'aria-label': label,
  });
  const x = (meters: number): number => (meters / lengthMeters) * BAR;
  for (const part of parts) {
    const [status, from, to] = part;
    const shape = {
      x: x(from).toFixed(2),
      y: 0,
      width: Math.max(0.75, x(to) - x(from)).toFixed(2),
      height: 12,
      class: `part ${PART_STATUSES[status]}`,
    };
    bar.append(svg('rect', shape, tip(textOf(part))));
  }
  return bar;
}

function keyOf(statuses: readonly string[]): HTMLElement[] {
  return statuses.map((text, i) => barKey(`part ${PART_STATUSES[i]}`, text));
}
