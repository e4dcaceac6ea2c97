/** Valid rings of any number of vertices. Each kind is hard for some method that finds self-intersections. */

/** Rings by name, of about `count` vertices: `x0, y0, x1, y1, …`, not closed. */
export const LONG_RINGS: Readonly<Record<string, (count: number, random: () => number) => number[]>> = {
  'a spiky star': (count, random) => [
    ...round(count, (i) => [(2 * Math.PI * i) / count, 0.5 + 0.5 * random()]),
  ],
  'a star of needles': (count) => [
    ...round(count - (count % 2), (i) => [(2 * Math.PI * i) / (count - (count % 2)), i % 2 === 0 ? 0.1 : 1]),
  ],
  'a spiral': (count) => {
    const half = Math.floor(count / 2);
    const turns = Math.max(1, count / 1000);
    return [
      ...round(2 * half, (i) => {
        const along = (i < half ? i : 2 * half - 1 - i) / half;
        return [2 * Math.PI * turns * along, 1 + turns * along + (i < half ? 0 : 0.4)];
      }),
    ];
  },
  'a coast that walks at random': (count, random) => {
    const ring: number[] = [];
    let y = 0;
    for (let i = 0; i < count - 2; i++) {
      y += random() - 0.5;
      ring.push(i + 0.8 * random(), y);
    }
    return [...ring, count, -count, -1, -count];
  },
  'stairs up and down, on a grid': (count) => {
    const ring: number[] = [];
    const steps = Math.floor(count / 4);
    for (let i = 0; i < steps; i++) ring.push(i, i, i + 1, i);
    for (let i = steps; i > 0; i--) ring.push(i, i + 4, i - 1, i + 4);
    return ring;
  },
  'a comb of upright teeth on a grid': (count) => {
    const ring: number[] = [];
    const teeth = Math.floor(count / 4);
    for (let i = 0; i < teeth; i++) ring.push(2 * i, 0, 2 * i, 100, 2 * i + 1, 100, 2 * i + 1, 0);
    return [...ring, 2 * teeth, -1, 0, -1];
  },
  'a comb of slanted teeth across the whole width': (count) => {
    const ring: number[] = [];
    const teeth = Math.floor(count / 2);
    for (let i = 0; i < teeth; i++) ring.push(0, i / 1000, 100, (i + 0.5) / 1000 + 100);
    return [...ring, 100, teeth / 1000 + 200, -1, teeth / 1000 + 200, -1, -1];
  },
};

/** A ring of vertices in polar coordinates. */
export function round(count: number, at: (i: number) => [angle: number, radius: number]): Float64Array {
  const ring = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const [angle, radius] = at(i);
    ring[2 * i] = radius * Math.cos(angle);
    ring[2 * i + 1] = radius * Math.sin(angle);
  }
  return ring;
}
