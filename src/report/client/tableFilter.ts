/** The search field and the choices above a table, which select rows. */

import type { ReportWords } from '../reportWordsEnglish.js';
import { element } from './dom.js';
import { fill } from './formats.js';

/** A choice among the values of the rows. */
export interface RowFilter<T> {
  readonly label: string;
  readonly value: (row: T) => string;
  /** The shown text of a value. */
  readonly text?: (value: string) => string;
}

export interface TableFilterOptions<T> {
  /** Name of the rows, in the plural. */
  readonly what: string;
  readonly rows: readonly T[];
  readonly filters: readonly RowFilter<T>[];
  /** The text that the search compares. */
  readonly text: (row: T) => string;
}

export interface TableFilter {
  /** The search field, then the choices. */
  readonly fields: readonly HTMLElement[];
  /** Whether a word or a choice is set. */
  readonly isSet: () => boolean;
  /** Removes words and choices, and calls `onChange`. */
  readonly clear: () => void;
  /** Indices of the rows that pass the filter, ascending. */
  readonly kept: () => number[];
  /** Prepares the texts for the search, while the page is idle. */
  readonly prepare: () => void;
}

/** `onChange` is called when the user changes a field. */
export function tableFilter<T>(
  words: ReportWords,
  { what, rows, filters, text }: TableFilterOptions<T>,
  onChange: () => void,
): TableFilter {
  const texts: string[] = [];
  const textOf = (i: number): string => {
    texts[i] ??= text(rows[i]!).toLowerCase();
    return texts[i];
  };
  const search = element('input', { type: 'search', placeholder: words.filter });
  search.setAttribute('aria-label', fill(words.filterOf, { what }));
  search.addEventListener('input', onChange);
  const choices = filters.map((filter) => {
    const select = choiceOf(words, rows, filter);
    select.addEventListener('change', onChange);
    return { select, value: filter.value };
  });
  const prepareFrom = (start: number): void => {
    globalThis.requestIdleCallback?.((deadline) => {
      let i = start;
      while (i < rows.length && deadline.timeRemaining() > 1) textOf(i++);
      if (i < rows.length) prepareFrom(i);
    });
  };
  return {
    fields: [search, ...choices.map(({ select }) => select)],
    isSet: () => search.value.trim() !== '' || choices.some(({ select }) => select.value !== ''),
    clear() {
      search.value = '';
      for (const { select } of choices) select.value = '';
      onChange();
    },
    kept() {
      const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = choices.filter(({ select }) => select.value !== '');
      const isKept = (row: T, i: number): boolean =>
        chosen.every(({ select, value }) => value(row) === select.value) &&
        wanted.every((word) => textOf(i).includes(word));
      return rows.flatMap((row, i) => (isKept(row, i) ? [i] : []));
    },
    prepare: () => prepareFrom(0),
  };
}

function choiceOf<T>(
  words: ReportWords,
  rows: readonly T[],
  { label, value, text = (shown) => shown }: RowFilter<T>,
): HTMLSelectElement {
  const all = element('option', { value: '', textContent: fill(words.allOf, { what: label }) });
  const select = element('select', {}, all);
  select.setAttribute('aria-label', label);
  for (const option of [...new Set(rows.map(value))].sort()) {
    select.append(element('option', { value: option, textContent: text(option) }));
  }
  return select;
}
