/** The cards above the map and the tables of visits, zones, units, files and issues. */

import type { PageUnit, PageVisit, PageZone } from '../pageData.js';
import type { FileIssue, ReportSource } from '../reportInput.js';
import { amountColumn, column, durationColumn, type PageColumn, spanColumns, summed } from './column.js';
import type { Finders } from './finders.js';
import type { Layers } from './layers.js';
import type { Page } from './page.js';
import { byId, element, svg, type Tabs } from './shared/dom.js';
import { duration, fill, wordOf } from './shared/formats.js';
import { makeTable, type Table } from './table.js';

export function makeCards({ data, words, clock, number, measures }: Page): void {
  const { zones, units, fixes, visits, movement, trips, issues, time } = data.summary;
  const cards: [title: string, value: number, isBad?: boolean][] = [
    [words.zones, zones.count],
    [words.visited, zones.visited],
    [words.units, units.count],
    [words.fixesUsed, fixes.used],
    [words.leftOut, fixes.read - fixes.used],
    [words.visits, visits.count],
    ...(trips.count > 0 ? [[words.plannedTrips, trips.count] as [string, number]] : []),
    [words.errors, issues.errors, issues.errors > 0],
    [words.warnings, issues.warnings],
  ];
  byId('cards').before(element('h2', { textContent: words.counts }));
  byId('cards').append(
    ...cards.map(([title, value, isBad]) =>
      element(
        'div',
        { className: isBad ? 'card bad' : 'card' },
        element('b', { textContent: number(value, 0) }),
        element('span', { textContent: title }),
      ),
    ),
  );
  const known = time.from !== null && time.to !== null;
  byId('period').textContent = known
    ? `${clock.text(Date.parse(time.from))} – ${clock.text(Date.parse(time.to))} ${clock.name}`
    : words.noFixes;
  if (known) byId('period').before(factsOf());
  if (movement.cutUnits === 0) return;
  const text = fill(words.tripsCut, { units: number(movement.cutUnits, 0) });
  byId('period').after(element('div', { className: 'note', textContent: text }));

  /** The days in words, and what the fleet did on them. */
  function factsOf(): HTMLElement {
    const day = new Intl.DateTimeFormat(document.documentElement.lang, {
      dateStyle: 'long',
      timeZone: clock.name,
    });
    const sum = (of: (unit: PageUnit) => number): number =>
      data.units.reduce((all, unit) => all + of(unit), 0);
    const stops = sum(({ moves }) => moves.filter(([kind]) => kind === 2).length);
    const violations = data.trips.reduce((all, trip) => all + trip.violations, 0);
    const facts: readonly (readonly [title: string, value: string])[] = [
      [words.units, number(units.count, 0)],
      ['', `${number(measures.way(sum(({ did }) => did[0])), 1)} ${words.km}`],
      [words.moving, duration(1000 * sum(({ did }) => did[1]))],
      [words.idling, duration(1000 * sum(({ did }) => did[2]))],
      [words.stops, number(stops, 0)],
      ...(data.trips.length > 0 ? [[words.violations, number(violations, 0)] as const] : []),
    ];
    return element(
      'p',
      { className: 'did' },
      day.formatRange(Date.parse(time.from!), Date.parse(time.to!)),
      ...facts.map(([title, value]) =>
        element('span', {}, `${title} `, element('b', { textContent: value })),
      ),
    );
  }
}

export function swatch(color: string): HTMLElement {
  const node = element('span', { className: 'swatch' });
  node.style.background = color;
  return node;
}

/** An entry of the key to bars: a bar of the class, and its meaning. */
export function barKey(className: string, text: string, height: number = 10): HTMLElement {
  const bar = svg('rect', { x: 0, y: 1, width: 16, height, rx: 1.5, class: className });
  return element('span', {}, svg('svg', { width: 16, height: 12, 'aria-hidden': 'true' }, bar), ` ${text}`);
}

/** The text of an empty table. If files could not be read, it says that they may contain the missing rows. */
export function emptyText({ sources }: Page['data'], { notRead }: Page['words'], nothing: string): string {
  return sources.some(({ errors }) => errors > 0) ? notRead : nothing;
}

export function visitRowsTable(page: Page, tabs: Tabs, { visit }: Finders): Table {
  const { data, words, clock, number, measures } = page;
  const stay = ([, , enter, exit]: PageVisit): number | null => (exit === null ? null : exit - enter);
  const text = (value: string): string => wordOf(words, value);
  return makeTable<PageVisit>(tabs.panel('visits'), words, {
    what: words.visits.toLowerCase(),
    rows: data.visits,
    open: (i) => visit(i),
    empty: emptyText(data, words, words.noVisits),
    filters: [
      { label: words.seen, value: (v) => v[4], text },
      { label: words.end, value: (v) => v[5], text },
    ],
    columns: [
      column(words.unit, 'text', (v) => data.units[v[0]]!.id),
      column(words.zone, 'text', (v) => data.zones[v[1]]!.name),
      ...spanColumns<PageVisit>(clock, [words.enter, words.exit], (v) => [v[2], v[3]]),
      durationColumn(words, words.duration, stay),
      amountColumn(words.km, (v) => v[9][0], measures.way, number, 2),
      durationColumn(words, words.moving, (v) => 1000 * v[9][1]),
      durationColumn(words, words.idling, (v) => 1000 * v[9][2]),
      durationColumn(words, words.parked, (v) => 1000 * v[9][3]),
      column(words.seen, '', (v) => v[4], text),
      column(words.end, '', (v) => v[5], text),
    ],
  });
}

export function zonesTable({ data, words, number, measures }: Page, tabs: Tabs, { zone }: Finders): Table {
  const text = (value: string): string => wordOf(words, value);
  const { length, area } = measures;
  return makeTable<PageZone>(tabs.panel('zones'), words, {
    what: words.zones.toLowerCase(),
    rows: data.zones,
    open: (i) => zone(i),
    empty: words.noZones,
    filters: [{ label: words.type, value: (z) => z.type, text }],
    columns: [
      column(words.zone, 'text', (z) => z.name),
      column(words.type, '', (z) => z.type, text),
      amountColumn(`${words.width}, ${words.meters}`, (z) => z.width, length, number, 1),
      amountColumn(`${words.area}, ${words.squareMeters}`, (z) => z.area, area, number, 0),
      amountColumn(`${words.perimeter}, ${words.meters}`, (z) => z.perimeter, length, number, 0),
      amountColumn(`${words.length}, ${words.meters}`, (z) => z.length, length, number, 0),
      column(words.visits, 'num', (z) => z.visits),
    ],
  });
}

/** Checkboxes that show and hide the units. */
export function unitBoxes(
  { data, words }: Page,
  showUnit: (i: number, on: boolean) => void,
): HTMLInputElement[] {
  return data.units.map(({ id }, i) => {
    const box = element('input', { type: 'checkbox', checked: true });
    box.setAttribute('aria-label', fill(words.show, { what: id }));
    box.addEventListener('click', (event) => event.stopPropagation());
    box.addEventListener('change', () => showUnit(i, box.checked));
    return box;
  });
}

/** Start of the unit's first trip and end of its last one, epoch milliseconds; null if it has no trip. */
function movementOf({ moves }: PageUnit): readonly [first: number | null, last: number | null] {
  const trips = moves.filter(([kind]) => kind === 0);
  return [trips[0]?.[1] ?? null, trips.at(-1)?.[2] ?? null];
}

export function unitsTable(
  { data, words, clock, number, measures }: Page,
  tabs: Tabs,
  { unit }: Finders,
  { layers, boxes }: { readonly layers: Layers; readonly boxes: readonly HTMLInputElement[] },
): Table {
  const panel = tabs.panel('units');
  const violations = data.units.map((_, i) =>
    data.trips.reduce((sum, trip) => sum + (trip.unit === i ? trip.violations : 0), 0),
  );
  const indexOf = new Map(data.units.map((unit, i) => [unit, i]));
  const seconds = (title: string, at: 1 | 2 | 3): PageColumn<PageUnit> =>
    summed(durationColumn<PageUnit>(words, title, (u) => 1000 * u.did[at]));
  const counted = (title: string, value: (u: PageUnit) => number): PageColumn<PageUnit> =>
    summed(amountColumn<PageUnit>(title, value, (count) => count, number, 0));
  const between = ([first, last]: ReturnType<typeof movementOf>): string => {
    const [from, to] = [clock.text(first), clock.text(last)];
    return first === null ? '' : `${from} – ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`;
  };
  const name = {
    ...column<PageUnit>(words.unit, 'text', (u) => u.id),
    draw: ({ id, color }: PageUnit, i: number): Node =>
      element(
        'span',
        { className: 'unit' },
        boxes[i]!,
        ' ',
        swatch(color),
        element('button', { className: 'find', type: 'button', textContent: id }),
      ),
  };
  const table = makeTable<PageUnit>(panel, words, {
    what: words.units.toLowerCase(),
    rows: data.units,
    open: (i) => unit(i),
    empty: words.noUnits,
    columns: [
      name,
      summed(amountColumn<PageUnit>(words.km, (u) => u.did[0], measures.way, number, 1)),
      seconds(words.moving, 1),
      seconds(words.idling, 2),
      seconds(words.parked, 3),
      amountColumn<PageUnit>(`${words.topSpeed}, ${words.kph}`, (u) => u.topKph, measures.speed, number, 0),
      {
        ...column<PageUnit, number | null>(words.inMotion, 'time', (u) => movementOf(u)[0]),
        text: (u) => between(movementOf(u)),
      },
      counted(words.stops, (u) => u.moves.filter(([kind]) => kind === 2).length),
      counted(words.visits, (u) => u.visits),
      ...(data.trips.length > 0 ? [counted(words.violations, (u) => violations[indexOf.get(u)!] ?? 0)] : []),
    ],
    total: words.total,
  });
  const all = data.units.map((_, i) => i);
  for (const [textContent, on] of [
    [words.showAll, true],
    [words.hideAll, false],
  ] as const) {
    const button = element('button', { type: 'button', textContent });
    button.addEventListener('click', () => layers.showUnits(all, on));
    panel.querySelector('.tools')!.append(button);
  }
  return table;
}

export function filesTables({ data, words, number }: Page, tabs: Tabs): void {
  const panel = tabs.panel('read');
  const text = (value: string): string => wordOf(words, value);
  const counted = (
    key: 'zones' | 'tracks' | 'fixes' | 'trips' | 'errors' | 'warnings',
    title: string,
  ): PageColumn<ReportSource> =>
    column<ReportSource, number>(
      title,
      'num',
      (s) => s[key],
      (count) => number(count, 0),
    );
  makeTable<ReportSource>(panel, words, {
    what: words.files.toLowerCase(),
    rows: data.sources,
    empty: words.noFiles,
    columns: [
      column(words.file, 'text', (s) => s.file),
      column(words.role, '', (s) => s.role, text),
      counted('zones', words.zones),
      counted('tracks', words.tracks),
      counted('fixes', words.fixes),
      counted('trips', words.trips),
      counted('errors', words.errors),
      counted('warnings', words.warnings),
    ],
  });
  const reasons = Object.entries(data.summary.fixes.leftOut).map(([code, n]) => `${code} ${number(n, 0)}`);
  const textContent = `${words.fixesLeftOut}: ${reasons.join(', ') || words.none}.`;
  panel.append(element('p', { className: 'empty', textContent }));
  if (data.issues.length === 0) return;
  makeTable<FileIssue>(panel, words, {
    what: words.issues.toLowerCase(),
    rows: data.issues,
    empty: '',
    filters: [{ label: words.severity, value: (issue) => issue.severity, text }],
    columns: [
      column(words.issue, '', (issue) => issue.code),
      column(words.severity, '', (issue) => issue.severity, text),
      column(words.where, 'text', ({ file, line, field }) =>
        [file + (line ? `:${line}` : ''), field].filter(Boolean).join(' '),
      ),
      column(words.message, 'text', (issue) => issue.message),
    ],
  });
}
