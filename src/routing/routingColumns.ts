/** The columns of the answer of `/routing`: their keys, their titles, and numbers as texts. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';

/** The columns that may be left out, in the order in which they come. */
export const COLUMN_KEYS = [
  'order',
  'from',
  'to',
  'distance',
  'distance_text',
  'duration',
  'duration_text',
  'instructions',
] as const;

/** A column that may be left out. */
export type RoutingColumn = (typeof COLUMN_KEYS)[number];
/** The title of each column. */
export type ColumnTitles = Readonly<Record<'style' | 'points' | RoutingColumn, string>>;

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

/** Built-in titles: Russian for `ru`, English else; `titles` of the caller take their place one by one. */
export function columnTitles(language: string, titles: Partial<ColumnTitles> = {}): ColumnTitles {
  const own = /^ru\b/i.test(language) ? RUSSIAN : ENGLISH;
  return guarded('options.titles', () => {
    for (const [key, title] of Object.entries(titles)) {
      if (typeof title !== 'string') {
        throw new WayzoneError('option-value', `options.titles.${key}`, expected('a title', title));
      }
    }
    return { ...own, ...titles };
  });
}

/** The requested columns, each once, in their own order. Default: all. */
export function readColumns(columns: readonly RoutingColumn[] | undefined): RoutingColumn[] {
  if (columns === undefined) return [...COLUMN_KEYS];
  return guarded('options.columns', () => {
    if (!isArray(columns)) {
      throw new WayzoneError('option-value', 'options.columns', expected('an array of columns', columns));
    }
    columns.forEach((column, i) => {
      if (!COLUMN_KEYS.includes(column)) {
        const what = `one of ${COLUMN_KEYS.join(', ')}`;
        throw new WayzoneError('option-value', `options.columns[${i}]`, expected(what, column));
      }
    });
    return COLUMN_KEYS.filter((key) => columns.includes(key));
  });
}

export interface AmountTexts {
  readonly distance: (meters: number) => string;
  readonly duration: (seconds: number) => string;
}

/**
 * Texts of amounts in a language: whole metres below 1 km, kilometres with one decimal below 100 km, whole ones beyond; whole minutes, at
 * least one where the duration is not 0, and hours before them from 60 on. `language-unknown` for a value that is not a language tag.
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
    // A RangeError: no tag of BCP 47.
  }
  throw new WayzoneError(
    'language-unknown',
    'options.language',
    expected('a language tag (BCP 47)', language),
  );
}
