/** The words of the page of a route. */

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

export type RouteWords = Readonly<typeof ENGLISH>;

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
