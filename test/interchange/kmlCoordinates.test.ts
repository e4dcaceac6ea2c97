import { expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { Crs } from '../../src/interchange/crs/crs.js';
import { parseKmlCoordinates } from '../../src/interchange/kml/kmlCoordinates.js';
import { seeded } from '../volume.js';

/** Passing a coordinate system selects the slow reader. */
const SAME: Crs = { name: 'same', toWgs84: (x, y) => [x, y], fromWgs84: (lon, lat) => [lon, lat] };

function said(text: string, crs: Crs | null): string {
  try {
    const { positions, altitudes } = parseKmlCoordinates(text, 'c', crs);
    const pairs = positions.map((pair) => pair.map((value) => (Object.is(value, -0) ? '-0' : String(value))));
    return JSON.stringify({ pairs, altitudes });
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return `${error.code} ${error.field} ${error.message}`;
  }
}

test('the fast and the slow reader return the same tuples', () => {
  const texts = [
    '',
    ' \n\t\r ',
    '1,2',
    ' 1,2 ',
    '1,2,3 4,5,0 6,7,-0 8,9,0.0',
    '1,2,',
    '1,2,3,4',
    '1,2,x',
    '1 ,2',
    '1, 2',
    '1,2;3,4',
    '+1,-2 01,002 1.,2. .5,-.5 -0,+0',
    '1e1,2E-1',
    '1.2.3,4',
    '181,2 540,90 -540,-90',
    '541,2',
    '1,90.000001',
    '55.7,137.6',
    '1,NaN Infinity,2',
    '1,2\u00a03,4',
    '1,2\u0000',
    '\u00411,2',
    '37.123456789012345,55.12345678901234567890 0.1234567890123456789012345,1',
    '１,2',
    '1,2 3',
    ',1,2',
    '--1,2',
  ];
  for (const text of texts) expect(said(text, null), text).toBe(said(text, SAME));
  const random = seeded(11);
  const marks = '0123456789.,-+ \n\teE\u00e9';
  for (let run = 0; run < 5000; run++) {
    let text = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const tuple = [random() * 400 - 200, random() * 200 - 100, random() * 10].slice(
        0,
        random() < 0.8 ? 2 : 3,
      );
      return tuple
        .map((value) => (random() < 0.5 ? value.toFixed(Math.floor(random() * 9)) : value))
        .join(',');
    }).join(random() < 0.5 ? ' ' : '\n ');
    if (random() < 0.6) {
      const at = Math.floor(random() * text.length);
      const mark = marks.charAt(Math.floor(random() * marks.length));
      text = text.slice(0, at) + mark + text.slice(at + Math.floor(random() * 3));
    }
    expect(said(text, null), text).toBe(said(text, SAME));
  }
});
