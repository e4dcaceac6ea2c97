/** Drives that no file here holds, but that drivers and receivers make: a pen with a heading draws them manoeuvre by manoeuvre. */

import type { Position } from '../../../src/index.js';

type Random = () => number;

/** A pen in metres, east and north of a city. */
class Pen {
  readonly random: Random;
  readonly points: [number, number][] = [[0, 0]];
  /** Radians, anticlockwise from east. */
  heading: number;

  constructor(random: Random) {
    this.random = random;
    this.heading = 2 * Math.PI * random();
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  sign(): 1 | -1 {
    return this.random() < 0.5 ? 1 : -1;
  }

  go(meters: number): void {
    const [x, y] = this.points.at(-1)!;
    this.points.push([x + meters * Math.cos(this.heading), y + meters * Math.sin(this.heading)]);
  }

  turn(radians: number): void {
    this.heading += radians;
  }

  /** An arc of `radians` to the left, or to the right if negative, in equal chords. */
  arc(radius: number, radians: number, steps: number): void {
    const each = radians / steps;
    for (let i = 0; i < steps; i++) {
      this.turn(each / 2);
      this.go(2 * radius * Math.abs(Math.sin(each / 2)));
      this.turn(each / 2);
    }
  }

  /** Back over the last `count` vertices, `offset` metres to the right. */
  back(count: number, offset: number): void {
    const way = this.points.slice(-1 - count, -1).toReversed();
    let [fromX, fromY] = this.points.at(-1)!;
    for (const [x, y] of way) {
      const length = Math.hypot(x - fromX, y - fromY);
      if (length === 0) continue;
      this.heading = Math.atan2(y - fromY, x - fromX);
      this.points.push([x + (offset * (y - fromY)) / length, y - (offset * (x - fromX)) / length]);
      [fromX, fromY] = [x, y];
    }
  }
}

/** Manoeuvres; each goes on from where the pen is. `size` is the length in metres that rules its shape. */
export const MANOEUVRES: Readonly<Record<string, (pen: Pen, size: number) => void>> = {
  road: (pen, size) => {
    for (let i = pen.whole(1, 8); i > 0; i--) {
      pen.go(size * pen.between(0.3, 3));
      pen.turn(pen.between(-0.5, 0.5));
    }
  },
  roundabout: (pen, size) => {
    const sides = pen.whole(6, 40);
    const steps = Math.max(1, Math.round(sides * pen.between(0.2, pen.random() < 0.3 ? 3.2 : 1.1)));
    const side = pen.sign();
    pen.turn(-side * pen.between(0, Math.PI / 2));
    pen.arc(size, (side * 2 * Math.PI * steps) / sides, steps);
    pen.turn(-side * pen.between(0, Math.PI / 2));
  },
  'roundabout and back': (pen, size) => {
    pen.go(pen.between(10, 200));
    const road = pen.points.at(-2)!;
    const gate = pen.points.at(-1)!;
    const sides = pen.whole(6, 40);
    pen.turn((-pen.sign() * Math.PI) / 2);
    pen.arc(size, pen.sign() * 2 * Math.PI * pen.whole(1, 3), sides);
    if (pen.random() < 0.7) pen.points[pen.points.length - 1] = [...gate];
    pen.points.push([...road]);
  },
  cloverleaf: (pen, size) => {
    for (let i = pen.whole(1, 4); i > 0; i--) {
      pen.go(size * pen.between(0.2, 2));
      pen.arc(size, 1.5 * Math.PI, pen.whole(6, 24));
      pen.go(size * pen.between(0.2, 2));
    }
  },
  'mini loop': (pen, size) => {
    pen.arc(size / 4, pen.sign() * pen.between(1.2, 2.2) * Math.PI, pen.whole(3, 8));
  },
  hairpin: (pen, size) => {
    pen.arc(size / 3, pen.sign() * pen.between(0.9, 1.1) * Math.PI, pen.whole(2, 10));
    pen.go(size * pen.between(0.5, 6));
  },
  switchbacks: (pen, size) => {
    const gap = pen.between(0, 0.25) * size;
    const side = pen.sign();
    for (let i = pen.whole(3, 9); i > 0; i--) {
      pen.go(size * pen.between(0.8, 1.2));
      pen.turn((i % 2 === 0 ? 1 : -1) * side * Math.PI * 0.5);
      pen.go(gap);
      pen.turn((i % 2 === 0 ? 1 : -1) * side * Math.PI * pen.between(0.4, 0.5));
    }
  },
  'car park': (pen, size) => {
    for (let i = pen.whole(4, 25); i > 0; i--) {
      pen.go((size / 4) * pen.between(-0.4, 1));
      pen.turn(pen.random() < 0.6 ? (pen.sign() * Math.PI) / 2 : pen.between(-1.5, 1.5));
    }
  },
  'car park tower': (pen, size) => {
    const steps = pen.whole(6, 16);
    for (let i = pen.whole(2, 6); i > 0; i--)
      pen.arc((size / 2) * pen.between(0.98, 1.02), 2 * Math.PI, steps);
  },
  standstill: (pen, size) => {
    const [x, y] = pen.points.at(-1)!;
    const radius = size / 5;
    for (let i = pen.whole(5, 60); i > 0; i--) {
      const reach = radius * Math.sqrt(-2 * Math.log(1 - pen.random()));
      const angle = pen.between(0, 2 * Math.PI);
      pen.points.push([x + reach * Math.cos(angle), y + reach * Math.sin(angle)]);
    }
  },
  spiral: (pen, size) => {
    const turns = pen.whole(1, 4);
    const steps = 12 * turns;
    const side = pen.sign();
    for (let i = 1; i <= steps; i++) pen.arc((size * i) / steps, (side * Math.PI) / 6, 1);
  },
  'cul-de-sac': (pen, size) => {
    const before = pen.points.length;
    for (let i = pen.whole(1, 5); i > 0; i--) {
      pen.go(size * pen.between(0.2, 2));
      pen.turn(pen.between(-0.4, 0.4));
    }
    const count = pen.points.length - before;
    if (pen.random() < 0.5) pen.arc(size / 3, pen.sign() * 1.8 * Math.PI, pen.whole(5, 14));
    pen.back(count, pen.random() < 0.3 ? 0 : pen.between(0, 8));
  },
  'figure eight': (pen, size) => {
    const steps = pen.whole(5, 20);
    for (let i = pen.whole(1, 2); i > 0; i--) {
      pen.arc(size, 2 * Math.PI, steps);
      pen.arc(size * pen.between(0.7, 1.3), -2 * Math.PI, steps);
    }
  },
  'round the block': (pen, size) => {
    const [a, b] = [size * pen.between(0.5, 3), size * pen.between(0.5, 3)];
    const side = pen.sign();
    for (let i = pen.whole(3, 13); i > 0; i--) {
      pen.go(i % 2 === 0 ? a : b);
      pen.turn((side * Math.PI) / 2 + (pen.random() < 0.2 ? pen.between(-0.05, 0.05) : 0));
    }
  },
  'three-point turn': (pen, size) => {
    pen.arc(size / 3, 1, pen.whole(1, 4));
    pen.turn(Math.PI);
    pen.arc(size / 3, 1, pen.whole(1, 4));
    pen.turn(Math.PI);
    pen.arc(size / 3, 1, pen.whole(1, 4));
  },
  deliveries: (pen, size) => {
    for (let i = pen.whole(2, 8); i > 0; i--) {
      pen.go(size * pen.between(0.2, 2));
      const heading = pen.heading;
      pen.turn(pen.sign() * pen.between(1, 2));
      pen.go(size * pen.between(0.05, 0.6));
      pen.back(1, pen.random() < 0.5 ? 0 : pen.between(0, 2));
      pen.heading = heading;
    }
  },
  'the same again': (pen) => {
    const count = Math.min(pen.points.length, pen.whole(2, 40));
    pen.points.push(...pen.points.slice(-count).map(([x, y]): [number, number] => [x, y]));
  },
  return: (pen) => pen.back(Math.min(pen.points.length - 1, pen.whole(1, 60)), 0),
};

/** `[lon, lat]` of the middle of a city. */
export const CITIES: readonly (readonly [string, Position])[] = [
  ['Quito', [-78.4678, -0.1807]],
  ['Kampala, on the equator', [32.58, 0.00001]],
  ['Singapore', [103.8198, 1.3521]],
  ['Austin', [-97.7431, 30.2672]],
  ['Vaduz', [9.5209, 47.141]],
  ['Moscow', [37.6173, 55.7558]],
  ['Oslo', [10.7522, 59.9139]],
  ['Murmansk', [33.0846, 68.9586]],
  ['Longyearbyen', [15.6356, 78.2232]],
  ['Alert', [-62.35, 82.5018]],
  ['the last road north', [-30, 84]],
  ['Ushuaia', [-68.303, -54.8019]],
  ['McMurdo', [166.6863, -77.8419]],
  ['Taveuni, on 180°', [179.9999, -16.85]],
  ['Chukotka, on 180°', [-179.9998, 66.2]],
  ['Greenwich', [0.00001, 51.4779]],
  ['the Gulf of Guinea', [0, 0]],
];

export interface InventedLine {
  readonly name: string;
  readonly line: readonly Position[];
  readonly width: number;
}

/** Metres on the surface to degrees, on a sphere, which is enough to draw. */
function placed(
  points: readonly (readonly [number, number])[],
  [lon, lat]: Position,
  decimals: number,
): Position[] {
  const scale = Math.cos((lat * Math.PI) / 180);
  const rounded = (degrees: number): number => Math.round(degrees * 10 ** decimals) / 10 ** decimals;
  return points.map(([x, y]) => {
    const east = lon + x / 111_320 / scale;
    const north = Math.max(-84, Math.min(84, lat + y / 111_320));
    return [rounded(east - 360 * Math.round(east / 360)), rounded(north)];
  });
}

/**
 * A drive of one to five manoeuvres of about one size, with the noise, the gaps and the decimals of a receiver. One in 16 is so sparse,
 * or so long, that its edges have up to 100 km.
 */
export function inventedLine(random: Random): InventedLine {
  const pen = new Pen(random);
  const names = Object.keys(MANOEUVRES);
  const isLong = random() < 1 / 16;
  const size = 3 * 20 ** random() * (isLong ? 10 ** (1 + 2.3 * random()) : 1);
  const [city, at] = CITIES[Math.floor(random() * CITIES.length)]!;
  const drawn: string[] = [];
  for (let i = pen.whole(1, 5); i > 0; i--) {
    const name = names[Math.floor(random() * names.length)]!;
    drawn.push(name);
    MANOEUVRES[name]!(pen, size * pen.between(0.6, 1.6));
  }
  let points: readonly (readonly [number, number])[] = pen.points;
  const noise = [0, 0, 0.3, 3][pen.whole(0, 3)]!;
  if (noise > 0)
    points = points.map(([x, y]) => [x + noise * pen.between(-1, 1), y + noise * pen.between(-1, 1)]);
  if (random() < 0.2) points = points.filter(() => random() < 0.6);
  if (random() < 0.1 && points.length > 0) points = [...points, points[0]!];
  if (points.length === 0) points = [[0, 0]];
  const decimals = (isLong ? [1, 2, 3, 4, 5, 7] : [5, 5, 6, 6, 7, 15])[pen.whole(0, 5)]!;
  // Half of the widths are near those at which the inside of a bend or loop closes.
  const width = random() < 0.5 ? 2 * size * pen.between(0.2, 2.2) : 2 * 1000 ** random();
  return {
    name: `${drawn.join(', ')} in ${city}`,
    line: placed(points, at, decimals),
    width: Math.min(2000, Math.max(0.5, width)),
  };
}
