/** Tracks that others reported: their movement is what the table of `../shared/data/reported/fleet` says. */

import { expect } from 'vitest';
import { streamInput } from '../../src/cli/io/streamInput.js';
import {
  detectTrips,
  type MovementReport,
  meterTrack,
  readTrack,
  type Track,
  type TripDetectorFields,
} from '../../src/tracks/index.js';
import { dataPath, hasData } from '../interchange/realData.js';
import { needs } from '../needs.js';

const { test } = needs({
  name: '../shared/data/reported/fleet',
  isThere: hasData('reported/fleet/README.md'),
});

const SPEED = { jump: 'speed' } as const;

async function trackOf(name: string): Promise<Track> {
  const reading = { axisOrder: 'lonlat', columns: {} } as const;
  const { value } = await streamInput(dataPath(`reported/fleet/${name}`), reading, { write: () => true });
  return readTrack(value.tracks[0]!.fixes);
}

async function movement(name: string, settings: TripDetectorFields = {}): Promise<MovementReport> {
  return detectTrips(await trackOf(name), settings, SPEED);
}

/** `HH:mm-HH:mm`, rounded to minutes. */
const spans = (items: MovementReport['trips']): string[] =>
  items.map(({ from, to }) =>
    [from, to]
      .map((time) => new Date(Math.round(time / 60_000) * 60_000).toISOString().slice(11, 16))
      .join('-'),
  );
const kilometers = (items: MovementReport['trips']): number[] =>
  items.map(({ distanceMeters }) => Math.round(distanceMeters / 100) / 10);
const codes = ({ issues }: MovementReport): string[] => issues.map(({ code }) => code);

test('a speed that is always 0 (k1a): two trips, and an issue', async () => {
  const report = await movement('k1a-speed-zero-always.csv');
  expect(spans(report.trips)).toEqual(['08:10-08:30', '08:40-09:00']);
  expect(report.parkings).toHaveLength(3);
  expect(codes(report)).toEqual(['speed-contradicts']);
});

test('a speed of 0 from minute 20 on (k1b): no parking of kilometres', async () => {
  const { trips, parkings } = await movement('k1b-speed-zero-from-minute-20.csv');
  expect(spans(trips)[0]!.slice(6)).toBe('08:30');
  for (const { distanceMeters } of parkings) expect(distanceMeters).toBeLessThan(100);
});

test('a speed of 0 in two of three fixes (k1c): two trips without stops', async () => {
  const { trips, stops } = await movement('k1c-speed-zero-two-of-three.csv');
  expect([trips.length, stops.length]).toEqual([2, 0]);
});

test('an ignition wire that nobody connected (k1f): two trips', async () => {
  const report = await movement('k1f-ignition-wire-off.csv', { key_tripdetector_movedetect: 'ignition' });
  expect(report.trips).toHaveLength(2);
  expect(codes(report)).toContain('ignition-contradicts');
});

test.each(['k2a-noise-5s-3m.csv', 'k2b-noise-15s-8m.csv', 'k2d-noise-30s-10m.csv'])(
  'noise without speeds (%s): one parking of 40 minutes',
  async (name) => {
    const { trips, parkings } = await movement(name);
    expect(trips).toHaveLength(2);
    expect(parkings).toHaveLength(1);
    expect(Math.abs(parkings[0]!.durationSeconds - 2400)).toBeLessThanOrEqual(60);
  },
);

test.each(['k3a-last-fix-moving.csv', 'k3b-first-fix-moving.csv', 'k3d-no-speeds.csv'])(
  'no power with the ignition (%s): parked from 08:20 to 18:20',
  async (name) => {
    const track = await trackOf(name);
    const { parkings } = detectTrips(track, {}, SPEED);
    expect(spans(parkings)).toContain('08:20-18:20');
    expect(meterTrack(track).total().parkedSeconds).toBeGreaterThanOrEqual(36_000);
  },
);

test('an odometer that stands still (k5a): a trip; for a half (k5b): 45 km or an issue', async () => {
  const settings = { tripdetector_mileagedetect: 'mileage_mileage_sensor' } as const;
  expect(spans((await movement('k5a-odometer-stuck.csv', settings)).trips)).toEqual(['08:05-08:35']);
  const half = await movement('k5b-odometer-stuck-half.csv', settings);
  expect(kilometers(half.trips)[0] === 45 || codes(half).includes('mileage-contradicts')).toBe(true);
});

test('an odometer of whole miles (k5c): 45 km to a mile', async () => {
  const settings = { tripdetector_mileagedetect: 'mileage_mileage_sensor' } as const;
  const { trips } = await movement('k5c-odometer-whole-miles-5s.csv', settings);
  const sum = trips.reduce((total, { distanceMeters }) => total + distanceMeters, 0);
  expect(Math.abs(sum - 45_000)).toBeLessThan(1610);
});

test.each(['k6a-night-spikes.csv', 'k6c-night-spikes-no-speed.csv'])(
  'a night of spikes (%s): one parking',
  async (name) => {
    const { trips, parkings, unknown } = await movement(name);
    expect([trips.length, parkings.length]).toEqual([0, 1]);
    // A spike at the very end is not decided.
    for (const { from, reason } of unknown) expect([from, reason]).toEqual([parkings[0]!.to, 'open']);
  },
);

test('a speed of 0 on the way (k13a): no mean above the greatest speed', () => {
  const meters = 111_320 * Math.cos((50 * Math.PI) / 180);
  const start = Date.UTC(2024, 2, 1, 8);
  const fixes = Array.from({ length: 81 }, (_, i) => ({
    time: start + i * 30_000,
    lon: 10 + (i * 375) / meters,
    lat: 50,
    speedKph: i < 20 ? 45 : 0,
  }));
  const { meanSpeedKph, maxSpeedKph, movingSeconds } = meterTrack(readTrack(fixes)).between(
    start,
    start + 2_400_000,
  );
  expect(movingSeconds).toBe(2400);
  expect(maxSpeedKph).toBeGreaterThanOrEqual(meanSpeedKph!);
});
