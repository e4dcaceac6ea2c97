import polyline from '@mapbox/polyline';
import { describe, expect, test } from 'vitest';
import { decodePolyline } from '../../src/routing/engineAnswer.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';

/** @mapbox/polyline decodes to `[lat, lon]`. */
const peer = (text: string, precision: number): [number, number][] =>
  polyline.decode(text, precision).map(([lat, lon]): [number, number] => [lon, lat]);

test('the example in Google\u2019s description', () => {
  expect(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@', 5)).toEqual(
    wkt('-120.2 38.5, -120.95 40.7, -126.453 43.252'),
  );
  expect(decodePolyline('', 6)).toEqual([]);
});

test.each([5, 6] as const)('precision %i equals @mapbox/polyline at random places', (precision) => {
  const random = seeded(precision);
  for (let round = 0; round < volume(20_000); round++) {
    const line = Array.from({ length: 1 + Math.floor(random() * 20) }, (): [number, number] => [
      random() * 180 - 90,
      random() * 360 - 180,
    ]);
    const text = polyline.encode(line, precision);
    expect(decodePolyline(text, precision)).toEqual(peer(text, precision));
  }
});

test('poles and ±180° are read and written', () => {
  const corners: [number, number][] = wkt('90 180, -90 -180, 90 -180, 0 0, -90 180');
  expect(decodePolyline(polyline.encode(corners, 6), 6)).toEqual(corners.map(([lat, lon]) => [lon, lat]));
});

describe('an invalid polyline gives null', () => {
  test.each([
    ['cut off within a number', '_p~iF~ps|U_ul'],
    ['cut off between latitude and longitude', '_p~iF'],
    ['a foreign character', '_p~iF~ps|U_ulL nqC'],
    ['a character outside the alphabet', '_p~iFéps|U'],
    ['a number that never ends', `${'_'.repeat(50)}?`],
    ['a latitude beyond the pole', polyline.encode([[91, 0]], 6)],
    ['a longitude beyond 180', polyline.encode([[0, 180.000001]], 6)],
    ['a sum of differences beyond the pole', polyline.encode(wkt('80 0, 89 0, 99 0'), 6)],
  ])('%s', (_, text) => {
    expect(decodePolyline(text, 6)).toBeNull();
  });
});
