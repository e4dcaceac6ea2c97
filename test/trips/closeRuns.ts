/** Random runs of one to three zones with visits close to each other, so that most are one stay and may be left apart (T17, T24). */

import type { Fix } from '../../src/core/fix.js';
import { DATE, placeOf, type RandomRun } from './randomRuns.js';

const START = Date.parse(`${DATE}T06:00Z`);

/** `most`: points and visits at most. */
export function closeRun(random: () => number, most: number): RandomRun {
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(...items: readonly Item[]): Item => items[int(items.length)]!;
  const chance = (share: number): boolean => random() < share;
  const clock = (minutes: number): string =>
    `${String(6 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

  const zones = pick(1, 1, 2, 3);
  const nextZone = (i: number): number => (chance(0.7) ? i % zones : int(zones));
  const [pace, tolerance, isPlanned] = [pick(2, 4, 5, 10, 30), pick(0, 2, 5, 10, 20), chance(0.75)];
  const points = Array.from({ length: 2 + int(most - 1) }, (_, i) => ({
    name: `P${i}`,
    type: { key: 'circle' },
    width: 200,
    geometry: [placeOf(1500 * nextZone(i), 0)],
    ...(isPlanned &&
      chance(0.85) && { arrival: { time: clock(i * pace + int(3)), deviation_minutes: tolerance } }),
    ...(chance(0.15) && { departure: { time: clock(i * pace + 4 + int(3)), deviation_minutes: tolerance } }),
  }));
  const starts = ['entrance_to_first_point', 'leaving_first_point'];
  if (points[0]!.arrival) starts.push('time_of_first_point');
  const trip = {
    name: 'Trip',
    id: 'trip',
    unit: { id: 'unit' },
    activation_type: { key: pick(...starts) },
    passage_order_type: { key: pick('strict', 'strict', 'strict', 'arbitrary') },
    dates: [DATE],
    points,
  } as unknown as RandomRun['trip'];

  const fixes: Fix[] = [];
  let seconds = -int(900);
  const [every, noise, hasHoles] = [pick(10, 20, 30), pick(2, 2, 15), chance(0.3)];
  const report = (until: number, x: number, speedKph: number): void => {
    for (; seconds < until; seconds += every) {
      const [lon, lat] = placeOf(x + noise * (random() - 0.5), noise * (random() - 0.5));
      fixes.push({ time: START + 1000 * seconds, lon, lat, speedKph });
    }
  };
  for (let k = 1 + int(most); k >= 0; k--) {
    const x = 1500 * nextZone(k);
    report(seconds + pick(40, 60, 90, 180, 400), x, 0);
    if (hasHoles && chance(0.2)) seconds += pick(300, 700, 1500, 4000);
    report(seconds + pick(60, 90, 110, 130, 300), x + 450, 30);
  }
  const options = {
    timeZone: 'UTC',
    policy: pick('skip', 'skip', 'skip', 'wait'),
    allowSharedVisit: chance(0.75),
    ...(chance(0.1) && { minStaySeconds: 90 }),
    ...(chance(0.6) && { now: fixes[int(fixes.length)]!.time }),
  } as const;
  const { now } = options as { now?: number };
  return { trip, date: DATE, fixes: fixes.filter(({ time }) => time <= (now ?? time)), options };
}
