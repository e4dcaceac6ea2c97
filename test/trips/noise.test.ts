/** Days with a minute at each of four points and a return to the first one, reported with strong noise and no speeds: nobody is blamed. */

import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip } from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { DATE, placeOf, type RandomRun } from './randomRuns.js';

const START = Date.parse(`${DATE}T07:15Z`);
const WAY_KPH = 40;

function noisyDay(random: () => number, noise: number, every: number): Pick<RandomRun, 'trip' | 'fixes'> {
  const gauss = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  // The truth, second by second.
  const spots: [x: number, y: number][] = [];
  let [x, y] = [-3000, 0];
  const stand = (seconds: number): void => {
    for (let k = 0; k < seconds; k++) spots.push([x, y]);
  };
  const drive = (toX: number, toY: number): void => {
    const [fromX, fromY] = [x, y];
    const seconds = secondsTo(toX, toY);
    for (let k = 1; k <= seconds; k++) {
      [x, y] = [fromX + ((toX - fromX) * k) / seconds, fromY + ((toY - fromY) * k) / seconds];
      spots.push([x, y]);
    }
  };
  const secondsTo = (toX: number, toY: number): number =>
    Math.ceil(Math.hypot(toX - x, toY - y) / (WAY_KPH / 3.6));
  const zones = [0, 2500, 5000, 7500].map((east) => [east, Math.floor(400 * random())] as const);
  zones.forEach(([east, north], i) => {
    const due = 2700 + 1800 * i + Math.floor(600 * (random() - 0.5));
    stand(due - spots.length - secondsTo(east, north));
    drive(east, north);
    stand(60 + Math.floor(20 * random()));
    drive(east + 400, north + 60);
  });
  stand(2 * 3600);
  drive(...zones[0]!);
  stand(1800);

  const fixes: Fix[] = [];
  for (let i = Math.floor(every * random()); i < spots.length; i += every) {
    const [lon, lat] = placeOf(spots[i]![0] + noise * gauss(), spots[i]![1] + noise * gauss());
    fixes.push({ time: START + 1000 * i, lon, lat });
  }
  const points = zones.map((zone, i) => ({
    name: `K${i}`,
    type: { key: 'circle' },
    width: 100,
    geometry: [placeOf(...zone)],
    arrival: { time: ['08:00', '08:30', '09:00', '09:30'][i], deviation_minutes: 10 },
  }));
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points,
  } as unknown as RandomRun['trip'];
  return { trip, fixes };
}

test.each([10, 15, 20, 30])('T13, T22: no violation on days with %d m of noise', (noise) => {
  for (let seed = 0; seed < volume(40, 6); seed++)
    for (const every of [10, 30]) {
      const { trip, fixes } = noisyDay(seeded(seed), noise, every);
      const { violations } = evaluateTrip(trip, DATE, readTrack(fixes), { timeZone: 'UTC' });
      expect([seed, every, violations]).toEqual([seed, every, []]);
    }
});
