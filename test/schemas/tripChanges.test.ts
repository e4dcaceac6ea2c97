import { expect, test } from 'vitest';
import { validateTrip } from '../../src/schemas/index.js';
import { changesOfRun } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';

const ID = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';
const POINT = { name: 'A', type: { key: 'point' }, geometry: [[37.6, 55.7]], arrival: { time: '08:00' } };
const TRIP = {
  name: 'Milk',
  unit: { id: ID },
  passage_order_type: { key: 'strict' },
  dates: ['2026-03-02'],
  points: [POINT, { ...POINT, name: 'B' }],
};
const { changes: _none, ...AMENDED } = { ...TRIP, changes: null, points: [POINT] };
const CHANGES = [
  { type: 'excuse', at: 3, pointIndex: 1, by: 'dispatch', reason: 'closed' },
  { type: 'amend', at: 2, trip: AMENDED, from: [1], date: '2026-03-02' },
  { type: 'handOver', at: 1, unitId: ID },
  { type: 'cancel', at: 4, reason: null },
];

test('a trip keeps the changes of its runs, with their entries filled in', () => {
  const trip = validateTrip({ ...TRIP, changes: CHANGES });
  expect(trip.changes?.map(({ type }) => type)).toEqual(['excuse', 'amend', 'handOver', 'cancel']);
  expect(trip.changes?.[1]?.trip?.points[0]?.type).toMatchObject({ key: 'point', type: 'geozone_type' });
  expect(validateTrip({ ...TRIP, changes: null }).changes).toBe(null);
});

test.each([
  [{}, 'changes', 'type'],
  [[{ at: 0 }], 'changes[0].type', 'required'],
  [[{ type: 'move', at: 0 }], 'changes[0].type', 'dictionary-key'],
  [[{ type: 'cancel' }], 'changes[0].at', 'required'],
  [[{ type: 'cancel', at: 0.5 }], 'changes[0].at', 'integer'],
  [[{ type: 'cancel', at: 0, date: '2026-03-03' }], 'changes[0].date', 'date'],
  [[{ type: 'excuse', at: 0 }], 'changes[0].pointIndex', 'required'],
  [[{ type: 'handOver', at: 0 }], 'changes[0].unitId', 'required'],
  [[{ type: 'handOver', at: 0, unitId: '' }], 'changes[0].unitId', 'empty'],
  [[{ type: 'amend', at: 0 }], 'changes[0].trip', 'required'],
  [
    [{ type: 'amend', at: 0, trip: { ...AMENDED, dates: ['2026-02-30'] } }],
    'changes[0].trip.dates[0]',
    'date',
  ],
  [
    [{ type: 'amend', at: 0, trip: { ...AMENDED, points: [{ ...POINT, width: -1 }] } }],
    'changes[0].trip.points[0].width',
    'radius-range',
  ],
])('changes %j: %s %s', (changes, field, reason) => {
  expect(errorOf(() => validateTrip({ ...TRIP, changes } as never))).toMatchObject({
    code: 'validation',
    errors: [{ field, reason }],
  });
});

test('a trip with several dates says of which run a change is', () => {
  const dates = ['2026-03-02', '2026-03-03'];
  const [change] = CHANGES;
  expect(errorOf(() => validateTrip({ ...TRIP, dates, changes: [change] } as never))).toMatchObject({
    errors: [{ field: 'changes[0].date', reason: 'required' }],
  });
  const trip = { ...TRIP, dates, changes: [{ ...change, date: '2026-03-03' }] } as never;
  expect([changesOfRun(trip, '2026-03-02'), changesOfRun(trip, '2026-03-03').length]).toEqual([[], 1]);
});

test('the changes of a run come in order of `at`, and errors name their row', () => {
  const run = changesOfRun({ ...TRIP, changes: CHANGES.slice(1) } as never, '2026-03-02');
  expect(run.map(({ type }) => type)).toEqual(['handOver', 'amend', 'cancel']);
  const errorsOf = (changes: unknown): unknown[] => {
    const { code, field } = errorOf(() => changesOfRun({ ...TRIP, changes } as never, '2026-03-02')) as {
      code: string;
      field: string;
    };
    return [code, field];
  };
  expect(errorsOf(7)).toEqual(['changes-type', 'changes']);
  // After the amendment there is one point.
  expect(errorsOf(CHANGES)).toEqual(['change-invalid', 'changes[0].pointIndex']);
  expect(errorsOf([{ type: 'cancel', at: 0, date: 7 }])).toEqual(['change-invalid', 'changes[0].date']);
});
