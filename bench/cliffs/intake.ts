/** Building an index of rows that need a repair, beside clean rows; outlines of circles beside Turf's. */

import * as turf from '@turf/turf';
import { seeded } from '../../fixtures/seeded.mjs';
import { type Geozone, ZoneIndex, zoneOutline } from '../../src/index.js';
import { type Cliff, once, type Side } from './cliff.js';

type Pairs = readonly (readonly number[])[];

const repeated = (list: Pairs): Pairs => [...list.slice(0, 4), [...list[3]!], ...list.slice(4)];
const withAltitudes = (list: Pairs): Pairs => list.map((pair) => [...pair, 120]);
const beyond180 = (list: Pairs): Pairs => list.map(([lon, lat]) => [lon! + 360, lat!]);
const acrossThe180th = (list: Pairs): Pairs => {
  const lon0 = list[0]![0]!;
  return list.map(([lon, lat]) => [lon! - lon0 + (lon! > lon0 ? -180 : 180), lat!]);
};

/** Rings of 20 corners over the whole map. */
function rings(count: number): Pairs[] {
  const random = seeded(77);
  return Array.from({ length: count }, () => {
    const [lon, lat] = [random() * 300 - 150, random() * 120 - 60];
    return Array.from({ length: 20 }, (_, i) => {
      const reach = 0.008 + 0.002 * random();
      const angle = (i / 20) * 2 * Math.PI;
      return [lon + reach * Math.cos(angle), lat + reach * Math.sin(angle)];
    });
  });
}

type Shape = (list: Pairs) => Partial<Geozone>;
const polygon: Shape = (geometry) => ({ type: { key: 'polygon' }, geometry: geometry as never });
const line: Shape = (geometry) => ({ type: { key: 'line' }, width: 30, geometry: geometry as never });
const withParts: Shape = (list) => ({ ...polygon(list), parts: [[list]] as never });
const circle: Shape = (list) => ({
  type: { key: 'circle' },
  width: 300,
  geometry: list.slice(0, 1) as never,
});

export function intakeCliffs(quick: boolean): Cliff[] {
  const count = quick ? 3000 : 10_000;
  const clean = once(() => rings(count));
  const build = (shape: Shape, damage: (list: Pairs) => Pairs = (list) => list): Side => {
    // From JSON, as rows come: an array that a spread made has room for 17 numbers.
    const rows = once((): Geozone[] =>
      JSON.parse(
        JSON.stringify(clean().map((list, i) => ({ id: `z${i}`, name: '', ...shape(damage(list)) }))),
      ),
    );
    return () => {
      const zones = rows();
      return () => new ZoneIndex(zones);
    };
  };
  const row = (what: string, shape: Shape, damage: (list: Pairs) => Pairs, goal: number): Cliff => ({
    name: 'new ZoneIndex',
    what: `${what} / the same without`,
    plain: build(shape),
    unusual: build(shape, damage),
    goal,
  });
  const discs = once(() => clean().map((list) => list[0]! as readonly [number, number]));
  return [
    row('rings with a repeated vertex', polygon, repeated, 1.5),
    row('rings with altitudes', polygon, withAltitudes, 1.5),
    row('rings beyond 180°', polygon, beyond180, 1.5),
    row('rings across the antimeridian', polygon, acrossThe180th, 6),
    row('lines with a repeated vertex', line, repeated, 1.5),
    row('lines with altitudes', line, withAltitudes, 1.5),
    row('parts with altitudes', withParts, withAltitudes, 3),
    row('circles with altitudes', circle, withAltitudes, 2),
    {
      name: 'zoneOutline',
      what: 'circle at the default tolerance, 72 vertices / Turf circle of 72',
      plain: () => {
        const middles = discs();
        return () => middles.map((middle) => turf.circle([...middle], 0.3, { steps: 72 }));
      },
      unusual: () => {
        const middles = discs();
        return () =>
          middles.map((middle) => zoneOutline({ type: { key: 'circle' }, geometry: [middle], width: 300 }));
      },
      goal: 2,
    },
  ];
}
