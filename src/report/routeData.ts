/** The data and the words of the script of a route's page. */

import { lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { edgeLength } from '../geodesy/edgeSums.js';
import { packLine, thin } from './thin.js';
import { sixDecimals } from './trackLines.js';

interface RouteLegInput {
  /** Positions `[lon, lat]`, at least one. */
  readonly points: readonly Position[];
  /** Distance, as text in the page's language. */
  readonly distance: string;
  readonly duration: string;
  readonly instructions: readonly RouteInstruction[];
}

interface RouteInstruction {
  readonly text: string;
  /** Distance to the next instruction as text; empty for the last one. */
  readonly distance: string;
  /** Share of the leg's length before the instruction, 0 to 1. */
  readonly share: number;
}

/** The route that a page shows. */
export interface RoutePageInput {
  readonly title: string;
  /** Language tag of the instructions and amounts. The page's own words are Russian for `ru`, else English. */
  readonly language: string;
  /** Name of the routing engine. */
  readonly engine: string;
  /** Indices of the stops in the request, in the order of driving. There is one more stop than legs. */
  readonly stops: readonly number[];
  readonly legs: readonly RouteLegInput[];
  readonly distance: string;
  readonly duration: string;
}

/** Largest distance of a dropped vertex from the drawn line, metres. */
export const ROUTE_TOLERANCE_METERS = 1;

interface DrawnStep {
  readonly text: string;
  readonly distance: string;
  /** Position `[lat, lon]`. */
  readonly place: readonly [number, number];
}

export interface RouteData {
  readonly distance: string;
  readonly duration: string;
  readonly stops: readonly { readonly point: number; readonly place: readonly [number, number] }[];
  readonly legs: readonly {
    readonly distance: string;
    readonly duration: string;
    /** Packed line (`packLine`). */
    readonly line: readonly number[];
    readonly steps: readonly DrawnStep[];
  }[];
}

/** Data of the page: the route and the page's words. */
export interface RoutePageData extends RouteData {
  readonly words: RouteWords;
}

/** The route with longitudes unrolled across the antimeridian, from the first leg to the last. */
export function routeData({ distance, duration, stops, legs }: RoutePageInput): RouteData {
  const lines = unrolled(legs.map((leg) => leg.points));
  const ends = [lines[0]?.[0], ...lines.map((line) => line.at(-1))];
  return {
    distance,
    duration,
    stops: stops.map((point, i) => ({ point, place: routePlaceOf(ends[i] ?? [0, 0]) })),
    legs: legs.map((leg, i) => legOf(leg, lines[i]!)),
  };
}

function legOf(leg: RouteLegInput, line: readonly Position[]): RouteData['legs'][number] {
  const lon = line.map((position) => position[0]);
  const lat = line.map((position) => position[1]);
  const along = [0];
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [leg.points[i - 1]!, leg.points[i]!];
    along.push(along[i - 1]! + edgeLength(from[0], from[1], to[0], to[1]));
  }
  return {
    distance: leg.distance,
    duration: leg.duration,
    line: packLine(lon, lat, thin(lon, lat, ROUTE_TOLERANCE_METERS)),
    steps: leg.instructions.map(({ text, distance, share }) => ({
      text,
      distance,
      place: routePlaceOf(at(line, along, share)),
    })),
  };
}

/** The position at a share of the line's length. */
function at(line: readonly Position[], along: readonly number[], share: number): Position {
  const goal = share * along.at(-1)!;
  let i = 1;
  while (i < line.length - 1 && along[i]! < goal) i++;
  const [from, to] = [line[i - 1]!, line[i] ?? line[i - 1]!];
  const step = (along[i] ?? 0) - along[i - 1]!;
  const part = step > 0 ? Math.min(1, Math.max(0, (goal - along[i - 1]!) / step)) : 0;
  return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
}

function unrolled(lines: readonly (readonly Position[])[]): Position[][] {
  let last: Position | null = null;
  let unwrapped = 0;
  return lines.map((line) =>
    line.map((position): Position => {
      unwrapped = last === null ? position[0] : unwrapped + lonStep(last[0], position[0]);
      last = position;
      return [unwrapped, position[1]];
    }),
  );
}

function routePlaceOf([lon, lat]: Position): [number, number] {
  return [sixDecimals(lat), sixDecimals(lon)];
}

const ENGLISH = {
  /** Tag of the language of these words. */
  language: 'en',
  /** Default title of the page and of the route in files. */
  title: 'Route',
  engine: 'Engine',
  map: 'Map',
  home: 'Whole route',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  close: 'Close',
  scaleKm: 'km',
  scaleMeters: 'm',
  scaleMiles: 'mi',
  scaleFeet: 'ft',
  legs: 'Legs',
  stops: 'Stops',
  distance: 'Distance',
  duration: 'Duration',
  instructions: 'Instructions',
  stop: 'Stop',
  point: 'Given as point {number}',
  thinned:
    'The drawn line is thinned by at most {meters} m; the other files that the program writes are exact.',
  leaflet: 'Map: Leaflet (BSD-2-Clause), without tiles.',
};

type RouteWords = Readonly<typeof ENGLISH>;

const RUSSIAN: RouteWords = {
  language: 'ru',
  title: 'Маршрут',
  engine: 'Движок',
  map: 'Карта',
  home: 'Весь маршрут',
  zoomIn: 'Приблизить',
  zoomOut: 'Отдалить',
  close: 'Закрыть',
  scaleKm: 'км',
  scaleMeters: 'м',
  scaleMiles: 'миль',
  scaleFeet: 'фт',
  legs: 'Участки',
  stops: 'Остановки',
  distance: 'Расстояние',
  duration: 'Время в пути',
  instructions: 'Указания',
  stop: 'Остановка',
  point: 'В запросе это точка {number}',
  thinned:
    'Нарисованная линия прорежена не более чем на {meters} м; другие файлы, которые пишет программа, точны.',
  leaflet: 'Карта: Leaflet (BSD-2-Clause), без подложки.',
};

/** Russian for `ru` and its regions, else English. */
export function routeWords(language: string): RouteWords {
  return /^ru\b/i.test(language) ? RUSSIAN : ENGLISH;
}
