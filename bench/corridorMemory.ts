/**
 * Prints the peak memory in MB above the start of a process in which one library buffers a line of 10,000 vertices three times. Loading the
 * modules takes more memory than either library needs, so the kernel's peak is reset after it (Linux only).
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
// 5 resets the peak to the memory in use now (proc_pid_clear_refs(5)).
writeFileSync('/proc/self/clear_refs', '5');
const before = peakMegabytes();
for (let round = 0; round < 3; round++) buffer();
process.stdout.write(`${(peakMegabytes() - before).toFixed(0)}\n`);
