/** Kilometres or miles: what the page shows, and the words for it. */

import type { ReportWords } from './reportWords.js';

export type MeasureSystem = 'km' | 'miles';

export const METERS_PER_MILE = 1609.344;

/** Metres of a hundredth of a kilometre or mile: the page shows ways with two decimals, and their totals are exact. */
export function wayStepMeters(system: MeasureSystem): number {
  return (system === 'km' ? 1000 : METERS_PER_MILE) / 100;
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

/** The words with miles, miles an hour and feet instead of kilometres and metres. */
export function wordsOfSystem(words: ReportWords, system: MeasureSystem): ReportWords {
  if (system === 'km') return words;
  return { ...words, ...(words.language === 'ru' ? MILES_RUSSIAN : MILES_ENGLISH) };
}
