import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seeded, volume } from '../volume.js';
import { attempt } from './attempt.js';
import { mutate } from './mutate.js';
import { TARGETS, targetOf } from './targets.js';

/** Repeats the inputs that `npm run fuzz` found, and runs a short fuzzing without coverage. */

const CASES = resolve(import.meta.dirname, 'cases');
/** The file name of a case begins with its target's name: `kml-WHAT-IT-IS`. */
const NAMES = TARGETS.map(({ name }) => name).sort((a, b) => b.length - a.length);

describe('inputs that once failed', () => {
  const files = readdirSync(CASES);

  test('the folder contains cases', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  test.each(files)('%s', async (file) => {
    const name = NAMES.find((target) => file.startsWith(`${target}-`))!;
    expect(await attempt(targetOf(name), readFileSync(`${CASES}/${file}`), false)).toBeNull();
  });
});

describe('mutated inputs give a valid result or a coded error', () => {
  test.each(TARGETS)('$name', async (target) => {
    const random = seeded(11);
    const below = (count: number): number => Math.floor(random() * count);
    const corpus = [...target.seeds()];
    expect(corpus.length).toBeGreaterThan(0);
    for (const input of corpus) expect(await attempt(target, input, false)).toBeNull();
    for (let run = 0; run < volume(6000); run++) {
      const parent = corpus[below(corpus.length)]!;
      const input = mutate(parent, corpus[below(corpus.length)]!, target.format, below);
      expect(await attempt(target, input, false), `run ${run}`).toBeNull();
      // Mutating mutated inputs leads further from the seeds.
      if (run % 10 === 0) corpus.push(input);
    }
  });
});
