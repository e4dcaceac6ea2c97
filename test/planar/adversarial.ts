/** Seeded rings and points that break floating-point predicates: near-collinear, of mixed magnitudes, across powers of two. */

type Random = () => number;

export interface RingCase {
  readonly x: number;
  readonly y: number;
  readonly ring: number[];
}

const view = new DataView(new ArrayBuffer(8));

/** The double that is `steps` units in the last place further from 0 (nearer, if negative). */
export function nudge(value: number, steps: number): number {
  if (value === 0) return value;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}

const whole = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));
const pick = <T>(random: Random, list: readonly T[]): T => list[whole(random, 0, list.length - 1)] as T;
const within = (random: Random, low: number, high: number): number => low + random() * (high - low);

const vertices = (count: number, x: Random, y: Random): number[] =>
  Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? x() : y()));

/** A point on an edge of the ring (computed, so rounded), at a vertex, or at a corner or the centre of an edge's box. */
function pointNear(random: Random, ring: readonly number[]): [x: number, y: number] {
  const count = ring.length / 2;
  const i = whole(random, 0, count - 1);
  const j = (i + 1) % count;
  const [ax, ay, bx, by] = [ring[2 * i], ring[2 * i + 1], ring[2 * j], ring[2 * j + 1]] as [
    number,
    number,
    number,
    number,
  ];
  const kind = random();
  if (kind < 0.1) return [ax, ay];
  if (kind < 0.15) return [ax, by];
  if (kind < 0.2) return [(ax + bx) / 2, (ay + by) / 2];
  const fraction = random();
  return [ax + fraction * (bx - ax), ay + fraction * (by - ay)];
}

const round = (value: number, unit: number): number => Math.round(value * unit) / unit;

/** Families by name. Each draws one ring, which may cross itself, and one point. */
export const FAMILIES: Readonly<Record<string, (random: Random) => RingCase>> = {
  'near-collinear in [-1, 1]': (random) => {
    const draw = (): number => within(random, -1, 1);
    const ring = vertices(whole(random, 3, 5), draw, draw);
    const [x, y] = pointNear(random, ring);
    return { x, y, ring };
  },
  'whole numbers over 1000': (random) => {
    const draw = (): number => whole(random, -12, 12) / 1000;
    const ring = vertices(whole(random, 3, 8), draw, draw);
    return random() < 0.5
      ? { x: draw(), y: draw(), ring }
      : { x: round((ring[0] as number) / 2 + (ring[2] as number) / 2, 1000), y: draw(), ring };
  },
  'mixed magnitudes': (random) => {
    const draw = (): number => pick(random, [1, -1]) * within(random, 1, 10) * 10 ** whole(random, -13, 1);
    const ring = vertices(whole(random, 3, 6), draw, draw);
    const [x, y] = pointNear(random, ring);
    return { x, y, ring };
  },
  'rings around powers of two and the ends of the range': (random) => {
    const midX = pick(random, [0, 16, 32, 64, 128, 180, -16, -64, -180]);
    const midY = pick(random, [0, 16, 32, 64, 90, -32, -90]);
    const size = 10 ** within(random, -9, 0);
    const x = (): number => nudge(midX + within(random, -size, size), whole(random, -1, 1));
    const y = (): number => nudge(midY + within(random, -size, size), whole(random, -1, 1));
    const ring = vertices(whole(random, 3, 5), x, y);
    const [px, py] = pointNear(random, ring);
    return { x: nudge(px, whole(random, -1, 1)), y: nudge(py, whole(random, -1, 1)), ring };
  },
  'ties after rounding to 6 or 7 decimals': (random) => {
    const unit = pick(random, [1e6, 1e7]);
    const [midX, midY] = pick(random, [
      [0, 0],
      [37.5, 55.7],
      [-0.2, 5.6],
      [179.9, -16],
    ] as const);
    const size = 10 ** whole(random, -6, -1);
    const ring = vertices(
      whole(random, 3, 6),
      () => round(midX + within(random, -size, size), unit),
      () => round(midY + within(random, -size, size), unit),
    );
    const [x, y] = pointNear(random, ring);
    return { x: round(x, unit), y: round(y, unit), ring };
  },
  'vertices, horizontal and vertical edges': (random) => {
    const step = pick(random, [1, 0.1, 1 / 3, 22.5]);
    const draw = (): number => whole(random, -3, 3) * step;
    const ring: number[] = [draw(), draw()];
    for (let i = whole(random, 2, 8); i > 0; i--) {
      const [x, y] = ring.slice(-2) as [number, number];
      const kind = random();
      ring.push(...(kind < 0.45 ? [x, draw()] : kind < 0.9 ? [draw(), y] : [draw(), draw()]));
    }
    return { x: draw(), y: draw(), ring };
  },
  'values around the 1e-12 that counts as 0': (random) => {
    const draw = (): number => {
      const kind = random();
      const sign = pick(random, [1, -1]);
      if (kind < 0.3) return sign * 10 ** -whole(random, 160, 320);
      if (kind < 0.4) return -0;
      if (kind < 0.6) return sign * nudge(1e-12, whole(random, -2, 2));
      return kind < 0.8 ? whole(random, -2, 2) : within(random, -1, 1) * 10 ** -whole(random, 0, 15);
    };
    const ring = vertices(whole(random, 3, 6), draw, draw);
    const [x, y] = random() < 0.5 ? pointNear(random, ring) : [draw(), draw()];
    return { x, y, ring };
  },
};

/** Draws a case; the families take turns by `number`. */
export function ringCase(number: number, random: Random): RingCase {
  const families = Object.values(FAMILIES);
  return (families[number % families.length] as (random: Random) => RingCase)(random);
}
