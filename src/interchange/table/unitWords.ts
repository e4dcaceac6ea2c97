/**
 * Words for units of measure in headers and cells, and names of months in twelve languages from `Intl`. New words of units are added only in
 * this file.
 */

import { pushTo } from '../../core/pushTo.js';

/** Languages whose month names are read. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'cs', 'ru', 'uk'] as const;

export type UnitMeasure = 'speed' | 'length' | 'angle' | 'time' | 'zone';

/** A unit, its factor to km/h or metres, and its words in lower case without spaces. */
export interface UnitWords {
  readonly measure: UnitMeasure;
  readonly unit: string;
  readonly factor: number;
  readonly words: string;
}

export const UNIT_WORD_ROWS: readonly UnitWords[] = [
  {
    measure: 'speed',
    unit: 'kph',
    factor: 1,
    words:
      'kph kmh km/h kmph км/ч кмч км/час км/год km/std km/u km/uur km/sa km/t km/tim kmperhour kilometersperhour',
  },
  { measure: 'speed', unit: 'mps', factor: 3.6, words: 'mps m/s ms м/с мс meterspersecond metrespersecond' },
  { measure: 'speed', unit: 'mph', factor: 1.609344, words: 'mph mi/h milesperhour' },
  { measure: 'speed', unit: 'cmps', factor: 0.036, words: 'cm/s cms cmps см/с' },
  { measure: 'speed', unit: 'dmps', factor: 0.36, words: 'dm/s дм/с' },
  { measure: 'speed', unit: 'ftps', factor: 1.09728, words: 'ft/s fps ftps' },
  {
    measure: 'speed',
    unit: 'knots',
    factor: 1.852,
    words: 'knots knot kn kts kt уз узл узлы узлов noeuds nudos knoten',
  },
  {
    measure: 'length',
    unit: 'm',
    factor: 1,
    words: 'm м meters metres meter metre метр метры метров metros metri mètres',
  },
  {
    measure: 'length',
    unit: 'km',
    factor: 1000,
    words: 'km км kilometers kilometres kilometer kilometre kilómetros kilometros kilomètres',
  },
  { measure: 'length', unit: 'ft', factor: 0.3048, words: 'ft feet foot фут футы футов' },
  { measure: 'length', unit: 'mi', factor: 1609.344, words: 'mi mile miles миль мили' },
  { measure: 'length', unit: 'nmi', factor: 1852, words: 'nmi nm nauticalmiles nauticalmile' },
  { measure: 'angle', unit: '1e-7', factor: 1e-7, words: 'e7 1e-7 1e7 10e-7' },
  { measure: 'angle', unit: '1e-6', factor: 1e-6, words: 'e6 1e-6 1e6 10e-6 microdegrees mdeg' },
  { measure: 'angle', unit: '1e-5', factor: 1e-5, words: 'e5 1e-5 1e5' },
  { measure: 'angle', unit: 'semicircles', factor: 180 / 2 ** 31, words: 'semicircles semicircle' },
  { measure: 'angle', unit: 'degrees', factor: 1, words: 'deg degrees degree ° град градусы градусов grad' },
  { measure: 'angle', unit: 'ddmm', factor: 1, words: 'ddmm ddmm.mmmm dddmm.mmmm ddmm.mmmmm nmea' },
  {
    measure: 'time',
    unit: 'seconds',
    factor: 1000,
    words: 's sec secs seconds unix epochseconds unixs сек с',
  },
  {
    measure: 'time',
    unit: 'milliseconds',
    factor: 1,
    words: 'ms millis milliseconds msec epochms unixms мсек мс',
  },
  { measure: 'time', unit: 'microseconds', factor: 0.001, words: 'us µs μs micros microseconds usec мкс' },
  { measure: 'time', unit: 'nanoseconds', factor: 0.000_001, words: 'ns nanos nanoseconds nsec нс' },
];
const BY_WORD = new Map<string, UnitWords[]>();

for (const row of UNIT_WORD_ROWS) for (const word of row.words.split(' ')) pushTo(BY_WORD, word, row);

/** The unit of a measure named by a text; null for none. */
export function unitIn(text: string, measure: UnitMeasure): UnitWords | null {
  const word = text.toLowerCase().replace(/[\s.]+/g, '');
  const found = (BY_WORD.get(word) ?? BY_WORD.get(text.trim().toLowerCase()) ?? []).find(
    (row) => row.measure === measure,
  );
  return found ?? null;
}

/** Whether a text is the word of any unit. */
export function isUnitWord(text: string): boolean {
  return BY_WORD.has(text.toLowerCase().replace(/[\s.]+/g, ''));
}

/** Factor of a unit to km/h (speeds) or metres (lengths); null if unknown. */
export function factorOf(unit: string, measure: UnitMeasure): number | null {
  return UNIT_WORD_ROWS.find((row) => row.measure === measure && row.unit === unit)?.factor ?? null;
}

const OFFSET = /^(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?$/i;
/** Abbreviations of zones with one offset everywhere, minutes. Others (CST, IST) are ambiguous. */
const ZONE_WORDS: ReadonlyMap<string, number> = new Map([
  ['z', 0],
  ['utc', 0],
  ['gmt', 0],
  ['мск', 180],
  ['msk', 180],
  ['мсквремя', 180],
]);

/** Offset of a zone's text, minutes east of UTC; null if it is not a zone. */
export function zoneOffset(text: string): number | null {
  const trimmed = text.trim();
  const word = ZONE_WORDS.get(trimmed.toLowerCase());
  if (word !== undefined) return word;
  const match = OFFSET.exec(trimmed);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 18 * 60) return null;
  return match[1] === '-' ? -minutes : minutes;
}

/** Names that programs write but `Intl` does not return. */
const FURTHER: readonly (readonly [string, number])[] = [
  ['sept', 9],
  ['mrz', 3],
  ['märz', 3],
  ['dez', 12],
  ['июня', 6],
  ['июля', 7],
  ['мая', 5],
  ['май', 5],
  ['сент', 9],
  ['нояб', 11],
  ['февр', 2],
];

/** Months by name, in the form of a `ReadonlyMap`. */
export interface MonthNames {
  /** The number of a month by its name in lower case, without points; undefined for other texts. */
  get(name: string): number | undefined;
}

/** Month names of all languages, except those that mean several months. Made at the first look-up, because most tables have none. */
export function monthNames(): MonthNames {
  let names: MonthNames | null = null;
  return {
    get: (name) => {
      names ??= allNames();
      return names.get(name);
    },
  };
}

function allNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const mixed = new Set<string>();
  const add = (name: string, month: number): void => {
    const plain = plainMonth(name);
    if (plain.length < 2 || /\d/.test(plain)) return;
    const known = found.get(plain);
    if (known !== undefined && known !== month) mixed.add(plain);
    found.set(plain, month);
  };
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, {
          month,
          timeZone: 'UTC',
          ...(day === undefined ? {} : { day }),
        });
        for (let i = 0; i < 12; i++) {
          const part = format.formatToParts(Date.UTC(2026, i, 15)).find(({ type }) => type === 'month');
          if (part !== undefined) add(part.value, i + 1);
        }
      }
    }
  }
  for (const [name, month] of FURTHER) add(name, month);
  for (const name of mixed) found.delete(name);
  return found;
}

export function plainMonth(name: string): string {
  return name.toLowerCase().replace(/[.\s]/g, '');
}
