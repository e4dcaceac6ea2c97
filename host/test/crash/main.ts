/** `npm run crash -- --kills N`: the long form of the crash test. `--units`, `--seed`. */

import { parseArgs } from 'node:util';
import { crashRun } from './crashRun.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    units: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(values.kills);
const { lost, doubled, changed, examples } = await crashRun({
  kills,
  units: Number(values.units),
  seed: Number(values.seed),
  say: (line) => process.stdout.write(`${line}\n`),
});
for (const example of examples) process.stdout.write(`${example}\n`);
process.stdout.write(`${kills} kills: ${lost} lost, ${doubled} doubled, ${changed} changed\n`);
process.exitCode = lost + doubled + changed === 0 ? 0 : 1;
