/** Bound systems: the shift of a datum in the file itself, in any units. The place is from `cs2cs` of PROJ 9.1.1. */

import { describe, expect, test } from 'vitest';
import { loadCrs } from '../../../src/interchange/index.js';

const PLACE = [6.036524531, 51.587106224] as const;
const ARC_SECOND = { type: 'AngularUnit', name: 'arc-second', conversion_factor: 4.84813681109536e-6 };
const PPM = { type: 'ScaleUnit', name: 'parts per million', conversion_factor: 1e-6 };

/** Translations in metres, rotations in seconds of arc (position vector), scale in millionths. */
const SHIFT = [565.4171, 50.3319, 465.5524, -0.398957388243134, 0.343987817378283, -1.87740163998045, 4.0725];

const parameter = (code: number, value: number, unit?: unknown): object => ({
  name: String(code),
  value,
  ...(unit !== undefined && { unit }),
  id: { authority: 'EPSG', code },
});

/** The Dutch grid, bound by these parameters. */
function bound(method: number, parameters: readonly object[]): string {
  const degree = (code: number, value: number): object => parameter(code, value, 'degree');
  const axis = (name: string, direction: string): object => ({
    name,
    abbreviation: name,
    direction,
    unit: 'metre',
  });
  return JSON.stringify({
    type: 'BoundCRS',
    source_crs: {
      type: 'ProjectedCRS',
      name: 'unknown',
      base_crs: {
        name: 'unknown',
        datum: {
          type: 'GeodeticReferenceFrame',
          name: 'Unknown based on Bessel 1841 ellipsoid',
          ellipsoid: { name: 'Bessel 1841', semi_major_axis: 6377397.155, inverse_flattening: 299.1528128 },
        },
      },
      conversion: {
        name: 'unknown',
        method: { name: 'Oblique Stereographic', id: { authority: 'EPSG', code: 9809 } },
        parameters: [
          degree(8801, 52.1561605555556),
          degree(8802, 5.38763888888889),
          parameter(8805, 0.9999079, 'unity'),
          parameter(8806, 155000, 'metre'),
          parameter(8807, 463000, 'metre'),
        ],
      },
      coordinate_system: { subtype: 'Cartesian', axis: [axis('E', 'east'), axis('N', 'north')] },
    },
    target_crs: { type: 'GeographicCRS', name: 'WGS 84' },
    transformation: {
      name: 'unknown to WGS84',
      method: { name: String(method), id: { authority: 'EPSG', code: method } },
      parameters,
    },
  });
}

const [scale, ...turns] = [SHIFT[6]!, SHIFT[3]!, SHIFT[4]!, SHIFT[5]!];
const meters = SHIFT.slice(0, 3);
const radians = turns.map((seconds) => seconds * ARC_SECOND.conversion_factor);
const translations = meters.map((value, i) => parameter(8605 + i, value, 'metre'));

describe('the shift of a bound system', () => {
  test.each<readonly [units: string, method: number, parameters: readonly object[]]>([
    [
      'metres, seconds and millionths',
      9606,
      [
        ...translations,
        ...turns.map((value, i) => parameter(8608 + i, value, ARC_SECOND)),
        parameter(8611, scale, PPM),
      ],
    ],
    [
      'feet, microradians and billionths',
      9606,
      [
        ...meters.map((value, i) =>
          parameter(8605 + i, value / 0.3048, {
            type: 'LinearUnit',
            name: 'foot',
            conversion_factor: 0.3048,
          }),
        ),
        ...radians.map((value, i) =>
          parameter(8608 + i, value * 1e6, {
            type: 'AngularUnit',
            name: 'microradian',
            conversion_factor: 1e-6,
          }),
        ),
        parameter(8611, scale * 1000, {
          type: 'ScaleUnit',
          name: 'parts per billion',
          conversion_factor: 1e-9,
        }),
      ],
    ],
    [
      'no units, with the scale as a factor, as well-known text has it',
      9606,
      [
        ...meters.map((value, i) => parameter(8605 + i, value)),
        ...turns.map((value, i) => parameter(8608 + i, value)),
        parameter(8611, 1 + scale * 1e-6),
      ],
    ],
    [
      'a coordinate frame, which turns the other way',
      9607,
      [
        ...translations,
        ...radians.map((value, i) =>
          parameter(8608 + i, -value * 1e6, {
            type: 'AngularUnit',
            name: 'microradian',
            conversion_factor: 1e-6,
          }),
        ),
        parameter(8611, scale, PPM),
      ],
    ],
  ])('in %s', async (_, method, parameters) => {
    const [lon, lat] = (await loadCrs(bound(method, parameters))).toWgs84(200_000, 400_000);
    expect([lon.toFixed(8), lat.toFixed(8)]).toEqual([PLACE[0].toFixed(8), PLACE[1].toFixed(8)]);
  });

  test.each(['furlong', { type: 'ScaleUnit', name: 'nothing' }])(
    'with the unit %j is refused',
    async (unit) => {
      const parameters = [parameter(8605, 565.4171, unit), ...translations.slice(1)];
      await expect(loadCrs(bound(9603, parameters))).rejects.toMatchObject({ code: 'crs-unsupported' });
    },
  );
});
