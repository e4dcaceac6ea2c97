/** Tables of rows that other places follow: statuses of points, fields and types of zones, seconds of options, units. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entriesIn, GEOZONE_TYPES } from '../../src/core/dictionaries.js';
import { inMilliseconds, type OptionTable, valuesOf } from '../../src/core/options.js';
import { POINT_STATUS_NAMES, POINT_STATUSES, pointStatusWords } from '../../src/core/pointStatus.js';
import { ZONE_FIELD_COLUMNS, zonePaths } from '../../src/core/zoneFields.js';
import { ZONE_TYPE_KEYS } from '../../src/core/zoneTypes.js';
import { createMeasures } from '../../src/report/client/shared/formats.js';
import { MEASURE_SYSTEMS, wayStepMeters, wordsOfSystem } from '../../src/report/measureSystem.js';
import { REPORT_WORDS_ENGLISH } from '../../src/report/reportWordsEnglish.js';
import { REPORT_WORDS_RUSSIAN } from '../../src/report/reportWordsRussian.js';
import { GeozoneSchema, TripReportSchema } from '../../src/schemas/index.js';
import { evaluateTrip, explainTrip } from '../../src/trips/index.js';

const point = (name: string, lon: number): object => ({ name, type: { key: 'circle' }, geometry: [[lon, 50]], width: 100 }); // biome-ignore format: one line
const trip = (...points: object[]): never =>
  ({
    id: 't',
    unit: { id: 'u' },
    passage_order_type: { key: 'arbitrary' },
    dates: ['2026-03-02'],
    points,
  }) as never;
const reportOf = (name: string): ReturnType<typeof evaluateTrip> =>
  evaluateTrip(trip(point(name, 10)), '2026-03-02', { visits: [] }, { timeZone: 'UTC' });

describe('statuses of points', () => {
  test('the schema has the statuses of the rows, in their order', () => {
    const { points } = (TripReportSchema as unknown as { properties: Record<string, { items: { properties: { status: { enum: string[] } } } }> }).properties; // biome-ignore format: one path
    expect(points!.items.properties.status.enum).toEqual([...POINT_STATUS_NAMES]);
    expect(Object.keys(POINT_STATUSES).sort()).toEqual([...POINT_STATUS_NAMES].sort());
  });

  test.each(POINT_STATUS_NAMES)('%s has a sentence and a word in each language', (status) => {
    for (const language of ['en', 'ru'] as const) {
      const report = reportOf('Shop');
      const seen = { ...report.points[0]!, status, arrival: report.window.from };
      const [only] = explainTrip({ ...report, points: [seen] }, language).points;
      expect(only).toMatch(/^Shop[ :].+\.$/);
      expect(only).not.toMatch(/[{}]|undefined|null/);
      const words = language === 'en' ? REPORT_WORDS_ENGLISH : REPORT_WORDS_RUSSIAN;
      expect(words.statuses[status]).toBe(pointStatusWords(language)[status]);
      expect(words.statuses[status]).toMatch(language === 'en' ? /^[a-z ]+$/ : /^[а-яё ]+$/);
    }
  });

  test('names are put into a sentence as they are', () => {
    for (const name of ['{turn}', '$& {planned} $1', '{name}']) {
      const report = { ...reportOf(name), status: 'finished_with_violations' as const };
      expect(explainTrip(report, 'en').points).toEqual([`${name} was not visited.`]);
      expect(explainTrip(report, 'ru').points).toEqual([`${name}: не посещена.`]);
    }
  });

  test('an unknown status is an error, not a sentence', () => {
    const report = reportOf('Shop');
    const points = [{ ...report.points[0]!, status: 'closed' as never }];
    expect(() => explainTrip({ ...report, points }, 'en')).toThrow(
      expect.objectContaining({ code: 'input-unreadable', field: 'report' }) as Error,
    );
  });
});

test('every path and column of zones begins with a field of the schema', () => {
  const { properties } = GeozoneSchema as unknown as { properties: Record<string, object> };
  const paths = [...zonePaths('sort'), ...zonePaths('conditions'), ...ZONE_FIELD_COLUMNS];
  expect(paths.filter((path) => !Object.hasOwn(properties, path.split('.')[0]!))).toEqual([]);
  expect(paths.length).toBeGreaterThan(20);
});

test('the dictionary has every type of zones, in both languages', () => {
  for (const language of ['en', 'ru'])
    expect(entriesIn(GEOZONE_TYPES, language).map(({ key }) => key)).toEqual([...ZONE_TYPE_KEYS]);
});

test('seconds become milliseconds, everything else stays', () => {
  interface Options {
    readonly aSeconds?: number;
    readonly bMeters?: number;
    readonly isC?: boolean;
  }
  const table: OptionTable<Options> = {
    aSeconds: { default: 7 },
    bMeters: { default: 5 },
    isC: { default: true },
  };
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true }), fc.boolean(), (aSeconds, isC) => {
      const values = { ...valuesOf({ aSeconds, isC }, table), further: 1 };
      expect(inMilliseconds(values, table)).toEqual({ aMs: aSeconds * 1000, bMeters: 5, isC });
    }),
  );
});

describe('units of the report', () => {
  /** By the definitions of 1959: a yard is 0.9144 m, a mile 1,760 yards, a foot a third of a yard. */
  const METERS = { km: [1000, 1], miles: [1760 * 0.9144, 0.9144 / 3] } as const;

  test.each(Object.keys(METERS) as (keyof typeof METERS)[])('%s', (system) => {
    const [way, length] = METERS[system];
    const measures = createMeasures(system);
    expect(measures.way(way)).toBeCloseTo(1, 12);
    expect(measures.speed(way / 1000)).toBeCloseTo(1, 12);
    expect(measures.length(length)).toBeCloseTo(1, 12);
    expect(measures.area(length * length)).toBeCloseTo(1, 12);
    expect(measures.way(null)).toBeNull();
    expect(100 * wayStepMeters(system)).toBeCloseTo(way, 9);
  });

  test('every system has units of its own and words of its own', () => {
    const systems = Object.keys(MEASURE_SYSTEMS) as (keyof typeof MEASURE_SYSTEMS)[];
    expect(systems).toEqual(Object.keys(METERS));
    for (const words of [REPORT_WORDS_ENGLISH, REPORT_WORDS_RUSSIAN]) {
      const named = systems.map((system) => wordsOfSystem(words, system));
      for (const unit of ['km', 'kph', 'meters', 'limit', 'maxKph'] as const)
        expect(new Set(named.map((own) => own[unit])).size).toBe(systems.length);
    }
  });
});
