/** `npm run bench [-- --quick]`: all benches in one run; without `--quick` the report goes into bench/RESULTS.md. */

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { corridorBench } from './corridor.js';
import { distanceBench } from './distance.js';
import { interchangeBench } from './interchange.js';
import { listingBench } from './listing.js';
import { measureBench } from './measure.js';
import { routingBench } from './routing.js';
import { schemasBench } from './schemas.js';
import { tracksBench } from './tracks.js';
import { tripsBench } from './trips.js';
import { validityBench } from './validity.js';
import { zoneIndexBench } from './zoneIndex.js';

const quick = process.argv.includes('--quick');
const report = [
  '# Bench results',
  '',
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}.`,
  'Medians of alternating runs in one process, after equality of all answers; the machine is shared, so the ratios count.',
  '',
  measureBench(quick),
  zoneIndexBench(quick),
  distanceBench(quick),
  corridorBench(quick),
  interchangeBench(quick),
  listingBench(quick),
  validityBench(quick),
  routingBench(quick),
  tracksBench(quick),
  tripsBench(quick),
  schemasBench(quick),
].join('\n');
process.stdout.write(`${report}\n`);
if (!quick) writeFileSync(new URL('RESULTS.md', import.meta.url), report);
