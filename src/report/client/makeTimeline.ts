/** Each unit's day as a row, and movement as a table. */

import { DAY_MS, HOUR_MS } from '../../core/durations.js';
import { amountColumn, column, durationColumn, spanColumns } from './column.js';
import type { Finders } from './finders.js';
import { type MapMove, movesOf } from './movesOf.js';
import type { Page } from './page.js';
import { button, element, svg, svgText, type Tabs } from './shared/dom.js';
import { fill, timeTicks, wordOf } from './shared/formats.js';
import { inSlices, onPrint } from './shared/inSlices.js';
import { makeTable, type Table } from './table.js';
import { barKey, emptyText } from './tables.js';
import { timelineLanes } from './timelineLanes.js';

/** Shortest period, milliseconds, that can be shown day by day. */
const ONE_DAY_MS = 26 * HOUR_MS;

const MAX_DAYS = 400;

/** The choice of one day of the report, or of its whole period. */
interface DayChoice {
  readonly select: HTMLSelectElement;
  /** Whether the report has days to choose from. */
  readonly isUseful: boolean;
  /** The chosen period, epoch milliseconds. */
  readonly period: () => [from: number, to: number];
  /** Chooses the day that contains `time`. */
  readonly choose: (time: number) => void;
}

const ROWS = 25;
/** Rows made in one frame. The browser lays out a row of a busy day, some 200 bars, in 2 to 4 ms. */
const ROWS_A_FRAME = 6;

export interface Timeline {
  readonly table: Table;
  /** Shows the unit's row, with a line at `time`. */
  readonly reveal: (unit: number, time: number | null) => void;
}

export function makeTimeline(page: Page, tabs: Tabs, finders: Finders): Timeline {
  const { data, words } = page;
  const panel = tabs.panel('timeline');
  const moves = movesOf(data);
  const drawLanes = timelineLanes(page, moves, finders);
  const day = dayChoice(page);
  const rows = element('div', { className: 'timeline' });
  const showMore = (): void => {
    limit += ROWS;
    draw();
  };
  const more = button(words.more, showMore, 'more');
  let limit = ROWS;
  let marked: { readonly unit: number; readonly time: number | null } | null = null;
  /** The units of the filtered rows, a marked unit first. */
  const shownUnits = (): number[] => {
    const left = table.filtered();
    const units =
      left === null ? data.units.map((_, i) => i) : [...new Set(left.map((row) => moves[row]!.unit))];
    const own = marked?.unit;
    return own === undefined || !units.includes(own) ? units : [own, ...units.filter((unit) => unit !== own)];
  };
  const rowOf = (unit: number, period: readonly [number, number], width: number): HTMLElement => {
    const name = button(data.units[unit]!.id, () => finders.unit(unit), 'find');
    const drawn = drawLanes(unit, period, width);
    const isMarked = marked?.unit === unit;
    if (isMarked && marked!.time !== null) {
      const x = ((marked!.time - period[0]) / (period[1] - period[0])) * width;
      drawn.append(svg('line', { x1: x, x2: x, y1: 0, y2: 32, class: 'cursor' }));
    }
    return element('div', { className: isMarked ? 'row marked' : 'row' }, name, drawn);
  };
  const draw = (): void => {
    if (panel.hidden || data.units.length === 0 || data.summary.time.from === null) return;
    const period = day.period();
    const width = Math.max(260, rows.clientWidth - 20);
    const units = shownUnits();
    rows.replaceChildren(axisOf(page, period, width));
    const drawRow = (place: number): void => rows.append(rowOf(units[place]!, period, width));
    inSlices(rows, Math.min(limit, units.length), drawRow, ROWS_A_FRAME);
    more.hidden = units.length <= limit;
  };

  day.select.addEventListener('change', draw);
  onPrint(() => {
    limit = data.units.length;
    draw();
  });
  const times = fill(words.timesIn, { zone: page.clock.name });
  const key = element('span', { className: 'key note' }, ...keyOf(page), ` ${times}`);
  panel.append(
    element('div', { className: 'tools' }, ...(day.isUseful ? [day.select] : []), key),
    rows,
    more,
  );
  const table = movesTable(page, panel, moves, finders);
  tabs.whenShown('timeline', draw);
  table.onFilter(draw);
  // The tab may have been chosen already while the page was loading.
  draw();
  return {
    table,
    reveal(unit, time) {
      if (!shownUnits().includes(unit)) table.clear();
      marked = { unit, time };
      if (time !== null) day.choose(time);
      tabs.choose('timeline');
    },
  };
}

function movesTable(page: Page, panel: HTMLElement, moves: readonly MapMove[], finders: Finders): Table {
  const { data, words, clock, number, measures } = page;
  const text = (value: string): string => wordOf(words, value);
  return makeTable<MapMove>(panel, words, {
    what: words.movements,
    rows: moves,
    open: (i) => finders.move(moves[i]!),
    empty: emptyText(data, words, words.noMovements),
    filters: [{ label: words.kind, value: (m) => m.kind, text }],
    columns: [
      column(words.unit, 'text', (m) => data.units[m.unit]!.id),
      column(words.kind, '', (m) => m.kind, text),
      ...spanColumns<MapMove>(clock, [words.from, words.to], (m) => [m.from, m.to]),
      durationColumn(words, words.duration, (m) => m.to - m.from),
      amountColumn(words.km, (m) => m.meters, measures.way, number, 1),
      amountColumn(words.maxKph, (m) => m.kph, measures.speed, number, 0),
    ],
  });
}

function axisOf({ clock }: Page, [from, to]: readonly [number, number], width: number): SVGElement {
  const axis = svg('svg', { width, height: 18, 'aria-hidden': 'true', class: 'graph' });
  for (const time of timeTicks(clock, [from, to], width, 80)) {
    const place = ((time - from) / (to - from)) * width;
    const [day = '', hour = ''] = clock.text(time).slice(5, 16).split(' ');
    axis.append(
      svgText(to - from > 2 * DAY_MS || hour === '00:00' ? day : hour, {
        x: Math.min(width - 16, Math.max(16, place)),
        y: 12,
        'text-anchor': 'middle',
      }),
    );
  }
  return axis;
}

function keyOf({ words, data: { conduct } }: Page): HTMLElement[] {
  const kinds: (readonly [string, string])[] = [
    ['move trip', wordOf(words, 'trip')],
    ['move parking', wordOf(words, 'parking')],
    ['move stop', wordOf(words, 'stop')],
    ['move unknown', words.keyUnknown],
    ['stayed', words.keyVisit],
    ...(conduct.closed === null ? [] : [['closed', words.keyClosed] as const]),
    ...(conduct.speeding === null ? [] : [['fast', words.keyFast] as const]),
  ];
  // Speeding is a thin line above the movement.
  return kinds.map(([className, text]) => barKey(className, text, className === 'fast' ? 3 : 10));
}

function dayChoice(page: Page): DayChoice {
  const { words, clock } = page;
  const { from, to } = page.data.summary.time;
  const [first, last] = from === null || to === null ? [0, 0] : [Date.parse(from), Date.parse(to)];
  const days = first === last || last - first <= ONE_DAY_MS ? [] : daysOf(page, first, last);
  const select = element(
    'select',
    {},
    element('option', { value: '', textContent: words.wholePeriod }),
    ...days.map((day, i) =>
      element('option', { value: String(i), textContent: clock.text(day).slice(0, 10) }),
    ),
  );
  select.setAttribute('aria-label', fill(words.dayIn, { zone: clock.name }));
  const isUseful = days.length > 1;
  return {
    select,
    isUseful,
    period() {
      const day = select.value === '' ? undefined : days[Number(select.value)];
      if (day === undefined)
        return [hourOf(clock, first, Math.floor), hourOf(clock, last + 60_000, Math.ceil)];
      return [day, clock.instant(clock.wall(day) + DAY_MS)];
    },
    choose(time) {
      const day = days.findLastIndex((start) => start <= time);
      if (isUseful && day >= 0) select.value = String(day);
    },
  };
}

/** The full hour of the wall clock before or after `time`. */
function hourOf(clock: Page['clock'], time: number, round: (hours: number) => number): number {
  return clock.instant(round(clock.wall(time) / HOUR_MS) * HOUR_MS);
}

/** Starts of the days on the wall clock. */
function daysOf({ clock }: Page, first: number, last: number): number[] {
  const days: number[] = [];
  const start = Math.floor(clock.wall(first) / DAY_MS) * DAY_MS;
  for (let wall = start; days.length < MAX_DAYS; wall += DAY_MS) {
    const day = clock.instant(wall);
    if (day > last) break;
    days.push(day);
  }
  return days;
}
