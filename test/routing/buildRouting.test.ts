import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { distanceMeters, zoneContains } from '../../src/index.js';
import {
  type BuildRoutingOptions,
  buildRouting,
  type RoutingEngine,
  routeToZone,
  straightLineEngine,
  valhallaEngine,
} from '../../src/routing/index.js';
import { errorOf } from '../errorOf.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { wkt } from '../wkt.js';
import { rejected } from './loopback.js';

const TEXT = '55.70,37.50;55.80,37.70;55.71,37.52;55.79,37.68';
const plain = straightLineEngine({ speedKph: 60, detourFactor: 1 });

describe('the answer of /routing', () => {
  test('columns selects the fields of every row, in order', async () => {
    const { columns, values } = await buildRouting(TEXT, { engine: plain, language: 'en' });
    expect(columns).toEqual([
      { key: 'style', value: 'Style' },
      { key: 'points', value: 'Points' },
      { key: 'order', value: 'No.' },
      { key: 'from', value: 'From point' },
      { key: 'to', value: 'To point' },
      { key: 'distance', value: 'Distance, m' },
      { key: 'distance_text', value: 'Distance' },
      { key: 'duration', value: 'Duration, s' },
      { key: 'duration_text', value: 'Duration' },
      { key: 'instructions', value: 'Instructions' },
    ]);
    expect(values).toHaveLength(3);
    for (const row of values) expect(Object.keys(row)).toEqual(columns.map(({ key }) => key));
    const meters = distanceMeters([37.5, 55.7], [37.7, 55.8]);
    expect(values[0]).toEqual({
      style: { hex_color: '#1585D8', width: 4 },
      points: wkt('37.5 55.7, 37.7 55.8'),
      order: 1,
      from: 0,
      to: 1,
      distance: meters,
      distance_text: '16.8 km',
      duration: meters / (60 / 3.6),
      duration_text: '17 min',
      instructions: ['Head northeast', 'You have arrived at your 1st destination'],
    });
    expect(values[2]!.instructions!.at(-1)).toBe('You have arrived at your destination');
  });

  test('a Russian answer with latitude first, selected columns and another style', async () => {
    const { columns, values } = await buildRouting('55.75,37.61;55.70,37.50', {
      engine: plain,
      language: 'ru',
      axisOrder: 'latlon',
      columns: ['instructions', 'distance_text', 'distance_text'],
      style: { hex_color: '#F56C6C', width: 2 },
    });
    expect(columns.map(({ value }) => value)).toEqual(['Стиль', 'Точки', 'Расстояние', 'Указания']);
    expect(values).toEqual([
      {
        style: { hex_color: '#F56C6C', width: 2 },
        points: wkt('55.75 37.61, 55.7 37.5'),
        distance_text: '8,9 км',
        instructions: ['Двигайтесь в юго-западном направлении', 'Вы прибыли в пункт назначения'],
      },
    ]);
  });

  test('the caller\u2019s titles, in a language of their own', async () => {
    const { columns, values } = await buildRouting('1,2;3,4', {
      language: 'de-AT',
      titles: { distance_text: 'Strecke', style: 'Stil' },
      columns: ['distance_text', 'instructions'],
    });
    expect(columns.map(({ value }) => value)).toEqual(['Stil', 'Points', 'Strecke', 'Instructions']);
    expect(values[0]!.instructions![0]).toBe('Fahren Sie Richtung Nordosten');
  });

  test('distances and durations as texts at the limits of each unit', async () => {
    const engineOf = (meters: number, seconds: number): RoutingEngine => ({
      ...plain,
      route: async (points) => {
        const { legs } = await plain.route(points);
        return {
          distanceMeters: meters,
          durationSeconds: seconds,
          legs: [{ ...legs[0]!, distanceMeters: meters, durationSeconds: seconds }],
        };
      },
    });
    for (const [meters, seconds, distance, duration] of [
      [0, 0, '0 m', '0 min'],
      [999.4, 1, '999 m', '1 min'],
      [999.5, 89, '1 km', '1 min'],
      [1234, 90, '1.2 km', '2 min'],
      [99_949, 3569, '99.9 km', '59 min'],
      [99_951, 3570, '100 km', '1 hr'],
      [1_234_567, 36_060, '1,235 km', '10 hr 1 min'],
    ] as const) {
      const { values } = await buildRouting('1,2;3,4', { engine: engineOf(meters, seconds) });
      expect(values[0]).toMatchObject({ distance_text: distance, duration_text: duration });
    }
  });
});

describe('optimize', () => {
  const stops = async (optimize: BuildRoutingOptions['optimize']): Promise<number[]> => {
    const { values } = await buildRouting(TEXT, {
      engine: plain,
      ...(optimize === undefined ? {} : { optimize }),
    });
    for (const [i, row] of values.entries()) if (i > 0) expect(row.from).toBe(values[i - 1]!.to);
    return [values[0]!.from!, ...values.map((row) => row.to!)];
  };

  test('no sorting, fixed first and last stop, free ends, a round trip', async () => {
    expect(await stops(undefined)).toEqual([0, 1, 2, 3]);
    expect(await stops(false)).toEqual([0, 1, 2, 3]);
    expect(await stops(true)).toEqual([0, 2, 1, 3]);
    expect(await stops({})).toEqual([0, 2, 3, 1]);
    expect(await stops({ start: 1 })).toEqual([1, 3, 2, 0]);
    expect(await stops({ start: 2, end: 0 })).toEqual([2, 3, 1, 0]);
    expect((await stops({ start: 3, roundTrip: true })).slice(-1)).toEqual([3]);
    expect(await stops({ start: 3, end: 3 })).toHaveLength(5);
    expect(await stops({ roundTrip: true })).toHaveLength(5);
  });

  test('by distance when the fastest order is not the shortest', async () => {
    const engine: RoutingEngine = {
      ...plain,
      matrix: async () => ({
        durationsSeconds: [
          [0, 9, 1, 9],
          [9, 0, 9, 1],
          [9, 1, 0, 9],
          [9, 9, 9, 0],
        ],
        distancesMeters: [
          [0, 1, 9, 9],
          [9, 0, 1, 9],
          [9, 9, 0, 1],
          [9, 9, 9, 0],
        ],
      }),
    };
    const order = async (by: 'duration' | 'distance'): Promise<unknown[]> =>
      (await buildRouting(TEXT, { engine, by, optimize: true })).values.map((row) => row.to);
    expect(await order('duration')).toEqual([2, 1, 3]);
    expect(await order('distance')).toEqual([1, 2, 3]);
  });
});

test.each([
  ['1,2', {}, 'routing-points', 'points'],
  ['1,2;91,4', {}, 'lat-range', 'points[1][0]'],
  ['1,2;3,4;5,6', { maxPoints: 2 }, 'limit-points', 'points'],
  ['1,2;3,4', { language: 'tlh' }, 'language-unknown', 'options.language'],
  ['1,2;3,4', { language: 'no such tag' }, 'language-unknown', 'options.language'],
  ['1,2;3,4', { language: 7 }, 'language-unknown', 'options.language'],
  ['1,2;3,4', { axisOrder: 'xy' }, 'option-value', 'options.axisOrder'],
  ['1,2;3,4', { columns: ['price'] }, 'option-value', 'options.columns[0]'],
  ['1,2;3,4', { columns: 'order' }, 'option-value', 'options.columns'],
  ['1,2;3,4', { titles: { order: 7 } }, 'option-value', 'options.titles.order'],
  ['1,2;3,4', { style: { hex_color: 'red', width: 1 } }, 'option-value', 'options.style.hex_color'],
  ['1,2;3,4', { style: { hex_color: '#123456', width: -1 } }, 'option-value', 'options.style.width'],
  ['1,2;3,4', { optimize: 'yes' }, 'option-value', 'options.optimize'],
  ['1,2;3,4', { optimize: { start: 2 } }, 'option-value', 'options.start'],
  ['1,2;3,4', { optimize: true, by: 'price' }, 'option-value', 'options.by'],
  ['1,2;3,4', null, 'option-type', 'options'],
])('%s with %j: refused', async (text, options, code, field) => {
  expect(await rejected(buildRouting(text, options as BuildRoutingOptions))).toMatchObject({ code, field });
});

test('without instructions any language tag is accepted', async () => {
  const { values } = await buildRouting('1,2;3,4', { language: 'tlh', columns: ['distance'] });
  expect(Object.keys(values[0]!)).toEqual(['style', 'points', 'distance']);
});

needs(sharedData('osm/valhalla-responses')).describe('a recorded answer (needs ../shared/data)', () => {
  test('a truck route through five stops with Russian instructions, and its corridor', async () => {
    const { query, response } = JSON.parse(
      readFileSync(dataPath('osm/valhalla-responses/route-osrm-truck-5stops-ru.json'), 'utf8'),
    ) as { query: { locations: { lat: number; lon: number }[] }; response: unknown };
    const text = query.locations.map(({ lat, lon }) => `${lat},${lon}`).join(';');
    const engine = valhallaEngine({ actor: { route: () => response, matrix: () => ({}) } });
    const result = await buildRouting(text, { engine, language: 'ru' });
    expect(result.values).toHaveLength(4);
    expect(result.values[0]!.instructions!.slice(0, 2)).toEqual([
      'Двигайтесь в северном направлении по Gnetsch',
      'Поверните направо на Gagoz',
    ]);
    expect(result.values[0]!.distance_text).toBe('8,1 км');
    const zone = routeToZone(result, 40);
    for (const row of result.values) {
      for (const pair of row.points) expect(zoneContains(zone, pair)).toBe(true);
    }
    expect(zone.geometry.length).toBeLessThan(result.values.reduce((sum, row) => sum + row.points.length, 0));
  });
});

describe('routeToZone', () => {
  const rows = (...lines: unknown[]): Parameters<typeof routeToZone>[0] =>
    ({ values: lines.map((points) => ({ style: { hex_color: '#000000', width: 1 }, points })) }) as never;

  test('joins the legs; a place shared by two legs appears once', () => {
    expect(routeToZone(rows(wkt('1 2, 3 4'), wkt('3 4, 3 4, 5 6'), wkt('7 8, 9 9')), 10)).toEqual({
      type: { key: 'line' },
      geometry: wkt('1 2, 3 4, 3 4, 5 6, 7 8, 9 9'),
      width: 10,
    });
  });

  test.each([
    [rows(), 10, 'routing-result', 'result.values'],
    [rows([[1, 2]]), 10, 'routing-result', 'result.values'],
    [rows(7), 10, 'routing-result', 'result.values[0].points'],
    [rows([[1, 2], [3]]), 10, 'routing-result', 'result.values[0].points[1]'],
    [{}, 10, 'routing-result', 'result.values'],
    [null, 10, 'input-unreadable', 'result.values'],
    [rows(wkt('1 2, 3 4')), 0, 'width-range', 'widthMeters'],
    [rows(wkt('1 2, 3 4')), Number.NaN, 'width-range', 'widthMeters'],
  ])('%j, width %d: refused', (result, width, code, field) => {
    expect(errorOf(() => routeToZone(result as never, width))).toMatchObject({ code, field });
  });
});
