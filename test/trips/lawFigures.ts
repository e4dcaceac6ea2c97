/**
 * Counts how often the text itself breaks the laws of docs/fairness.md, of the random runs of which they say something.
 * `tsx test/trips/lawFigures.ts FROM TO`: the seeds from FROM up to TO, without TO.
 */

import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { cleared, forgiven, type Judge } from './laws.js';
import { type RandomRun, randomRun } from './randomRuns.js';

const judge: Judge = ({ trip, date, fixes, options }) =>
  evaluateTrip(trip, date, readTrack(fixes), options as TripOptions);

const LAWS: Readonly<Record<string, (run: RandomRun, random: () => number) => string | null | undefined>> = {
  'blamed after fixes were removed': (run, random) => {
    const from = Math.floor(random() * run.fixes.length);
    return cleared(run, from, 1 + Math.floor(random() * 20), judge);
  },
  'more violations with a larger tolerance': (run, random) =>
    forgiven(run, 1 + Math.floor(random() * 30), judge),
};

const [from = 0, to = 1000] = process.argv.slice(2).map(Number);
for (const [name, law] of Object.entries(LAWS)) {
  let [asked, broken] = [0, 0];
  for (let seed = from; seed < to; seed++) {
    const wrong = law(randomRun(seeded(seed)), seeded(seed + 1_000_000));
    if (wrong === undefined) continue;
    asked++;
    if (wrong !== null) broken++;
  }
  console.log(`${name}: ${broken} of ${asked} runs, of ${to - from} generated`);
}
