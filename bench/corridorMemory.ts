/**
 * Peak memory of one library that buffers a line of 10,000 vertices three times, in a process of its own: prints MB above the start. The
 * kernel's peak is set back before (Linux), since loading the modules takes more than either library does.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { seeded } from '../test/volume.js';
import { walk } from '../test/zones/lines.js';

const line = walk(seeded(2), 10_000, [37.6, 55.7], 85, 0.3);
const peakMegabytes = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

let buffer: () => unknown;
if (process.argv[2] === 'turf') {
  const turf = await import('@turf/turf');
  const feature = turf.lineString(line.map(([lon, lat]) => [lon, lat]));
  buffer = () => turf.buffer(feature, 250, { units: 'meters' });
} else {
  const { corridor } = await import('../src/index.js');
  buffer = () => corridor(line, 500);
}
// 5: the peak becomes what is in use now (proc_pid_clear_refs(5)).
writeFileSync('/proc/self/clear_refs', '5');
const before = peakMegabytes();
for (let round = 0; round < 3; round++) buffer();
process.stdout.write(`${(peakMegabytes() - before).toFixed(0)}\n`);
