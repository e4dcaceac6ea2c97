/** The data and helpers that all parts of the report's script share. */

import type { PageData } from '../pageData.js';
import type { ReportWords } from '../reportWords.js';
import { type Clock, clockOf } from './clock.js';
import { byId } from './dom.js';
import { numberFormat } from './formats.js';
import { createMapView, type MapView } from './mapView.js';

export interface Page {
  readonly data: PageData;
  readonly words: ReportWords;
  /** The clock of all times except those of trips, which have their own zone. */
  readonly clock: Clock;
  readonly number: (value: number | null, digits: number) => string;
  readonly view: MapView;
}

/** The data block of the page. */
export function readData<T>(): T {
  return JSON.parse(byId('data').textContent ?? '') as T;
}

export function createPage(): Page {
  const data = readData<PageData>();
  return {
    data,
    words: data.words,
    clock: clockOf(data.timeZone),
    number: numberFormat(data.words.language),
    view: createMapView(),
  };
}

/** The page's word for a status or kind. */
export function wordOf(words: ReportWords, status: string): string {
  return words.statuses[status] ?? status.replaceAll('_', ' ');
}
