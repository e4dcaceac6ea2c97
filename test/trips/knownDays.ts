/**
 * Days of which each stop is known: a truck stands in zones, drives, crawls or queues through them, and its unit reports that with noise, spikes, gaps, and
 * speeds that are right, noisy, late or missing.
 */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { DATE, placeOf } from './randomRuns.js';

export interface KnownStop {
  readonly zone: number;
  readonly from: number;
  readonly to: number;
}

export interface KnownDay {
  readonly trip: Trip;
  readonly fixes: readonly Fix[];
  readonly stops: readonly KnownStop[];
}

interface Spot {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly kph: number;
  readonly isOn: boolean;
}

const START = Date.parse(`${DATE}T07:00:00Z`);

export function knownDay(random: () => number): KnownDay {
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const gauss = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const zones = [0, pick(1500, 2500), pick(4000, 5000)].map((x, i) => ({
    x,
    y: i === 1 ? pick(0, 100) : 0,
    radius: pick(40, 60, 80, 100, 150),
  }));

  // The truth, second by second.
  const spots: Spot[] = [];
  const stops: KnownStop[] = [];
  let [time, x, y] = [START, -1500, 0];
  const put = (kph: number, isOn: boolean): void => {
    spots.push({ time, x, y, kph, isOn });
    time += 1000;
  };
  const stand = (seconds: number, isOn: boolean): void => {
    for (let k = 0; k < seconds; k++) put(0, isOn);
  };
  const drive = (toX: number, toY: number, kph: number): void => {
    const [fromX, fromY] = [x, y];
    const seconds = Math.max(1, Math.round(Math.hypot(toX - x, toY - y) / (kph / 3.6)));
    for (let k = 1; k <= seconds; k++) {
      x = fromX + ((toX - fromX) * k) / seconds;
      y = fromY + ((toY - fromY) * k) / seconds;
      put(kph, true);
    }
  };
  for (const zone of pick([0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 1, 2], [1, 0, 1, 2])) {
    const { x: east, y: north, radius } = zones[zone]!;
    drive(east - radius - 150, north, pick(30, 50, 60));
    const kind = pick('stop', 'stop', 'stop', 'short', 'yard', 'pass', 'crawl', 'queue', 'around');
    if (kind === 'around') drive(east, north + radius + 200, 40);
    else if (kind === 'pass') drive(east + radius + 150, north, pick(15, 30, 50));
    else if (kind === 'crawl') drive(east + radius + 150, north, pick(4, 4.5, 5, 6, 8, 10));
    else if (kind === 'queue') {
      while (x < east + radius + 100) {
        drive(x + 8 + 17 * random(), north, pick(5, 8, 12));
        stand(2 + Math.floor(12 * random()), true);
      }
    } else {
      const off = pick(0, 0, radius * 0.4, radius * 0.7);
      drive(east + off * (random() - 0.5), north + off * (random() - 0.5), pick(20, 30));
      const [from, isOn] = [time, random() < 0.5];
      stand(kind === 'stop' ? 180 + Math.floor(900 * random()) : 90 + Math.floor(60 * random()), isOn);
      if (kind === 'yard') {
        drive(x + 20, y, 6);
        stand(100 + Math.floor(150 * random()), isOn);
      }
      stops.push({ zone, from, to: time });
    }
    drive(east + radius + 150, north, pick(20, 30));
  }
  drive(x + 2000, y, 50);

  const points = zones.map(({ x: east, y: north, radius }, zone) => ({
    name: `P${zone}`,
    type: { key: 'circle' },
    geometry: [placeOf(east, north)],
    width: radius,
    arrival: null,
    departure: null,
  }));
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points,
  } as unknown as Trip;
  return { trip, fixes: reported(spots, random, pick, gauss), stops };
}

function reported(
  spots: readonly Spot[],
  random: () => number,
  pick: <Item>(...items: readonly Item[]) => Item,
  gauss: () => number,
): Fix[] {
  const every = pick(5, 10, 15, 30, 60);
  const noise = pick(2, 4, 8, 12, 18);
  const kept = pick(0, 0.8, 0.95);
  const speeds = pick('none', 'right', 'right', 'noisy', 'late');
  const hasIgnition = random() < 0.5;
  const spikes = pick(0, 0, 0.02);
  const lostFrom = random() < 0.25 ? START + random() * 1000 * spots.length : Number.POSITIVE_INFINITY;
  const lostTo = lostFrom + pick(120, 400, 900) * 1000;
  const fixes: Fix[] = [];
  let [offX, offY, before] = [0, 0, 0];
  for (let i = 0; i < spots.length; i += every) {
    const { time, x, y, kph, isOn } = spots[i]!;
    offX = kept * offX + Math.sqrt(1 - kept ** 2) * noise * gauss();
    offY = kept * offY + Math.sqrt(1 - kept ** 2) * noise * gauss();
    const isSpike = random() < spikes;
    const [lon, lat] = placeOf(
      x + offX + (isSpike ? 150 * gauss() : 0),
      y + offY + (isSpike ? 150 * gauss() : 0),
    );
    const noisy = Math.max(0, kph === 0 ? 3 * Math.abs(gauss()) : kph + 2 * gauss());
    const speedKph = speeds === 'right' ? kph : speeds === 'noisy' ? noisy : before;
    before = kph;
    if (time > lostFrom && time < lostTo) continue;
    fixes.push({
      time,
      lon,
      lat,
      ...(speeds === 'none' ? {} : { speedKph }),
      ...(hasIgnition ? { ignition: isOn } : {}),
    });
  }
  return fixes;
}
