/** Data and helpers that all parts of the report's script share. */

import type { DataBlock } from '../dataBlocks.js';
import type { PageData, PageTripShape } from '../pageData.js';
import type { ReportWords } from '../reportWordsEnglish.js';
import { createLinks, type Links } from './links.js';
import { createMapView, type MapView } from './mapView.js';
import { byId } from './shared/dom.js';
import { type Clock, clockOf, createMeasures, fill, type Measures, numberFormat } from './shared/formats.js';

export interface Page {
  readonly data: PageData;
  readonly words: ReportWords;
  /** The clock of all times except those of trips, which have their own zone. */
  readonly clock: Clock;
  readonly number: (value: number | null, digits: number) => string;
  readonly measures: Measures;
  readonly links: Links;
  readonly view: MapView;
}

/** The parsed data block of the page. */
export function readData<T>(): T {
  return JSON.parse(byId('data').textContent ?? '') as T;
}

/** The parsed data of all blocks of a report. Yields between blocks. */
function* readBlocks(): Generator<void, PageData, void> {
  const data = readData<PageData>();
  const { units, visits, mileage } = data;
  const { speeding, rides } = data.conduct;
  const lists: Readonly<Record<DataBlock['list'], readonly unknown[] | null>> = {
    units,
    visits,
    mileage,
    speeding,
    rides,
  };
  for (const block of document.querySelectorAll('script.data')) {
    yield;
    const { list, items } = JSON.parse(block.textContent ?? '') as DataBlock;
    (lists[list] as unknown[]).push(...items);
  }
  yield;
  return data;
}

/** Reads the data and creates the map, with pauses. */
export function* createPage(): Generator<void, Page, void> {
  const data = yield* readBlocks();
  return {
    data,
    words: data.words,
    clock: clockOf(data.timeZone),
    number: numberFormat(data.words.language),
    measures: createMeasures(data.measures),
    links: createLinks(),
    view: createMapView(data.words, data.measures),
  };
}

/** A position as text, rounded to about 1 m. */
export function placeText(
  { words, number }: Pick<Page, 'words' | 'number'>,
  lat: number,
  lon: number,
): string {
  const wrapped = ((((lon + 180) % 360) + 360) % 360) - 180;
  const degrees = (value: number, word: string): string => `${number(Math.abs(value), 5)}° ${word}`;
  return fill(words.coordinates, {
    lat: degrees(lat, lat < 0 ? words.south : words.north),
    lon: degrees(wrapped, wrapped < 0 ? words.west : words.east),
  });
}

/** Positions `[lat, lon]` in degrees of a packed line. */
export function unpack(packed: readonly number[]): [number, number][] {
  const line: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  for (let i = 0; i + 1 < packed.length; i += 2) {
    lat += packed[i]!;
    lon += packed[i + 1]!;
    line.push([lat / 1e6, lon / 1e6]);
  }
  return line;
}

/** The outline of a zone or point; a dot for a bare position. */
export function drawnOutlineOf(
  shape: PageTripShape,
  options: L.CircleMarkerOptions,
): L.Polygon | L.CircleMarker {
  const rings = shape.map((polygon) => polygon.map(unpack));
  const first = rings[0]?.[0] ?? [];
  if (first.length === 1) return L.circleMarker(first[0]!, { ...options, radius: 5, fillOpacity: 0.7 });
  return L.polygon(rings, options);
}
