/** Days of a vehicle whose parkings are known, as its tracker reports them: sound, with noise, and with each witness broken. */

import type { Fix } from '../../../src/core/fix.js';
import { seeded } from '../../volume.js';
import { fixAt } from '../planeIndex.js';

/** Where the vehicle is, each second. */
interface Second {
  readonly x: number;
  readonly y: number;
  readonly kph: number;
  readonly ignition: boolean;
  /** Whether the engine gives the tracker power. */
  readonly driver: boolean;
}

/** A rest that is a parking, seconds from the start. */
export interface KnownParking {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
}

export interface KnownDay {
  readonly fixes: Fix[];
  readonly parkings: readonly KnownParking[];
  /** Metres driven between the parkings. */
  readonly meters: readonly number[];
  /** Seconds between two reports. */
  readonly step: number;
}

/** How the day is driven, and what its tracker sends. */
export interface Kind {
  readonly steps: readonly number[];
  readonly work?: 'street' | 'field' | 'sweeper' | 'ferry' | 'loop' | 'queue' | 'tow';
  /** Whether the vehicle is moved about within 45 m while it is parked. */
  readonly yard?: boolean;
  /** Standard deviation of the position's noise, metres, correlated over a minute. */
  readonly noise?: number;
  /** `late`: that of the fix before. `jitter`: up to 4 km/h at rest. `metric`: m/s in place of km/h. */
  readonly speed?: 'none' | 'zero' | 'forty' | 'hold' | 'late' | 'jitter' | 'metric';
  /** `loose`: a wire that gives either value at random. */
  readonly ignition?: 'none' | 'off' | 'on' | 'inverted' | 'loose';
  /** `kilometres`: in place of metres. `reset`: to 0 with each start of the engine. */
  readonly odometer?: 'none' | 'zero' | 'coarse' | 'kilometres' | 'reset';
  /** Power is cut with the ignition. */
  readonly power?: 'cut';
  readonly spikes?: number;
  /** Share of positions of a cell at rest. */
  readonly cells?: number;
}

export const KINDS: Readonly<Record<string, Kind>> = {
  sound: { steps: [1, 5, 10, 30] },
  'once a minute': { steps: [60] },
  'every 2 minutes': { steps: [120], noise: 3 },
  'every 5 minutes': { steps: [300], noise: 3 },
  'every 10 minutes': { steps: [600], noise: 3 },
  'noise of 2 m': { steps: [1, 5, 30], noise: 2 },
  'noise of 3 m': { steps: [1, 5, 30], noise: 3 },
  'noise of 5 m': { steps: [1, 5, 30], noise: 5 },
  'noise of 8 m': { steps: [5, 10, 30], noise: 8 },
  'no speed': { steps: [1, 5, 30], noise: 3, speed: 'none' },
  'no witness': { steps: [5, 30, 60], noise: 3, speed: 'none', ignition: 'none', odometer: 'none' },
  'speed always 0': { steps: [5, 30], noise: 3, speed: 'zero' },
  'speed always 40': { steps: [5, 30], noise: 3, speed: 'forty' },
  'speed kept at rest': { steps: [10, 30], noise: 2, speed: 'hold' },
  'speed one fix late': { steps: [5, 30], noise: 3, speed: 'late' },
  'speed up to 4 km/h at rest': { steps: [5, 30], noise: 3, speed: 'jitter' },
  'speed in m/s': { steps: [5, 30], noise: 3, speed: 'metric' },
  'no ignition': { steps: [5, 30], noise: 3, ignition: 'none' },
  'ignition inverted': { steps: [5, 30], noise: 3, ignition: 'inverted' },
  'ignition wire loose': { steps: [5, 30], noise: 3, ignition: 'loose' },
  'ignition always off': { steps: [5, 30], noise: 3, ignition: 'off' },
  'ignition always on': { steps: [5, 30], noise: 3, ignition: 'on' },
  'odometer always 0': { steps: [5, 30], noise: 3, odometer: 'zero' },
  'no odometer': { steps: [5, 30], noise: 3, odometer: 'none' },
  'odometer in kilometres': { steps: [5, 30], noise: 3, odometer: 'kilometres' },
  'odometer reset at each start': { steps: [5, 30], noise: 3, odometer: 'reset' },
  'coarse odometer': { steps: [5, 30], noise: 3, odometer: 'coarse' },
  'power cut with the ignition': { steps: [10, 30], noise: 3, power: 'cut' },
  spikes: { steps: [5, 30], noise: 3, spikes: 0.01 },
  'positions of cells at rest': { steps: [30, 60], noise: 3, cells: 0.1 },
  tractor: { steps: [5, 10, 30], work: 'field', noise: 2 },
  'tractor without speeds': { steps: [5, 10], work: 'field', noise: 2, speed: 'none' },
  sweeper: { steps: [5, 30], work: 'sweeper', noise: 2 },
  ferry: { steps: [30, 60], work: 'ferry', noise: 2 },
  loop: { steps: [5, 10], work: 'loop', noise: 2 },
  queue: { steps: [5, 10], work: 'queue', noise: 2 },
  tow: { steps: [1, 5, 30], work: 'tow', noise: 2 },
  yard: { steps: [1, 5, 30], yard: true, noise: 2 },
  'yard without witness': {
    steps: [5, 30],
    yard: true,
    noise: 2,
    speed: 'none',
    ignition: 'none',
    odometer: 'none',
  },
};

/** A day of a kind. The first and last item are parkings. */
export function knownDay(name: string, seed: number): KnownDay {
  return dayOf(KINDS[name]!, seed * 7919 + name.length * 104_729 + name.charCodeAt(0));
}

/** A day that is driven and reported so. */
export function dayOf(kind: Kind, seed: number): KnownDay {
  const random = seeded(seed);
  const step = kind.steps[Math.floor(random() * kind.steps.length)]!;
  const seconds: Second[] = [];
  const parkings: KnownParking[] = [];
  const meters: number[] = [];
  const place = { x: 0, y: 0 };
  const trips = 3 + Math.floor(random() * 3);
  for (let i = 0; i <= trips; i++) {
    const from = seconds.length;
    // A parking that is reported once cannot be told from a wait.
    const duration = Math.max(600, 2 * step) + Math.floor(random() * 3000);
    const idle = i > 0 && random() < 0.5 ? 0 : 40;
    for (let k = 0; k < duration; k++)
      seconds.push({
        ...place,
        kph: 0,
        ignition: k < idle || k >= duration - 40,
        driver: k < idle || k >= duration - 40,
      });
    const home = { ...place };
    if (kind.yard === true) moveAbout(seconds, place, random);
    parkings.push({ from, to: seconds.length - 1, ...home });
    if (i < trips) meters.push(way(seconds, place, kind.work ?? 'street', random));
  }
  return { fixes: reports(seconds, kind, step, random), parkings, meters, step };
}

/** Adds moves from place to place within a yard, and the rests after them. */
function moveAbout(seconds: Second[], place: { x: number; y: number }, random: () => number): void {
  const { x, y } = place;
  for (let moves = 1 + Math.floor(random() * 3); moves > 0; moves--) {
    const [angle, away] = [2 * Math.PI * random(), 15 + 30 * random()];
    const [dx, dy] = [x + away * Math.cos(angle) - place.x, y + away * Math.sin(angle) - place.y];
    const duration = Math.max(1, Math.round(Math.hypot(dx, dy) / 2.5));
    const kph = (Math.hypot(dx, dy) / duration) * 3.6;
    for (let k = 0; k < duration; k++) {
      place.x += dx / duration;
      place.y += dy / duration;
      seconds.push({ ...place, kph, ignition: true, driver: true });
    }
    const rest = 60 + Math.floor(random() * 900);
    for (let k = 0; k < rest; k++) seconds.push({ ...place, kph: 0, ignition: false, driver: false });
  }
}

/** Adds the seconds of a way. Returns its metres. */
function way(
  seconds: Second[],
  place: { x: number; y: number },
  work: NonNullable<Kind['work']>,
  random: () => number,
): number {
  let meters = 0;
  let heading = random() * 2 * Math.PI;
  let kph = 0;
  const isOff = work === 'ferry' || work === 'tow';
  const move = (): void => {
    const gone = kph / 3.6;
    place.x += gone * Math.cos(heading);
    place.y += gone * Math.sin(heading);
    meters += gone;
    seconds.push({ ...place, kph, ignition: !isOff, driver: true });
  };
  /** Drives at a speed for some time, and brakes. */
  const leg = (top: number, duration: number, turn: number): void => {
    const accelerate = top / 8;
    for (let k = 0; k < duration; k++) {
      kph = Math.min(top, kph + accelerate);
      if (k % 15 === 14) heading += (random() - 0.5) * turn;
      move();
    }
    while (kph > 0) {
      kph = Math.max(0, kph - accelerate);
      move();
    }
  };
  const stand = (duration: number): void => {
    kph = 0;
    for (let k = 0; k < duration; k++) move();
  };
  if (work === 'street' || work === 'tow') {
    const legs = 4 + Math.floor(random() * 8);
    for (let i = 0; i < legs; i++) {
      leg(25 + 65 * random(), 40 + Math.floor(random() * 120), 0.5);
      if (i < legs - 1) stand(5 + Math.floor(random() * 60));
    }
  } else if (work === 'field' || work === 'sweeper') {
    leg(25, 60, 0.2);
    const rows = work === 'field' ? 12 : 4;
    for (let i = 0; i < rows; i++) {
      leg(work === 'field' ? 9 : 5, work === 'field' ? 90 : 200, 0.02);
      heading += work === 'field' ? (i % 2 === 0 ? Math.PI / 2 : -Math.PI / 2) : 0.4;
      if (work === 'field') {
        leg(6, 4, 0);
        heading += i % 2 === 0 ? Math.PI / 2 : -Math.PI / 2;
      }
    }
    leg(25, 60, 0.2);
  } else if (work === 'ferry') leg(22, 1500, 0.05);
  else if (work === 'loop') {
    // Out and back to the same place in some minutes.
    const [x, y] = [place.x, place.y];
    leg(40, 120, 0.1);
    stand(20);
    heading = Math.atan2(y - place.y, x - place.x);
    const back = Math.hypot(x - place.x, y - place.y);
    const top = 36;
    leg(top, Math.max(10, Math.round(back / 10 - 8)), 0);
  } else {
    leg(50, 120, 0.3);
    // Stands and creeps, 6 to 12 m a time.
    for (let i = 0; i < 30; i++) {
      leg(8 + 4 * random(), 6, 0);
      stand(5 + Math.floor(random() * 15));
    }
    leg(50, 150, 0.3);
  }
  return meters;
}

/** What the tracker sends. */
function reports(seconds: readonly Second[], kind: Kind, step: number, random: () => number): Fix[] {
  const fixes: Fix[] = [];
  const { noise = 0 } = kind;
  let [dx, dy, odometer, held, before] = [0, 0, 5_000_000, 0, 0];
  const keep = Math.exp(-step / 60);
  const phase = Math.floor(random() * step);
  let last = seconds[0]!;
  seconds.forEach((second, i) => {
    odometer += Math.hypot(second.x - last.x, second.y - last.y);
    if (kind.odometer === 'reset' && second.ignition && !last.ignition) odometer = 0;
    last = second;
    if ((i + phase) % step !== 0 && i !== 0) return;
    dx = keep * dx + Math.sqrt(1 - keep * keep) * noise * gauss(random);
    dy = keep * dy + Math.sqrt(1 - keep * keep) * noise * gauss(random);
    if (kind.power === 'cut' && !second.driver) return;
    let [x, y] = [second.x + dx, second.y + dy];
    if (kind.spikes !== undefined && random() < kind.spikes) {
      x += 300 * (random() - 0.5);
      y += 300 * (random() - 0.5);
    }
    if (kind.cells !== undefined && second.kph === 0 && random() < kind.cells) {
      x += 2000 * (random() - 0.5);
      y += 2000 * (random() - 0.5);
    }
    if (second.kph > 0) held = second.kph;
    const sound = second.kph > 0 ? Math.max(0, second.kph + gauss(random)) : 0;
    const speedKph = speedOf(kind, sound, held, before, random);
    before = sound;
    const ignition = ignitionOf(kind, second.ignition, random);
    const mileageMeters = mileageOf(kind, odometer);
    fixes.push(
      fixAt(i, x, y, {
        ...(speedKph !== null && { speedKph }),
        ...(ignition !== null && { ignition }),
        ...(mileageMeters !== null && { mileageMeters }),
      }),
    );
  });
  return fixes;
}

/** `held`: the last speed above 0. `before`: that of the fix before. */
function speedOf(
  { speed }: Kind,
  sound: number,
  held: number,
  before: number,
  random: () => number,
): number | null {
  if (speed === 'none') return null;
  if (speed === 'zero') return 0;
  if (speed === 'forty') return 40;
  if (speed === 'hold') return held;
  if (speed === 'late') return before;
  if (speed === 'jitter') return sound > 0 ? sound : 4 * random();
  return speed === 'metric' ? sound / 3.6 : sound;
}

function ignitionOf({ ignition }: Kind, sound: boolean, random: () => number): boolean | null {
  if (ignition === 'none') return null;
  if (ignition === 'inverted') return !sound;
  if (ignition === 'loose') return random() < 0.5;
  return ignition === undefined ? sound : ignition === 'on';
}

function mileageOf({ odometer }: Kind, meters: number): number | null {
  if (odometer === 'none') return null;
  if (odometer === 'zero') return 0;
  if (odometer === 'coarse') return 1000 * Math.floor(meters / 1000);
  return odometer === 'kilometres' ? Math.round(meters) / 1000 : Math.round(meters);
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
