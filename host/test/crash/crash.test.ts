import { expect } from 'vitest';
import { needs, POSTGRESQL } from '../../../test/needs.js';
import { crashRun } from './crashRun.js';

/** The short form of `npm run crash`: enough kills to cover each kind once. */

needs(POSTGRESQL).test(
  'workers, API processes and the database are killed: nothing is lost, doubled or changed (needs PostgreSQL)',
  async () => {
    const lines: string[] = [];
    const { lost, doubled, changed, examples } = await crashRun({
      kills: 20,
      units: 600,
      seed: 3,
      say: (line) => lines.push(line),
    });
    expect({ lost, doubled, changed, examples }).toEqual({ lost: 0, doubled: 0, changed: 0, examples: [] });
    for (const name of ['stop worker', 'kill worker', 'kill api', 'terminate', 'kill postgres'])
      expect(lines.filter((line) => line.includes(name)).length, name).toBeGreaterThan(0);
  },
);
