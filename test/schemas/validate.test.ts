import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../src/core/errors.js';
import {
  COLORS,
  ICONS,
  validateCustomGeozoneType,
  validateGeozone,
  validateGeozoneGroup,
  validateGeozones,
  validateRoute,
  validateTrip,
} from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';
import { customType, geozone, group, ID, point, polygon, route, SQUARE, trip } from './samples.js';

/** `field: reason` of every error, in order. */
function problems(run: () => unknown): string[] {
  const { code, status, errors } = errorOf(run);
  expect([code, status]).toEqual(['validation', 422]);
  for (const { message } of errors) expect(message).toMatch(/^expected .+, received /s);
  return errors.map(({ field, reason }: FieldError) => `${field}: ${reason}`);
}

const geozoneProblems = (input: unknown): string[] => problems(() => validateGeozone(input));
const tripProblems = (fields: Record<string, unknown>): string[] =>
  problems(() => validateTrip(trip(fields)));
const pointProblems = (fields: Record<string, unknown>): string[] =>
  problems(() => validateTrip(trip({ points: [point({ arrival: { time: '08:00' } }), point(fields)] })));

describe('accepted input', () => {
  test('comes back as a copy with filled-in dictionary entries and kept unknown fields', () => {
    const note = { any: [1] };
    const input = geozone({ color: { key: '#F56C6C', value: 'Mine' }, icon: { key: 'barn' }, note });
    const zone = validateGeozone(input, { language: 'ru' });
    expect(zone).toEqual({
      ...input,
      type: { key: 'circle', type: 'geozone_type', value: 'Круг' },
      color: { key: '#F56C6C', type: 'color_code', value: 'Красный' },
      icon: { key: 'barn', type: 'geo_icon', value: 'barn' },
    });
    expect(zone.geometry).not.toBe(input['geometry']);
    expect(zone.geometry[0]).not.toBe((input['geometry'] as unknown[])[0]);
    expect((zone as unknown as typeof input)['note']).toBe(note);
  });

  test('may lack an id, have null in every optional field, and undefined counts as absent', () => {
    const { id: _, ...sent } = geozone({
      color: null,
      icon: null,
      area: null,
      perimeter: null,
      created: undefined,
    });
    expect(validateGeozone(sent)).not.toHaveProperty('created');
    expect(validateGeozone(sent)).not.toHaveProperty('id');
  });

  test.each([true, 1, '1', 'true', false, 0, ''])('is_delete %j', (is_delete) => {
    expect(validateGeozone(geozone({ is_delete })).is_delete).toBe(is_delete);
  });

  test('may have ids in either case and of any UUID version', () => {
    for (const id of [
      ID.toUpperCase(),
      '00000000-0000-0000-0000-000000000000',
      '0198f0a0-0000-7000-8000-000000000000',
    ])
      expect(validateGeozone(geozone({ id })).id).toBe(id);
  });

  test('keeps a ring as it was sent: open, in either direction, past 180°, with an altitude', () => {
    for (const ring of [SQUARE, [...SQUARE].reverse(), SQUARE.map(([x, y]) => [x + 179.5, y, 120])])
      expect(validateGeozone(polygon(ring)).geometry).toEqual(ring);
  });

  test('may have the other axis order', () => {
    const input = polygon(wkt('55 170, 55 171, 56 171'));
    expect(geozoneProblems(polygon([[55, 170]])).length).toBeGreaterThan(0);
    expect(validateGeozone(input, { axisOrder: 'latlon' }).geometry).toEqual(input['geometry']);
  });

  test('an empty group; a custom type; a line with its outline', () => {
    expect(validateGeozoneGroup(group({ geozones: [] }))).toEqual(group({ geozones: [] }));
    expect(validateCustomGeozoneType(customType())).toEqual(customType());
    const line = geozone({ type: { key: 'line' }, geometry: SQUARE, polygon_geometry: SQUARE });
    expect(validateGeozone(line).polygon_geometry).toEqual(SQUARE);
    expect(validateGeozone({ ...line, polygon_geometry: [] }).polygon_geometry).toEqual([]);
  });

  test('a point given by coordinates comes back with geometry', () => {
    const { geometry, ...rest } = point();
    for (const sent of [
      { ...rest, coordinates: geometry },
      { ...rest, coordinates: geometry, geometry: null },
      { ...rest, coordinates: geometry, geometry },
    ]) {
      const [first] = validateRoute(route({ points: [sent] })).points;
      expect(first).toMatchObject({ geometry });
      expect(first).not.toHaveProperty('coordinates');
    }
  });

  test('a trip may have leap days, all three forms of a date, and no widths', () => {
    const dates = ['2028-02-29', '2000-02-29 00:00', '2026-11-21 00:00:00'];
    const points = [
      point({ type: { key: 'circle' }, departure: { time: '23:59', after_days: 2, deviation_minutes: 7 } }),
    ];
    const sent = trip({
      dates,
      points,
      activation_type: { key: 'time_of_first_point' },
      trailer: null,
      user_id: null,
    });
    expect(validateTrip(sent).dates).toEqual(dates);
    expect(validateTrip(sent).activation_type).toEqual({
      key: 'time_of_first_point',
      type: 'trip_activation_type',
      value: 'At the time of the first point',
    });
  });

  test('a departure may equal the arrival or follow after midnight', () => {
    for (const [arrival, departure] of [
      [{ time: '08:00' }, { time: '08:00' }],
      [{ time: '23:00' }, { time: '01:00', after_days: 1 }],
    ])
      expect(validateTrip(trip({ points: [point({ arrival, departure })] })).points).toHaveLength(1);
  });
});

test('minutes of deviation and pixels of a photo are integers', () => {
  const wrong = [
    () => validateTrip(trip({ points: [point({ arrival: { time: '08:00', deviation_minutes: 7.5 } })] })),
    () => {
      const sent = customType() as { photo: { original: object } };
      return validateCustomGeozoneType({
        ...sent,
        photo: { ...sent.photo, original: { ...sent.photo.original, width: 64.5 } },
      });
    },
  ].map((run) => errorOf(run).errors.map(({ field, reason }) => `${field}: ${reason}`));
  expect(wrong).toEqual([
    ['points[0].arrival.deviation_minutes: integer'],
    ['photo.original.width: integer'],
  ]);
});

describe('every reason', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a name missing', { name: undefined }, ['name: required']],
    ['a name of another type', { name: 7 }, ['name: type']],
    ['an empty name', { name: '' }, ['name: empty']],
    ['an id that is not a UUID', { id: 'a' }, ['id: uuid']],
    ['a UUID with a line end', { id: `${ID}\n` }, ['id: uuid']],
    ['a type without a key', { type: {} }, ['type.key: required']],
    ['a type as a text', { type: 'circle' }, ['type: type']],
    ['a key in another case', { type: { key: 'Circle' } }, ['type.key: dictionary-key']],
    ['a prototype’s key', { type: { key: 'constructor' } }, ['type.key: dictionary-key']],
    ['a colour’s name', { color: { key: 'red' } }, ['color.key: dictionary-key']],
    ['an empty icon', { icon: { key: '' } }, ['icon.key: empty']],
    ['a value that is not a text', { icon: { key: 'a', value: 7 } }, ['icon.value: type']],
    ['an area below 0', { area: -1 }, ['area: range']],
    ['an infinite perimeter', { perimeter: Number.POSITIVE_INFINITY }, ['perimeter: not-finite']],
    ['a flag as a text', { is_show_on_map: 'true' }, ['is_show_on_map: type']],
    ['is_delete as an object', { is_delete: {} }, ['is_delete: type']],
    ['companies as an object', { companies: {} }, ['companies: type']],
    [
      'a company without an id',
      { companies: [{ id: ID }, {}, null] },
      ['companies[1].id: required', 'companies[2]: type'],
    ],
    ['too many companies', { companies: new Array(100_001) }, ['companies: limit-items']],
    ['no geometry', { geometry: undefined }, ['geometry: required']],
    ['geometry as a text', { geometry: '37,55' }, ['geometry: coord-type']],
    ['a coordinate as a text', { geometry: [['37', 55]] }, ['geometry[0][0]: coord-type']],
    ['a coordinate that is NaN', { geometry: [[37, Number.NaN]] }, ['geometry[0][1]: coord-not-finite']],
    ['a latitude out of range', { geometry: [[37, 95]] }, ['geometry[0][1]: lat-range']],
    ['a longitude out of range', { geometry: [[541, 5]] }, ['geometry[0][0]: lon-range']],
    ['an altitude as a text', { geometry: [[37, 55, 'x']] }, ['geometry[0][2]: type']],
    [
      'two pairs for a circle',
      {
        geometry: wkt('1 2, 3 4'),
      },
      ['geometry: geometry-count'],
    ],
    ['no pair for a circle', { geometry: [] }, ['geometry: geometry-count']],
    ['a circle without a width', { width: null }, ['width: width-missing']],
    ['a width as a text', { width: '100' }, ['width: radius-range']],
    ['a width below 0', { width: -1 }, ['width: radius-range']],
    ['a radius beyond half the Earth', { width: 3e7 }, ['width: radius-range']],
    [
      'an outline out of range',
      {
        polygon_geometry: [
          [1, 2],
          [3, 91],
          ['a', 4],
        ],
      },
      ['polygon_geometry[1][1]: lat-range', 'polygon_geometry[2][0]: coord-type'],
    ],
    ['an outline that is not a list', { polygon_geometry: 7 }, ['polygon_geometry: coord-type']],
    [
      'the width of a polygon',
      { type: { key: 'polygon' }, geometry: SQUARE, width: 'wide' },
      ['width: type'],
    ],
    [
      'a ring of two pairs',
      {
        type: { key: 'polygon' },
        geometry: wkt('1 2, 3 4'),
      },
      ['geometry: ring-too-short'],
    ],
    [
      'a ring without area',
      {
        type: { key: 'polygon' },
        geometry: wkt('1 1, 2 2, 3 3'),
      },
      ['geometry: ring-zero-area'],
    ],
    [
      'an edge of 180°',
      {
        type: { key: 'polygon' },
        geometry: wkt('-90 0, 90 0, 0 10'),
      },
      ['geometry[0]: edge-ambiguous'],
    ],
    [
      'a bow-tie',
      {
        type: { key: 'polygon' },
        geometry: wkt('0 0, 1 1, 1 0, 0 1'),
      },
      ['geometry: ring-self-intersects'],
    ],
    [
      'a hole outside',
      {
        type: { key: 'polygon' },
        geometry: SQUARE,
        parts: [[SQUARE, wkt('5 5, 6 5, 6 6')]],
      },
      ['parts[0][1]: hole-outside'],
    ],
    [
      'parts with a bad number',
      {
        type: { key: 'polygon' },
        geometry: SQUARE,
        parts: [
          [
            [
              [0, 0],
              [1, null],
              [1, 1],
            ],
          ],
        ],
      },
      ['parts[0][0][1][1]: coord-type'],
    ],
    ['parts of a circle that are not a list', { parts: 7 }, ['parts: type']],
    [
      'a bad position beside a bad type',
      { type: null, geometry: [[1, 91]] },
      ['type: type', 'geometry[0][1]: lat-range'],
    ],
    [
      'both numbers of a position beside a bad type',
      { type: null, geometry: [[700, 91]] },
      ['type: type', 'geometry[0][1]: lat-range', 'geometry[0][0]: lon-range'],
    ],
  ])('of a geozone: %s', (_, fields, expected) => {
    expect(geozoneProblems(geozone(fields))).toEqual(expected);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['no unit', { unit: undefined }, ['unit: required']],
    ['a unit’s id', { unit: { id: 7 } }, ['unit.id: type']],
    ['no order', { passage_order_type: undefined }, ['passage_order_type: required']],
    ['another order', { passage_order_type: { key: 'free' } }, ['passage_order_type.key: dictionary-key']],
    ['another activation', { activation_type: { key: 'now' } }, ['activation_type.key: dictionary-key']],
    ['no dates', { dates: [] }, ['dates: empty']],
    [
      'dates that do not exist',
      { dates: ['2026-02-29', '1900-02-29', '2026-04-31', '2026-11-31'] },
      [0, 1, 2, 3].map((i) => `dates[${i}]: date`),
    ],
    [
      'dates in another form',
      {
        dates: [
          '2026-13-01',
          '26-01-01',
          '2026-01-01T00:00',
          '2026-01-01 08:00',
          '2026-01-02 00:00:01',
          '2026-01-00',
        ],
      },
      [0, 1, 2, 3, 4, 5].map((i) => `dates[${i}]: date`),
    ],
    [
      'a day twice',
      { dates: ['2026-11-21', '2026-11-22', '2026-11-21 00:00'] },
      ['dates[2]: date-duplicate'],
    ],
    ['work types of another type', { work_types: ['a', 7] }, ['work_types[1]: type']],
    [
      'blank work types',
      { work_types: ['', 'a', ' \t\n'] },
      ['work_types[0]: empty', 'work_types[2]: empty'],
    ],
    ['no points', { points: [] }, ['points: empty']],
    ['a point that is not an object', { points: [point(), 7] }, ['points[1]: type']],
    [
      'no time where the activation needs one',
      {
        activation_type: { key: 'time_of_first_point' },
        points: [point(), point({ arrival: { time: '09:00' } })],
      },
      ['points[0].arrival: activation-time'],
    ],
    [
      'a bad time for the activation is one error',
      { activation_type: { key: 'time_of_first_point' }, points: [point({ arrival: { time: 'x' } })] },
      ['points[0].arrival.time: time'],
    ],
  ])('of a trip: %s', (_, fields, expected) => {
    expect(tripProblems(fields)).toEqual(expected);
  });

  test('of a geozone whose coordinates contradict its geometry', () => {
    const own = { name: 'Z', type: { key: 'point' }, geometry: [[1, 2]] };
    for (const other of [[[2, 1]], [], 'x', 7])
      expect(geozoneProblems({ ...own, coordinates: other })).toEqual(['coordinates: geometry-conflict']);
    for (const same of [[[1, 2]], null])
      expect(validateGeozone({ ...own, coordinates: same })).not.toHaveProperty('coordinates');
    expect(problems(() => validateGeozones([own, { ...own, coordinates: [[2, 1]] }]))).toEqual([
      '[1].coordinates: geometry-conflict',
    ]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['neither geometry nor coordinates', { geometry: undefined }, ['points[1].geometry: required']],
    [
      'bad coordinates',
      { geometry: undefined, coordinates: [[1, 91]] },
      ['points[1].coordinates[0][1]: lat-range'],
    ],
    [
      'too many coordinates',
      {
        geometry: undefined,
        coordinates: wkt('1 1, 2 2'),
      },
      ['points[1].coordinates: geometry-count'],
    ],
    [
      'different geometry and coordinates',
      { coordinates: [[1, 1]] },
      ['points[1].coordinates: geometry-conflict'],
    ],
    ['no time', { arrival: {} }, ['points[1].arrival.time: required']],
    [
      'a time of day that does not exist',
      { arrival: { time: '24:00' }, departure: { time: '8:00' } },
      ['points[1].arrival.time: time', 'points[1].departure.time: time'],
    ],
    [
      'half a day',
      { arrival: { time: '08:00', after_days: 0.5 } },
      ['points[1].arrival.after_days: integer'],
    ],
    ['a day before', { arrival: { time: '08:00', after_days: -1 } }, ['points[1].arrival.after_days: range']],
    [
      'a deviation below 0',
      { departure: { time: '08:00', deviation_minutes: -1 } },
      ['points[1].departure.deviation_minutes: range'],
    ],
    [
      'a departure before the arrival',
      { arrival: { time: '08:01' }, departure: { time: '08:00' } },
      ['points[1].departure: order-of-times'],
    ],
    [
      'a departure on the day before',
      { arrival: { time: '01:00', after_days: 1 }, departure: { time: '23:00' } },
      ['points[1].departure: order-of-times'],
    ],
  ])('of a point: %s', (_, fields, expected) => {
    expect(pointProblems(fields)).toEqual(expected);
  });

  test('T4: first planned times of a strict trip that decrease in list order, and a departure before its arrival', () => {
    const of = (key: string, ...times: readonly (readonly [unknown?, unknown?])[]): string[] => {
      const points = times.map(([arrival = null, departure = null]) => point({ arrival, departure }));
      const given = trip({ passage_order_type: { key }, points });
      try {
        validateTrip(given);
        return [];
      } catch {
        return problems(() => validateTrip(given));
      }
    };
    const [one, two, three] = [{ time: '01:00' }, { time: '02:00' }, { time: '03:00' }];
    const next = { ...one, after_days: 1 };
    const strict = (...times: readonly (readonly [unknown?, unknown?])[]): string[] => of('strict', ...times);
    expect(strict([two], [one])).toEqual(['points[1].arrival: order-of-times']);
    expect(of('arbitrary', [two], [one])).toEqual([]);
    expect(strict([two], [two], [next], [next])).toEqual([]);
    // The first time of a point without an arrival is its departure; later departures decide nothing.
    expect(strict([null, two], [null, one])).toEqual(['points[1].departure: order-of-times']);
    expect(strict([two], [null, one])).toEqual(['points[1].departure: order-of-times']);
    expect(strict([one, three], [two])).toEqual([]);
    expect(strict([three], [], [two], [], [one])).toEqual([
      'points[2].arrival: order-of-times',
      'points[4].arrival: order-of-times',
    ]);
    for (const key of ['strict', 'arbitrary'])
      expect(of(key, [two, one], [next, three], [next, next])).toEqual([
        'points[0].departure: order-of-times',
        'points[1].departure: order-of-times',
      ]);
    // A time that cannot be read says nothing about the order.
    expect(strict([{ time: '1' }, three], [two])).toEqual(['points[0].arrival.time: time']);
    const { message } = errorOf(() =>
      validateTrip(
        trip({
          passage_order_type: { key: 'strict' },
          points: [point({ arrival: two }), point({ arrival: one })],
        }),
      ),
    ).errors[0]!;
    expect(message).toContain('after_days');
    const amended = {
      at: 0,
      type: 'amend',
      trip: trip({ points: [point({ arrival: two }), point({ arrival: one })] }),
    };
    expect(tripProblems({ changes: [amended] })).toEqual([
      'changes[0].trip.points[1].arrival: order-of-times',
    ]);
  });

  test('of a route, a group and a custom type', () => {
    expect(problems(() => validateRoute({ points: [{}] }))).toEqual([
      'points[0].name: required',
      'points[0].type: required',
      'points[0].geometry: required',
      'name: required',
    ]);
    const points = [point({ type: { key: 'line' }, geometry: SQUARE })];
    expect(problems(() => validateRoute(route({ points })))).toEqual(['points[0].width: width-missing']);
    expect(problems(() => validateGeozoneGroup(group({ geozones: [{ id: ID }, { id: '7' }] })))).toEqual([
      'geozones[1].id: uuid',
    ]);
    expect(
      problems(() => validateCustomGeozoneType(customType({ company_id: undefined, photo: { small: {} } }))),
    ).toEqual([
      'photo.small.url: required',
      'photo.small.width: required',
      'photo.small.height: required',
      'photo.small.param_type: required',
      'photo.original: required',
      'company_id: required',
    ]);
  });

  test('the error of a bow-tie names both segments', () => {
    const ring = wkt('0 0, 1 1, 1 0, 0 1');
    expect(errorOf(() => validateGeozone(polygon(ring))).errors[0]).toMatchObject({ segments: [0, 2] });
  });

  test.each([null, undefined, 7, 'a', [], () => 0, Symbol('a'), 1n, new Float64Array(3)])(
    'no object: %o',
    (input) => {
      for (const validate of [
        validateGeozone,
        validateGeozoneGroup,
        validateCustomGeozoneType,
        validateRoute,
        validateTrip,
      ])
        expect(problems(() => validate(input))).toEqual([': type']);
    },
  );
});

test('errors come in document order; those of absent fields come last', () => {
  const input = {
    dates: ['2026-11-21', '2026-02-30', 'x'],
    points: [point({ geometry: [[1, 91]], name: '' }), point({ departure: { time: 'x' }, type: 7 })],
    id: 7,
    activation_type: { key: 'time_of_first_point' },
    unit: {},
  };
  expect(problems(() => validateTrip(input))).toEqual([
    'dates[1]: date',
    'dates[2]: date',
    'points[0].name: empty',
    'points[0].geometry[0][1]: lat-range',
    'points[0].arrival: activation-time',
    'points[1].type: type',
    'points[1].departure.time: time',
    'id: type',
    'unit.id: required',
    'name: required',
    'passage_order_type: required',
  ]);
});

test('the error has the wire form', () => {
  const error = errorOf(() => validateGeozone(geozone({ name: 7 })));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 4220,
    message: 'expected a valid geozone, received 1 field error',
    errors: [
      { code: 4221, field: 'name', message: 'expected a text that is not empty, received 7', reason: 'type' },
    ],
  });
  expect(error.field).toBe('name');
});

test('after 1000 errors the list is cut, and its last entry reports it', () => {
  for (const points of [Array.from({ length: 5000 }, () => ({ name: 7 })), new Array(90_000)]) {
    const { errors } = errorOf(() => validateTrip(trip({ points, name: '' })));
    expect(errors).toHaveLength(1001);
    expect(errors.at(-1)).toMatchObject({ field: '', reason: 'too-many-errors' });
  }
});

describe('options', () => {
  test('a caller\u2019s dictionaries may have other values and fewer keys', () => {
    const colors = {
      ...COLORS,
      further: 'none' as const,
      entries: { en: [{ type: 'color_code', key: '#000000', value: 'Ours' }], ru: [] },
    };
    const icons = {
      ...ICONS,
      entries: { ...ICONS.entries, de: [{ type: 'geo_icon', key: 'school', value: 'Schule' }] },
    };
    const options = { language: 'de', dictionaries: { colors, icons } };
    const zone = validateGeozone(geozone({ color: { key: '#000000' }, icon: { key: 'school' } }), options);
    expect([zone.color?.value, zone.icon?.value]).toEqual(['Ours', 'Schule']);
    expect(problems(() => validateGeozone(geozone({ color: { key: '#ffffff' } }), options))).toEqual([
      'color.key: dictionary-key',
    ]);
  });

  test('a missing width', () => {
    const { width: _, ...sent } = geozone();
    expect(validateGeozone(sent, { defaultWidthMeters: 50 })).not.toHaveProperty('width');
    expect(
      problems(() => validateTrip(trip({ points: [point({ type: { key: 'circle' }, width: -1 })] }))),
    ).toEqual(['points[0].width: radius-range']);
  });

  test.each([
    ['options', 7, 'option-type'],
    ['options', null, 'option-type'],
    ['options.language', { language: 7 }, 'option-value'],
    ['options.axisOrder', { axisOrder: 'xy' }, 'option-value'],
    ['options.defaultWidthMeters', { defaultWidthMeters: -1 }, 'width-range'],
    ['options.dictionaries', { dictionaries: 7 }, 'option-type'],
    ['options.dictionaries.colors', { dictionaries: { colors: [] } }, 'option-type'],
  ])('a wrong value for %s throws its own error', (field, options, code) => {
    for (const run of [
      () => validateGeozone(geozone(), options as never),
      () => validateTrip(trip(), options as never),
    ])
      expect(errorOf(run)).toMatchObject({ code, field });
  });
});
