import { expect, test } from 'vitest';
import { prepareHours } from '../../../src/hours/index.js';
import {
  matchRoute,
  meterTrack,
  prepareRoute,
  readTrack,
  SpeedingTracker,
  sumByZone,
} from '../../../src/tracks/index.js';
import { sealed } from '../../../src/tracks/stream/sealed.js';
import { errorOf } from '../../errorOf.js';

const track = readTrack([]);
const route = prepareRoute([[37.6, 55.7], [37.7, 55.7]]); // biome-ignore format: one line
const hours = (weekly: object) => () => prepareHours({ weekly: [weekly] } as never, { timeZone: 'UTC' });

test.each([
  ['a number from 0 to', () => matchRoute(track, route, { widthMeters: 60, backMeters: -1 })],
  ['a number above 0', () => matchRoute(track, route, { widthMeters: 0 })],
  ['a time HH:mm, received', hours({ days: [1], from: '24:00', to: '10:00' })],
  ['a time HH:mm up to 24:00, received', hours({ days: [1], from: '08:00', to: '24:01' })],
  ['an object, received', () => prepareHours(5 as never, { timeZone: 'UTC' })],
  [
    'a visit, or {zoneId, from, to} in epoch milliseconds, received',
    () => sumByZone([{}] as never, meterTrack(track)),
  ],
  ['whole epoch milliseconds, received', () => meterTrack(track).between(0.5, 2)],
  ['a time from 5 on, received', () => meterTrack(track).between(5, 1)],
])('an error says what was expected: %s', (wanted, call) => {
  expect(errorOf(call as () => unknown).message).toContain(`expected ${wanted}`);
});

test('a snapshot with a setting that no tracker had says so', () => {
  const tracker = new SpeedingTracker({ limitKph: 50 });
  tracker.configure('u', { advanced_mileagecoeff: 2 });
  tracker.push('u', { time: 1_772_438_400_000, lon: 37.6, lat: 55.7 });
  const { checksum: _, ...body } = tracker.snapshot();
  const changed = sealed({ ...body, options: { ...body.options, advanced_mileagecoeff: -2 } });
  const error = errorOf(() => SpeedingTracker.restore(changed, {}));
  expect(error).toMatchObject({ code: 'state-corrupt' });
  expect(error.message).toContain('a setting of a tracker');
});
