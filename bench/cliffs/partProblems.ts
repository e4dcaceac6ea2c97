/** Validation of polygons of many parts, with and without faults. */

import type { Position } from '../../src/index.js';
import { validateGeozone } from '../../src/schemas/index.js';
import { type Cliff, doublings, once, type Side } from './cliff.js';

type Part = readonly (readonly Position[])[];

const box = (x: number, y: number): Part => [
  [
    [x, y],
    [x + 0.01, y],
    [x + 0.01, y + 0.01],
    [x, y + 0.01],
    [x, y],
  ],
];

/** Parts on a grid, apart from each other. */
const apart = (count: number): Part[] =>
  Array.from({ length: count }, (_, i) => box((i % 200) / 40, i / 8000));
const equal = (count: number): Part[] => Array.from({ length: count }, () => box(0, 0));
/** Each part covers most of the one before. */
const shifted = (count: number): Part[] => Array.from({ length: count }, (_, i) => box(i / 1000, i / 1000));

function validate(make: (count: number) => readonly Part[], count: number): Side {
  const zone = once(() => {
    const parts = make(count);
    return { name: 'parts', type: { key: 'polygon' }, geometry: parts[0]![0]!, parts };
  });
  return () => {
    const input = zone();
    return () => {
      try {
        validateGeozone(input);
      } catch {
        // The errors are what is timed.
      }
    };
  };
}

export function partCliffs(quick: boolean): Cliff[] {
  const count = quick ? 1_000 : 10_000;
  return (
    [
      ['equal parts', equal],
      ['parts that overlap the next', shifted],
    ] as const
  ).flatMap(([name, make]) => [
    ...doublings(`validateGeozone, ${name}`, 'parts', [count / 2, count], (size) => validate(make, size)),
    {
      name: `validateGeozone, ${name}`,
      what: `${name} / parts apart, ${count.toLocaleString('en')} parts`,
      plain: validate(apart, count),
      unusual: validate(make, count),
      goal: 5,
    },
  ]);
}
