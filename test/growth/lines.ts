/** Lines and rings of any size, of plain and unusual kinds. The scale stays as the size grows, as a longer road does. */

import { seeded } from '../volume.js';

type Pairs = [lon: number, lat: number][];

const at = (x: number, y: number): [number, number] => [9.5 + x / 76_000, 47.1 + y / 111_000];

export const LINES: Readonly<Record<string, (size: number) => Pairs>> = {
  'a winding road': (n) => Array.from({ length: n }, (_, i) => at(25 * i, 40 * Math.sin(i / 5))),
  'a zigzag within its own width': (n) => Array.from({ length: n }, (_, i) => at(2 * i, i % 2 === 0 ? 0 : 6)),
  'a road driven there and back': (n) =>
    Array.from({ length: n }, (_, i) => {
      const k = i < n / 2 ? i : n - 1 - i;
      return at(25 * k, 40 * Math.sin(k / 5));
    }),
  'roundabouts along a road': (n) => {
    const line: Pairs = [];
    for (let i = 0; line.length < n; i++)
      for (let k = 0; k < 12 && line.length < n; k++)
        line.push(at(120 * i + 15 * Math.cos(k / 2), 15 * Math.sin(k / 2)));
    return line;
  },
  'one position repeated': (n) => Array.from({ length: n }, () => at(0, 0)),
  'repeated vertices': (n) =>
    Array.from({ length: n }, (_, i) => at(25 * (i >> 1), 40 * Math.sin((i >> 1) / 5))),
  'a spiral': (n) =>
    Array.from({ length: n }, (_, i) => {
      // As far apart along it as between its turns, so that length and area grow alike.
      const angle = 2 * Math.sqrt(i + 1);
      return at(40 * Math.sqrt(i + 1) * Math.cos(angle), 40 * Math.sqrt(i + 1) * Math.sin(angle));
    }),
  'jitter of a parked unit': (n) => {
    const random = seeded(5);
    // The crowd does not get denser as it grows.
    return Array.from({ length: n }, (_, i) => at(8 * i + 30 * random(), 30 * random()));
  },
};

export const RINGS: Readonly<Record<string, (size: number) => Pairs>> = {
  'a wheel': (n) =>
    Array.from({ length: n }, (_, i) =>
      at(5000 * Math.cos((i / n) * 2 * Math.PI), 5000 * Math.sin((i / n) * 2 * Math.PI)),
    ),
  'a star': (n) =>
    Array.from({ length: n }, (_, i) => {
      const reach = i % 2 === 0 ? 5000 : 1000;
      return at(reach * Math.cos((i / n) * 2 * Math.PI), reach * Math.sin((i / n) * 2 * Math.PI));
    }),
  'a comb': (n) => {
    const teeth: Pairs = [];
    for (let i = 0; i < n - 2; i++) teeth.push(at(10 * i, i % 4 < 2 ? 0 : 1000));
    return [...teeth, at(10 * n, -100), at(0, -100)];
  },
  'a wheel of repeated vertices': (n) =>
    Array.from({ length: n }, (_, i) => {
      const angle = ((i >> 1) / n) * 4 * Math.PI;
      return at(5000 * Math.cos(angle), 5000 * Math.sin(angle));
    }),
  'a chain of bow-ties': (n) => {
    const there: Pairs = [];
    const back: Pairs = [];
    for (let i = 0; i < n / 2; i++) {
      there.push(at(50 * i, i % 2 === 0 ? -20 : 20));
      back.unshift(at(50 * i, i % 2 === 0 ? 20 : -20));
    }
    return [...there, ...back];
  },
};
