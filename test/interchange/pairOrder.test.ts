/** The order of two coordinates in one cell: by the letters of the cell, else by the header, else said. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';
import { volume } from '../volume.js';

const ASSUMED = /of one cell are/;

function read(header: string, cells: readonly string[]): ReturnType<typeof fromCsv> {
  const rows = cells.map((cell, i) => `A,2026-08-25T10:0${i}:00Z,"${cell.replaceAll('"', '""')}"`);
  return fromCsv(`Vehicle,Time,"${header}"\n${rows.join('\n')}\n`, { table: { kind: 'fixes' } });
}

function place(header: string, cell: string): number[] | undefined {
  const fix = read(header, [cell]).value.tracks[0]?.fixes[0];
  return fix === undefined ? undefined : [fix.lat, fix.lon].map((value) => Math.round(value * 1e5) / 1e5);
}

describe('letters', () => {
  test.each([
    'E 37.61, N 55.75',
    '37.61E 55.75N',
    `E 37° 36' 36", N 55° 45' 0"`,
    `N 55° 45' 00.0" E 37° 36' 36.0"`,
    `37°36'36"E 55°45'00"N`,
    '37°36.6′ в.д., 55°45′ с.ш.',
    '55°45′ с.ш.; 37°36.6′ в.д.',
  ])('%s', (cell) => {
    expect(place('Position', cell)).toEqual([55.75, 37.61]);
    expect(read('Position', [cell]).issues.filter(({ message }) => ASSUMED.test(message))).toEqual([]);
  });

  test('decide against the header', () => {
    expect(place('Position (lon, lat)', 'S 55.75, W 37.61')).toEqual([-55.75, -37.61]);
  });

  test('two of one kind are no position', () => {
    expect(place('Position', 'N 55.75, N 37.61')).toBeUndefined();
    expect(place('Position', 'E 55.75 W 37.61')).toBeUndefined();
    const columns = (lat: string, lon: string): number =>
      fromCsv(`Vehicle,Time,Lat,Lon\nA,2026-08-25T10:00:00Z,${lat},${lon}\n`).value.tracks.length;
    expect(columns('N 55.75', 'E 37.61')).toBe(1);
    expect(columns('E 37.61', 'N 55.75')).toBe(0);
  });

  test('any position, any order', () => {
    const degrees = (most: number): fc.Arbitrary<number> => fc.integer({ min: -most * 1e4, max: most * 1e4 });
    fc.assert(
      fc.property(degrees(90), degrees(180), fc.boolean(), fc.boolean(), (y, x, isLonFirst, isBehind) => {
        const half = (value: number, letters: string): string => {
          const letter = letters.charAt(value < 0 ? 1 : 0);
          const text = (Math.abs(value) / 1e4).toFixed(4);
          return isBehind ? `${text}° ${letter}` : `${letter} ${text}°`;
        };
        const [lat, lon] = [half(y, 'NS'), half(x, 'EW')];
        const found = place('Position', isLonFirst ? `${lon} ${lat}` : `${lat} ${lon}`);
        expect(found).toEqual([y / 1e4, x / 1e4].map((value) => value + 0));
      }),
      { numRuns: volume(300), seed: 5 },
    );
  });
});

describe('headers', () => {
  test.each([
    'Coordinates (lon, lat)',
    'Location (Longitude/Latitude)',
    'Position (x,y)',
    'lonlat',
    'LngLat',
    'Longitude, Latitude',
    'Long/Lat',
    'Долгота, широта',
  ])('%s: the longitude is first', (header) => {
    expect(place(header, '37.61, 55.75')).toEqual([55.75, 37.61]);
    expect(read(header, ['37.61, 55.75']).issues.filter(({ message }) => ASSUMED.test(message))).toEqual([]);
  });

  test.each(['Coordinates (lat, lon)', 'latlng', 'Latitude/Longitude', 'Широта, долгота'])(
    '%s: the latitude is first',
    (header) => {
      expect(place(header, '55.75, 37.61')).toEqual([55.75, 37.61]);
    },
  );

  test('without words the order is said', () => {
    const { value, issues } = read('Coordinates', ['55.75, 37.61']);
    expect(value.tracks[0]?.fixes[0]).toMatchObject({ lat: 55.75, lon: 37.61 });
    expect(issues.some(({ message }) => ASSUMED.test(message))).toBe(true);
  });

  test('longitudes beyond 90 show it, and the question names the flag', () => {
    expect(place('Coordinates', '137.61, 35.75')).toEqual([35.75, 137.61]);
    const text = 'Vehicle,Time,Coordinates\nA,2026-08-25T10:00:00Z,"137.61, 35.75"\n';
    const { issues } = fromCsv(text, { table: { axisOrder: 'latlon' } });
    expect(issues.map(({ message }) => message).join()).toContain('--axis-order lonlat');
  });

  test('outlines in one cell', () => {
    const text = (header: string): string => `name,"${header}"\nA,"37 55; 38 55; 38 56"\n`;
    const first = (header: string): unknown => fromCsv(text(header)).value.zones[0]?.geometry?.[0];
    expect(first('Contour (lon, lat)')).toEqual([37, 55]);
    expect(first('Contour (lat, lon)')).toEqual([55, 37]);
    expect(fromCsv(text('Contour')).issues).toMatchObject([{ code: 'axis-order-suspect' }]);
  });
});
