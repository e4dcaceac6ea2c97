import { expect, test } from 'vitest';
import { ZoneIndex, zoneContains, zoneOutline } from '../../src/index.js';
import { readTrack, type Visit, type VisitEvent, VisitTracker } from '../../src/tracks/index.js';

/** Rows as a database gives them: the types accept them, since every function checks what it reads. */

interface DatabaseRow {
  readonly id: string;
  readonly name: string;
  readonly type: { readonly key: string };
  readonly geometry: number[][];
  readonly width: number | undefined;
  readonly is_delete: number;
}

const ROW: DatabaseRow = {
  id: 'depot',
  name: 'Depot',
  type: { key: 'circle' },
  geometry: [[37.6, 55.7]],
  width: 500,
  is_delete: 0,
};

test('a row with a key of type string, lists of numbers and an undefined width is a zone', () => {
  expect(new ZoneIndex([ROW]).at([37.6, 55.7])).toEqual(['depot']);
  expect(zoneContains(ROW, [37.6, 55.7])).toBe(true);
  expect(zoneOutline(ROW).type).toBe('Polygon');
  expect(zoneContains({ ...ROW, width: undefined }, [37.6, 55.7], { defaultWidthMeters: 10 })).toBe(true);
});

test('a row that is none has a coded error with its field', () => {
  const wrong = (row: DatabaseRow): unknown => {
    try {
      return zoneContains(row, [37.6, 55.7]);
    } catch (error) {
      return { code: (error as { code: string }).code, field: (error as { field: string }).field };
    }
  };
  expect(wrong({ ...ROW, type: { key: 'ellipse' } })).toEqual({ code: 'zone-type', field: 'type.key' });
  expect(wrong({ ...ROW, geometry: [[37.6]] })).toMatchObject({
    field: expect.stringContaining('geometry[0]'),
  });
});

test('after type exit an event has its visit', () => {
  const tracker = new VisitTracker(new ZoneIndex([ROW]));
  const events: VisitEvent[] = [37.58, 37.6, 37.601, 37.63, 37.63].flatMap((lon, i) => [
    ...tracker.push('truck', { time: 1772438400000 + i * 60_000, lon, lat: 55.7 }),
  ]);
  const visits: Visit[] = events.flatMap((event) => (event.type === 'exit' ? [event.visit] : []));
  expect(visits.map(({ zoneId }) => zoneId)).toEqual(['depot']);
});

test('options and fields with the value undefined are as if they were absent', () => {
  const outline = zoneOutline(ROW);
  expect(zoneOutline(ROW, { toleranceMeters: undefined, axisOrder: undefined })).toEqual(outline);
  const fix = { time: 1_772_438_400_000, lon: 37.6, lat: 55.7, speedKph: undefined, ignition: undefined };
  expect(readTrack([fix], { maxSpeedKph: undefined })).toMatchObject({ length: 1 });
});
