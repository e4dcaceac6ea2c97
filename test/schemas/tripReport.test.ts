import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { TripReportSchema } from '../../src/schemas/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type Trip } from '../../src/trips/index.js';
import { ID } from './samples.js';

const DAY = Date.UTC(2026, 2, 2);
const HOUR = 3_600_000;

function tripOf(order: 'strict' | 'arbitrary'): Trip {
  const point = (name: string, lon: number, time: string): Trip['points'][number] => ({
    name,
    type: { key: 'circle' },
    geometry: [[lon, 52.5]],
    width: 200,
    arrival: { time, deviation_minutes: 5 },
  });
  return {
    id: ID,
    name: 'Milk',
    unit: { id: ID },
    passage_order_type: { key: order },
    dates: ['2026-03-02'],
    points: [point('Shop', 13.4, '08:00'), point('Yard', 13.42, '08:10'), point('Depot', 13.44, '08:20')],
  };
}

/** A fix each minute from the first to the last point, beginning at `start` (UTC). */
const drive = (start: number, minutes: number): ReturnType<typeof readTrack> =>
  readTrack(
    Array.from({ length: minutes }, (_, i) => ({
      time: DAY + start * HOUR + i * 60_000,
      lon: 13.38 + 0.002 * i,
      lat: 52.5,
    })),
  );

/** Paths of report fields that the schema does not list. */
function unnamed(value: unknown, schema: Record<string, unknown>, path: string): string[] {
  const branches = (schema['anyOf'] as Record<string, unknown>[] | undefined)?.filter(
    ({ type }) => type !== 'null',
  );
  if (branches !== undefined) return unnamed(value, branches[0]!, path);
  if (Array.isArray(value))
    return value.flatMap((item) => unnamed(item, schema['items'] as typeof schema, `${path}[]`));
  const fields = schema['properties'] as Record<string, typeof schema> | undefined;
  if (typeof value !== 'object' || value === null || fields === undefined) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    Object.hasOwn(fields, key) ? unnamed(child, fields[key]!, `${path}.${key}`) : [`${path}.${key}`],
  );
}

describe.each(['strict', 'arbitrary'] as const)('reports of %s trips match the published schema', (order) => {
  test.each([
    ['all of it', drive(7, 40), undefined],
    ['late', drive(8, 40), undefined],
    ['cut short', drive(7, 15), undefined],
    ['under way', drive(7, 15), DAY + 7.2 * HOUR],
    ['not begun', drive(7, 1), DAY + 6.5 * HOUR],
    ['without a fix', readTrack([]), undefined],
  ])('%s', (_, track, now) => {
    const options = { timeZone: 'Europe/Berlin', ...(now !== undefined && { now }) };
    const report = JSON.parse(
      JSON.stringify(evaluateTrip(tripOf(order), '2026-03-02', track, options)),
    ) as object;
    expect(Check(TripReportSchema, report)).toBe(true);
    expect(unnamed(report, TripReportSchema as unknown as Record<string, unknown>, '')).toEqual([]);
    expect(Check(TripReportSchema, { ...report, status: 'done' })).toBe(false);
    expect(Check(TripReportSchema, { ...report, points: [{}] })).toBe(false);
    for (const name of Object.keys(report)) {
      expect(Check(TripReportSchema, { ...report, [name]: undefined })).toBe(false);
    }
    const forecast = evaluateTrip(tripOf(order), '2026-03-02', track, { ...options, predict: () => 7200 });
    expect(Check(TripReportSchema, JSON.parse(JSON.stringify(forecast)))).toBe(true);
  });
});
