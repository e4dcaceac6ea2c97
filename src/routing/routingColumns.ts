/** The columns of the answer of `/routing`: their keys, titles, and texts of distances and durations. */

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

/** Functions that write amounts in one language. */
interface AmountTexts {
  readonly distance: (meters: number) => string;
  readonly duration: (seconds: number) => string;
}

/**
 * Texts of amounts in a language. Distances: whole metres below 1 km, kilometres with one decimal below 100 km, whole kilometres beyond. Durations:
 * whole minutes (at least one unless the duration is 0), with hours from 60 minutes on. Error: `language-unknown` for a value that is not a language
 * tag.
 */
export function amountTexts(language: string): AmountTexts {
  const unit = (name: string, digits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
  const meter = unitOrUnknown(language, () => unit('meter', 0));
  const [kilometer, wholeKilometer] = [unit('kilometer', 1), unit('kilometer', 0)];
  const [hour, minute] = [unit('hour', 0), unit('minute', 0)];
  return {
    distance(meters) {
      if (Math.round(meters) < 1000) return meter.format(meters);
      return (meters < 99_950 ? kilometer : wholeKilometer).format(meters / 1000);
    },
    duration(seconds) {
      const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
      if (minutes < 60) return minute.format(minutes);
      const rest = minutes % 60;
      const hours = hour.format((minutes - rest) / 60);
      return rest === 0 ? hours : `${hours} ${minute.format(rest)}`;
    },
  };
}

function unitOrUnknown<T>(language: unknown, make: () => T): T {
  try {
    if (typeof language === 'string' && language !== '') return make();
  } catch {
    // `Intl` throws a RangeError for a text that is not a BCP 47 tag.
  }
  throw inputError('language-unknown', 'options.language', 'a language tag (BCP 47)', language);
}
