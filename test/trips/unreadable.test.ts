import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import { TripTracker, tripFromRoute, tripZones } from '../../src/trips/index.js';
import { errorText, trap, UNREADABLE } from '../errorOf.js';
import { evaluate, POINT, plan, withArrival, withPoints } from './asked.js';
import { DATE, trip, UTC, visits } from './shortTrips.js';

describe('a getter that throws is an error with its path', () => {
  const source = (more: object): (() => unknown) => evaluate(Object.assign(trap(), more));
  test.each<[string, () => unknown]>([
    ['id', plan(trap('id'))],
    ['points', plan(trap('points'))],
    ['dates', plan(Object.assign(trap('dates'), { points: [POINT] }))],
    ['points[1]', plan(withPoints(POINT, trap('name')))],
    ['points[1].arrival', plan(withArrival(trap('time')))],
    ['options.windowAfterSeconds', plan(trip(['A']), DATE, trap('windowAfterSeconds'))],
    ['unit', evaluate({ visits: [] }, {}, { ...trip(['A']), unit: trap('id') } as never)],
    [
      'passage_order_type',
      evaluate({ visits: [] }, {}, { ...trip(['A']), passage_order_type: trap('key') } as never),
    ],
    [
      'activation_type',
      evaluate({ visits: [] }, {}, { ...trip(['A']), activation_type: trap('key') } as never),
    ],
    [
      'points[1]',
      evaluate(
        { visits: [] },
        {},
        withPoints(POINT, Object.assign(trap('geometry'), { type: { key: 'point' } })),
      ),
    ],
    ['track.visits', evaluate(trap('visits'))],
    ['track.gaps', evaluate(Object.defineProperty(trap('gaps'), 'visits', { value: [] }))],
    ['visits', source({ visits: new Proxy([], { get: () => { throw new Error('no'); } }) })], // biome-ignore format: short
    ['visits[1]', source({ visits: [...visits('0 08:00 08:10'), trap('zoneId')] })],
    ['gaps', source({ visits: [], gaps: new Proxy([], { get: () => { throw new Error('no'); } }) })], // biome-ignore format: short
    ['gaps[1]', source({ visits: [], gaps: [{ from: 1, to: 2 }, trap('from')] })],
    ['points', () => tripZones(trap('points') as Trip)],
    ['points[1]', () => tripZones(withPoints(POINT, trap('width')))],
    ['route', () => tripFromRoute(trap('points') as never, { dates: [DATE] })],
    ['points[0]', () => tripFromRoute({ points: [trap('name')] } as never, { dates: [DATE] })],
    ['options.dates', () => tripFromRoute({ points: [POINT] } as never, trap('dates') as never)],
    [
      'options.dates',
      () => tripFromRoute({ points: [POINT] } as never, { dates: new Proxy([], { get: () => { throw new Error('no'); } }) }), // biome-ignore format: short
    ],
    [
      'options.times',
      () => tripFromRoute({ points: [POINT] } as never, { dates: [DATE], times: trap('start') as never }),
    ],
    [
      'options.times.durationsSeconds',
      () =>
        tripFromRoute({ points: [POINT] } as never, {
          dates: [DATE],
          times: { start: '08:00', durationsSeconds: new Proxy([], { get: () => { throw new Error('no'); } }) }, // biome-ignore format: short
        }),
    ],
    ['options.policy', () => new TripTracker(trip(['A']), DATE, trap('policy') as never)],
    [
      'options.receivedAt',
      () => new TripTracker(trip(['A']), DATE, UTC).push({ time: 0, lon: 0, lat: 0 }, trap('receivedAt')),
    ],
    ['snapshot', () => TripTracker.restore(trip(['A']), trap('version') as never)],
    [
      'snapshot',
      () => {
        const snapshot = new TripTracker(trip(['A']), DATE, UTC).snapshot();
        return TripTracker.restore(trip(['A']), { ...snapshot, journal: trap('settlements') });
      },
    ],
  ])('%s', (field, run) => {
    expect(errorText(run)).toBe(`input-unreadable ${field}: ${UNREADABLE}`);
  });
});
