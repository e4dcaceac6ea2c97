/** Each unit's day: movement and speeding above, visits and closed hours below; and movement as a table. */

import { DAY } from './clock.js';
import { element, svg, svgText, tip } from './dom.js';
import type { Finders } from './finders.js';
import { duration, fill } from './formats.js';
import { inSlices } from './inSlices.js';
import { type MapMove, movesOf } from './movesOf.js';
import { onPrint } from './onPrint.js';
import { type Page, wordOf } from './page.js';
import { speedingStretch } from './speedingStretch.js';
import { amountColumn, column, durationColumn, makeTable, pageTimeColumn, type Table } from './table.js';
import { emptyText, endText } from './tables.js';
import type { Tabs } from './tabs.js';
import { timeTicks } from './timeTicks.js';

const ROWS = 25;
/** Rows made in one frame: a row of a busy day has some 200 bars, which the browser lays out in 2 to 4 ms. */
const ROWS_A_FRAME = 6;
/** Longer periods can be shown day by day. */
const ONE_DAY = 26 * 3_600_000;
const MAX_DAYS = 400;
/** Stops are drawn above parkings, and parkings above trips. */
const FROM_BELOW: readonly MapMove['kind'][] = ['trip', 'parking', 'stop'];

interface Bar {
  readonly start: number;
  readonly end: number;
  readonly className: string;
  readonly color: string;
  readonly text: string;
  readonly open: () => void;
}

export interface Timeline {
  readonly table: Table;
  /** Shows the unit's row, with a line at the time. */
  readonly reveal: (unit: number, time: number | null) => void;
}

export function makeTimeline(page: Page, tabs: Tabs, finders: Finders): Timeline {
  const { data, words, clock, number, measures } = page;
  const panel = tabs.panel('timeline');
  const moves = movesOf(data);
  const movesOfUnit = data.units.map((): MapMove[] => []);
  for (const move of moves) movesOfUnit[move.unit]!.push(move);
  const visitsOfUnit = data.units.map((): number[] => []);
  for (const [i, [unit]] of data.visits.entries()) visitsOfUnit[unit]!.push(i);
  const closedOfUnit = data.units.map((): Bar[] => []);
  const fastOfUnit = data.units.map((): Bar[] => []);
  const hours = (time: number): string => clock.text(time).slice(11, 16);

  const { from, to } = data.summary.time;
  const [first, last] = from === null || to === null ? [0, 0] : [Date.parse(from), Date.parse(to)];
  const days = first === last || last - first <= ONE_DAY ? [] : daysOf(page, first, last);
  const choice = element(
    'select',
    {},
    element('option', { value: '', textContent: words.wholePeriod }),
    ...days.map((day, i) =>
      element('option', { value: String(i), textContent: clock.text(day).slice(0, 10) }),
    ),
  );
  choice.setAttribute('aria-label', fill(words.dayIn, { zone: clock.name }));
  const shownPeriod = (): [number, number] => {
    const day = choice.value === '' ? undefined : days[Number(choice.value)];
    if (day === undefined) return [first, Math.max(last, first + 60_000)];
    return [day, clock.instant(clock.wall(day) + DAY)];
  };

  const rows = element('div', { className: 'timeline' });
  const more = element('button', { className: 'more', type: 'button', textContent: words.more });
  let limit = ROWS;
  let marked: { readonly unit: number; readonly time: number | null } | null = null;
  /** The units that the filter of the table leaves; a marked one is the first. */
  const shownUnits = (): number[] => {
    const left = table.filtered();
    const units =
      left === null ? data.units.map((_, i) => i) : [...new Set(left.map((row) => moves[row]!.unit))];
    const own = marked?.unit;
    return own === undefined || !units.includes(own) ? units : [own, ...units.filter((unit) => unit !== own)];
  };
  const draw = (): void => {
    if (panel.hidden || data.units.length === 0 || from === null) return;
    const period = shownPeriod();
    const width = Math.max(260, rows.clientWidth - 20);
    const units = shownUnits();
    rows.replaceChildren(axisOf(page, period, width));
    const drawRow = (place: number): void => {
      const i = units[place]!;
      const name = element('button', { className: 'find', type: 'button', textContent: data.units[i]!.id });
      name.addEventListener('click', () => finders.unit(i));
      const drawn = unitRow(i, period, width);
      const isMarked = marked?.unit === i;
      if (isMarked && marked!.time !== null) {
        const x = ((marked!.time - period[0]) / (period[1] - period[0])) * width;
        drawn.append(svg('line', { x1: x, x2: x, y1: 0, y2: 32, class: 'cursor' }));
      }
      rows.append(element('div', { className: isMarked ? 'row marked' : 'row' }, name, drawn));
    };
    inSlices(rows, Math.min(limit, units.length), drawRow, ROWS_A_FRAME);
    more.hidden = units.length <= limit;
  };
  const unitRow = (i: number, period: readonly [number, number], width: number): SVGElement => {
    const own = movesOfUnit[i]!;
    const count = (kind: MapMove['kind']): number => own.filter((move) => move.kind === kind).length;
    const label = fill(words.timelineOf, {
      unit: data.units[i]!.id,
      trips: count('trip'),
      parkings: count('parking'),
      stops: count('stop'),
      visits: visitsOfUnit[i]!.length,
    });
    const drawn = svg('svg', {
      width,
      height: 32,
      viewBox: `0 0 ${width} 32`,
      role: 'img',
      'aria-label': label,
    });
    const below = [...own].sort(
      (a, b) => FROM_BELOW.indexOf(a.kind) - FROM_BELOW.indexOf(b.kind) || a.from - b.from,
    );
    drawLane(drawn, below.map(moveBar), period, { width, top: 3, height: 10 });
    drawLane(drawn, fastOfUnit[i]!, period, { width, top: 0, height: 3 });
    drawLane(drawn, visitsOfUnit[i]!.map(visitBar), period, { width, top: 17, height: 12 });
    drawLane(drawn, closedOfUnit[i]!, period, { width, top: 17, height: 12 });
    return drawn;
  };
  const moveBar = (move: MapMove): Bar => ({
    start: move.from,
    end: move.to,
    className: `move ${move.kind}`,
    color: '',
    text: `${wordOf(words, move.kind)} ${hours(move.from)} – ${hours(move.to)}, ${duration(move.to - move.from)}`,
    open: () => finders.move(move),
  });
  const visitBar = (i: number): Bar => {
    const [unit, zone, enter, exit] = data.visits[i]!;
    const { name, color } = data.zones[zone]!;
    return {
      start: enter,
      end: exit ?? data.units[unit]!.lastTime ?? enter,
      className: 'stayed',
      color,
      text: `${name} ${hours(enter)} – ${exit === null ? words.open : hours(exit)}`,
      open: () => finders.visit(i),
    };
  };

  for (const [visit, start, end] of data.conduct.closed ?? []) {
    const [unit, zone] = data.visits[visit]!;
    const text = `${data.zones[zone]!.name} ${hours(start)} – ${hours(end)}, ${words.keyClosed}`;
    const open = (): void => finders.visit(visit);
    closedOfUnit[unit]!.push({ start, end, className: 'closed', color: '', text, open });
  }
  for (const [i, [unit, , start, end]] of (data.conduct.speeding ?? []).entries()) {
    fastOfUnit[unit]!.push({
      start,
      end,
      className: 'fast',
      color: '',
      get text() {
        return speedingStretch(page, i).lines.join(', ');
      },
      open: () => finders.stretch(speedingStretch(page, i)),
    });
  }

  choice.addEventListener('change', draw);
  onPrint(() => {
    limit = data.units.length;
    draw();
  });
  more.addEventListener('click', () => {
    limit += ROWS;
    draw();
  });
  panel.append(
    element(
      'div',
      { className: 'tools' },
      ...(days.length > 1 ? [choice] : []),
      element(
        'span',
        { className: 'key note' },
        ...keyOf(page),
        ` ${fill(words.timesIn, { zone: clock.name })}`,
      ),
    ),
    rows,
    more,
  );
  const text = (value: string): string => wordOf(words, value);
  const table = makeTable<MapMove>(panel, words, {
    what: words.movements,
    rows: moves,
    open: (i) => finders.move(moves[i]!),
    empty: emptyText(data, words, words.noMovements),
    filters: [{ label: words.kind, value: (m) => m.kind, text }],
    columns: [
      column(words.unit, 'text', (m) => data.units[m.unit]!.id),
      column(words.kind, '', (m) => m.kind, text),
      pageTimeColumn<MapMove>(clock, `${words.from} (${clock.name})`, (m) => m.from),
      pageTimeColumn<MapMove>(
        clock,
        words.to,
        (m) => m.to,
        (to, m) => endText(page, m.from, to),
      ),
      durationColumn(words, words.duration, (m) => m.to - m.from),
      amountColumn(words.km, (m) => m.meters, measures.way, number, 1),
      amountColumn(words.maxKph, (m) => m.kph, measures.speed, number, 0),
    ],
  });
  tabs.whenShown('timeline', draw);
  table.onFilter(draw);
  // The tab may have been chosen while the page was loading.
  draw();
  return {
    table,
    reveal(unit, time) {
      if (!shownUnits().includes(unit)) table.clear();
      marked = { unit, time };
      const day = days.findLastIndex((start) => time !== null && start <= time);
      if (days.length > 1 && day >= 0) choice.value = String(day);
      tabs.choose('timeline');
    },
  };
}

/** The starts of days on the wall clock. */
function daysOf({ clock }: Page, first: number, last: number): number[] {
  const days: number[] = [];
  const start = Math.floor(clock.wall(first) / DAY) * DAY;
  for (let wall = start; days.length < MAX_DAYS; wall += DAY) {
    const day = clock.instant(wall);
    if (day > last) break;
    days.push(day);
  }
  return days;
}

function axisOf({ clock }: Page, [from, to]: readonly [number, number], width: number): SVGElement {
  const axis = svg('svg', { width, height: 18, 'aria-hidden': 'true', class: 'graph' });
  for (const time of timeTicks(clock, [from, to], width, 80)) {
    const place = ((time - from) / (to - from)) * width;
    const text = clock.text(time);
    axis.append(
      svgText(to - from > 2 * DAY ? text.slice(5, 10) : text.slice(11, 16), {
        x: Math.min(width - 16, Math.max(16, place)),
        y: 12,
        'text-anchor': 'middle',
      }),
    );
  }
  return axis;
}

/** Draws the bars that overlap the period. A bar on the same pixels as the one before is skipped. */
function drawLane(
  drawn: SVGElement,
  bars: readonly Bar[],
  [from, to]: readonly [number, number],
  { width, top, height }: { readonly width: number; readonly top: number; readonly height: number },
): void {
  const x = (time: number): number => ((time - from) / (to - from)) * width;
  let last = '';
  for (const one of bars) {
    const { start, end, className, color, open } = one;
    if (end < from || start > to) continue;
    const left = Math.max(0, x(start));
    const wide = Math.max(1.5, Math.min(width, x(end)) - left);
    const place = `${className}${color}${Math.round(left)} ${Math.round(wide)}`;
    if (place === last) continue;
    last = place;
    const shape = { x: left.toFixed(1), y: top, width: wide.toFixed(1), height, rx: 1.5, class: className };
    const bar = svg('rect', shape, tip(one.text));
    if (color !== '') bar.style.fill = color;
    bar.addEventListener('click', open);
    drawn.append(bar);
  }
}

function keyOf({ words, data: { conduct } }: Page): HTMLElement[] {
  const kinds: (readonly [string, string])[] = [
    ['move trip', wordOf(words, 'trip')],
    ['move parking', wordOf(words, 'parking')],
    ['move stop', wordOf(words, 'stop')],
    ['stayed', words.keyVisit],
    ...(conduct.closed === null ? [] : [['closed', words.keyClosed] as const]),
    ...(conduct.speeding === null ? [] : [['fast', words.keyFast] as const]),
  ];
  return kinds.map(([className, text]) => {
    // Speeding is a thin line above the movement.
    const height = className === 'fast' ? 3 : 10;
    const bar = svg('rect', { x: 0, y: 1, width: 16, height, rx: 1.5, class: className });
    return element('span', {}, svg('svg', { width: 16, height: 12, 'aria-hidden': 'true' }, bar), ` ${text}`);
  });
}
