/** The columns of the answer of `/routing`: their keys and their titles. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, OWN } from '../core/options.js';

/** The optional columns, in their order. */
export const ROUTING_COLUMNS = [
  'order',
  'from',
  'to',
  'distance',
  'distance_text',
  'duration',
  'duration_text',
  'instructions',
] as const;

/** An optional column. */
export type RoutingColumnKey = (typeof ROUTING_COLUMNS)[number];
/** The title of each column. */
export type ColumnTitles = Readonly<Record<'style' | 'points' | RoutingColumnKey, string>>;

const ENGLISH: ColumnTitles = {
  style: 'Style',
  points: 'Points',
  order: 'No.',
  from: 'From point',
  to: 'To point',
  distance: 'Distance, m',
  distance_text: 'Distance',
  duration: 'Duration, s',
  duration_text: 'Duration',
  instructions: 'Instructions',
};

const RUSSIAN: ColumnTitles = {
  style: 'Стиль',
  points: 'Точки',
  order: '№',
  from: 'Из точки',
  to: 'В точку',
  distance: 'Расстояние, м',
  distance_text: 'Расстояние',
  duration: 'Время в пути, с',
  duration_text: 'Время в пути',
  instructions: 'Указания',
};

const TITLES = Object.fromEntries(Object.keys(ENGLISH).map((key) => [key, OWN]));

/** Built-in titles: Russian for `ru`, else English. The caller's `titles` replace them one by one. */
export function columnTitles(language: string, titles: Partial<ColumnTitles> = {}): ColumnTitles {
  const own = /^ru\b/i.test(language) ? RUSSIAN : ENGLISH;
  checkOptions(titles, TITLES, 'options.titles');
  return guarded('options.titles', () => {
    for (const [key, title] of Object.entries(titles)) {
      if (typeof title !== 'string') {
        throw inputError('option-value', `options.titles.${key}`, 'a title', title);
      }
    }
    return { ...own, ...titles };
  });
}

/** The requested columns, each once, in their own order. Default: all. */
export function routingColumnsOf(columns: readonly RoutingColumnKey[] | undefined): RoutingColumnKey[] {
  if (columns === undefined) return [...ROUTING_COLUMNS];
  return guarded('options.columns', () => {
    if (!isArray(columns)) {
      throw inputError('option-value', 'options.columns', 'an array of columns', columns);
    }
    columns.forEach((column, i) => {
      if (!ROUTING_COLUMNS.includes(column)) {
        const what = `one of ${ROUTING_COLUMNS.join(', ')}`;
        throw inputError('option-value', `options.columns[${i}]`, what, column);
      }
    });
    return ROUTING_COLUMNS.filter((key) => columns.includes(key));
  });
}
