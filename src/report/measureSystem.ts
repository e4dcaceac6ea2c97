/** The systems of units of the page: a row of units and a row of words for each. */

import type { ReportWords } from './reportWordsEnglish.js';

interface MeasureUnits {
  /** Metres in the unit of distances. Speeds are in this unit per hour. */
  readonly wayMeters: number;
  /** Metres in the unit of lengths. Areas are in its square. */
  readonly lengthMeters: number;
  /** Whether the map's scale is metric. */
  readonly isMetric: boolean;
}

export type MeasureSystem = 'km' | 'miles';

/** The units of each system. */
export const MEASURE_SYSTEMS: Readonly<Record<MeasureSystem, MeasureUnits>> = {
  km: { wayMeters: 1000, lengthMeters: 1, isMetric: true },
  miles: { wayMeters: 1609.344, lengthMeters: 0.3048, isMetric: false },
};

/** Metres in a hundredth of the unit of distances: the page shows distances with two decimals, and their totals are exact. */
export function wayStepMeters(system: MeasureSystem): number {
  return MEASURE_SYSTEMS[system].wayMeters / 100;
}

type UnitWords = Pick<
  ReportWords,
  | 'km'
  | 'kph'
  | 'meters'
  | 'squareMeters'
  | 'unseenKm'
  | 'maxKph'
  | 'limit'
  | 'overBy'
  | 'nearest'
  | 'fromKm'
  | 'toKm'
  | 'atMostKph'
  | 'limitIs'
  | 'routeOf'
>;

const MILES_ENGLISH: UnitWords = {
  km: 'mi',
  kph: 'mph',
  meters: 'ft',
  squareMeters: 'ft²',
  unseenKm: 'miles not seen',
  maxKph: 'Max mph',
  limit: 'Limit, mph',
  overBy: 'Over by, mph',
  nearest: 'Nearest, ft',
  fromKm: 'From, mi',
  toKm: 'To, mi',
  atMostKph: 'at most {kph} mph',
  limitIs: 'limit {kph} mph',
  routeOf: '{name}, {km} mi',
};

const MILES_RUSSIAN: UnitWords = {
  km: 'мили',
  kph: 'миль/ч',
  meters: 'фт',
  squareMeters: 'фт²',
  unseenKm: 'Без данных, мили',
  maxKph: 'Макс. миль/ч',
  limit: 'Лимит, миль/ч',
  overBy: 'Превышение, миль/ч',
  nearest: 'Ближе всего, фт',
  fromKm: 'С, мили',
  toKm: 'По, мили',
  atMostKph: 'не более {kph} миль/ч',
  limitIs: 'лимит {kph} миль/ч',
  routeOf: '{name}, мили: {km}',
};

/** Words of each system that differ from the language's own words. */
const WORDS: Readonly<Record<MeasureSystem, Readonly<Record<'en' | 'ru', Partial<UnitWords>>>>> = {
  km: { en: {}, ru: {} },
  miles: { en: MILES_ENGLISH, ru: MILES_RUSSIAN },
};

/** The words with the units of a system: for miles, `miles`, `mph` and `feet` in place of `km`, `km/h` and `m`. */
export function wordsOfSystem(words: ReportWords, system: MeasureSystem): ReportWords {
  return { ...words, ...WORDS[system][words.language === 'ru' ? 'ru' : 'en'] };
}
