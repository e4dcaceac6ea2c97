/** Draws the rows of a table in pages. A browser lays out 150 rows in a tenth of a second. */

import type { ReportWords } from '../reportWordsEnglish.js';
import { element } from './dom.js';
import { fill } from './formats.js';

/** Number of rows drawn at first, and number added by each button. */
const FIRST_ROWS = 50;
const PAGE_ROWS = 150;

export interface RowPages {
  readonly body: HTMLTableSectionElement;
  /** Button above the rows that draws earlier ones. */
  readonly earlier: HTMLButtonElement;
  /** Button below the rows that draws later ones. */
  readonly more: HTMLButtonElement;
  /** The number of rows, as text. */
  readonly count: HTMLElement;
  /** Draws the first page of the order. */
  readonly restart: () => void;
  /** Draws all rows. */
  readonly drawAll: () => void;
  /** Draws the page that contains index `place` of the order, and returns its row. */
  readonly show: (place: number) => HTMLTableRowElement;
}

/** `all`: number of rows. `order()`: numbers of the shown rows, in order. `rowOf`: draws a row. */
export function rowPages(
  words: ReportWords,
  all: number,
  order: () => readonly number[],
  rowOf: (i: number) => HTMLTableRowElement,
): RowPages {
  const body = element('tbody');
  const earlier = element('button', { className: 'more', type: 'button' });
  const more = element('button', { className: 'more', type: 'button' });
  const count = element('span', { className: 'note' });
  count.setAttribute('role', 'status');
  const drawn = new Map<number, HTMLTableRowElement>();
  /** Drawn range of the order: index of the first drawn row, and index after the last. */
  let [from, to] = [0, 0];

  const draw = (i: number): HTMLTableRowElement => {
    const row = rowOf(i);
    drawn.set(i, row);
    return row;
  };
  const showRest = (): void => {
    const shown = order().length;
    earlier.hidden = from === 0;
    earlier.textContent = fill(words.showEarlier, { count: from });
    more.hidden = to >= shown;
    more.textContent = fill(words.showMore, { count: shown - to });
    count.textContent = fill(words.countOf, { count: shown, all });
  };
  const drawMore = (most: number): void => {
    const end = Math.min(to + most, order().length);
    for (; to < end; to++) body.append(draw(order()[to]!));
    showRest();
  };
  const drawEarlier = (): void => {
    const start = Math.max(0, from - PAGE_ROWS);
    body.prepend(...order().slice(start, from).map(draw));
    from = start;
    showRest();
  };
  const drawFrom = (place: number): void => {
    body.replaceChildren();
    drawn.clear();
    from = place;
    to = place;
    drawMore(FIRST_ROWS);
  };

  earlier.addEventListener('click', drawEarlier);
  more.addEventListener('click', () => drawMore(PAGE_ROWS));
  return {
    body,
    earlier,
    more,
    count,
    restart: () => drawFrom(0),
    drawAll() {
      while (from > 0) drawEarlier();
      drawMore(order().length);
    },
    show(place) {
      if (place < from || place >= to) drawFrom(Math.floor(place / FIRST_ROWS) * FIRST_ROWS);
      return drawn.get(order()[place]!)!;
    },
  };
}
