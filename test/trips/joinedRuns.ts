/** Runs whose visits are parted by gaps, in zones that are often entered at one time, with starts in holes. */

import type { TripInput, TripOptions, TripVisits } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { COST_DATE, costTrip } from './costRuns.js';

const START = Date.parse(`${COST_DATE}T06:00Z`);
const MINUTE = 60_000;

export interface JoinedRun {
  readonly trip: TripInput;
  readonly given: TripVisits;
  readonly options: TripOptions;
}

export function joinedRun(seed: number): JoinedRun {
  const random = seeded(seed);
  const int = (count: number): number => Math.floor(random() * count);
  const zones = 2 + int(4);
  const points = zones + int(6);
  const trip = {
    ...costTrip({ points, zones, isPlanned: random() < 0.5 }),
    activation_type: { key: random() < 0.5 ? 'entrance_to_first_point' : 'leaving_first_point' },
  } as TripInput;
  const holes = Array.from({ length: 1 + int(4) }, () => {
    const from = START + int(60) * 5 * MINUTE;
    return { from, to: from + (3 + int(8)) * 5 * MINUTE };
  })
    .sort((a, b) => a.from - b.from)
    .filter((hole, i, all) => i === 0 || hole.from > all[i - 1]!.to);
  const gaps = [...holes];
  const visits: TripVisits['visits'][number][] = [];
  // The first point is often seen by nobody.
  for (let zone = random() < 0.5 ? 1 : 0; zone < zones; zone++) {
    let time = START + int(20) * 5 * MINUTE;
    for (let k = 3 + int(12); k > 0; k--) {
      const [enter, exit] = [time, time + (1 + int(6)) * 5 * MINUTE];
      const isGap = random() < 0.6;
      const hole = gaps.find(({ from, to }) => from < enter && to >= enter);
      visits.push({
        zoneId: String(zone),
        seen: 'inside',
        end: isGap ? 'gap' : 'left',
        enter,
        exit,
        enterBounds: [hole?.from ?? enter - 1000, enter],
        exitBounds: [exit, exit + 1000],
        fixCount: 3,
      });
      time = exit + (isGap ? 5 * (1 + int(3)) : random() < 0.5 ? 1 : 5 * (1 + int(12))) * MINUTE;
      if (isGap) gaps.push({ from: exit, to: time });
    }
  }
  visits.sort((a, b) => a.enter - b.enter || Number(a.zoneId) - Number(b.zoneId));
  gaps.sort((a, b) => a.from - b.from);
  const apart = gaps.filter((gap, i, all) => i === 0 || gap.from >= all[i - 1]!.to);
  const options: TripOptions = {
    timeZone: 'UTC',
    ...(random() < 0.3 && { policy: 'wait' as const }),
    ...(random() < 0.2 && { allowSharedVisit: false }),
    ...(random() < 0.2 && { leaveConfirmSeconds: 600 }),
    ...(random() < 0.4 && { now: START + int(800) * MINUTE }),
  };
  return { trip, given: { visits, gaps: apart }, options };
}
