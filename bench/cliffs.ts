/**
 * Unusual input beside plain input, and a size beside twice the size, in one run. Each row is in a list of bench/cliffs/; a list is a function
 * of `quick`.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Cliff, Side } from './cliffs/cliff.js';
import { cutCliffs } from './cliffs/cuts.js';
import { intakeCliffs } from './cliffs/intake.js';
import { openedCliffs } from './cliffs/opened.js';
import { partCliffs } from './cliffs/partProblems.js';
import { routeCliffs } from './cliffs/routes.js';
import { tripCliffs } from './cliffs/trips.js';

const LISTS: readonly ((quick: boolean) => readonly Cliff[])[] = [
  cutCliffs,
  openedCliffs,
  partCliffs,
  intakeCliffs,
  routeCliffs,
  tripCliffs,
];

const ROUNDS = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** Processor milliseconds of one run. What its preparation left behind is collected first; a major collection would throw compiled code away. */
function millisecondsOf(side: Side): number {
  const run = side();
  collectGarbage({ type: 'minor' });
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least times of alternating rounds, after one round that warms up. */
function measured({ plain, unusual }: Cliff): readonly [plain: number, unusual: number] {
  const least: [number, number] = [Infinity, Infinity];
  for (let round = 0; round <= ROUNDS; round++) {
    const times = [millisecondsOf(plain), millisecondsOf(unusual)] as const;
    if (round > 0) for (const i of [0, 1] as const) least[i] = Math.min(least[i], times[i]);
  }
  return least;
}

export function cliffsBench(quick: boolean): string {
  const cliffs = LISTS.flatMap((list) => list(quick)).reverse();
  const rows: (Omit<Cliff, 'plain' | 'unusual'> & Record<'plain' | 'unusual' | 'ratio', number>)[] = [];
  // A row's data is given up with the row.
  for (let cliff = cliffs.pop(); cliff !== undefined; cliff = cliffs.pop()) {
    const { plain: _plain, unusual: _unusual, ...about } = cliff;
    const [plain, unusual] = measured(cliff);
    rows.push({ ...about, plain, unusual, ratio: unusual / plain });
  }
  const over = rows.filter(({ ratio, goal, unusual, mostMs = Infinity }) => ratio > goal || unusual > mostMs);
  return [
    '### Unusual input beside plain input: processor milliseconds, and how many times those of the plain input',
    '',
    '| | unusual / plain | plain, ms | unusual, ms | ratio | goal |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, what, plain, unusual, ratio, goal, mostMs }) =>
        `| ${name} | ${what} | ${plain.toFixed(1)} | ${unusual.toFixed(1)} | ${ratio.toFixed(2)} | ${goal}${mostMs === undefined ? '' : `, ${mostMs} ms`} |`,
    ),
    '',
    over.length === 0
      ? 'All rows are within their goals.'
      : `Over their goals: ${over.map(({ name, what }) => `${name}, ${what}`).join('; ')}.`,
    '',
  ].join('\n');
}
