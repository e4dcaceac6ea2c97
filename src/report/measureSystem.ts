/** The systems of units that the page can show: one row of units and one of words for each. */

import type { ReportWords } from './reportWords.js';

interface MeasureUnits {
  /** Metres of the unit of ways. Its hour is the unit of speeds. */
  readonly wayMeters: number;
  /** Metres of the unit of lengths; its square is the unit of areas. */
  readonly lengthMeters: number;
  /** Whether the scale of the map is metric. */
  readonly isMetric: boolean;
}

export type MeasureSystem = 'km' | 'miles';

/** The units of each system. */
export const MEASURE_SYSTEMS: Readonly<Record<MeasureSystem, MeasureUnits>> = {
  km: { wayMeters: 1000, lengthMeters: 1, isMetric: true },
  miles: { wayMeters: 1609.344, lengthMeters: 0.3048, isMetric: false },
};

/** Metres of a hundredth of the unit of ways: the page shows ways with two decimals, and their totals are exact. */
export function wayStepMeters(system: MeasureSystem): number {
  return MEASURE_SYSTEMS[system].wayMeters / 100;
}

type UnitWords = Pick<
  ReportWords,
  | 'km'
  | 'kph'
  | 'meters'
  | 'squareMeters'
  | 'kmDriven'
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
  kmDriven: 'miles driven',
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
  kmDriven: 'Пройдено, мили',
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

/** The words of each system in each language, where they differ from the language's own. */
const WORDS: Readonly<Record<MeasureSystem, Readonly<Record<'en' | 'ru', Partial<UnitWords>>>>> = {
  km: { en: {}, ru: {} },
  miles: { en: MILES_ENGLISH, ru: MILES_RUSSIAN },
};

/** The words with the units of a system: miles, miles an hour and feet instead of kilometres and metres. */
export function wordsOfSystem(words: ReportWords, system: MeasureSystem): ReportWords {
  return { ...words, ...WORDS[system][words.language === 'ru' ? 'ru' : 'en'] };
}
