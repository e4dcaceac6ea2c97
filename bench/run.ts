/**
 * `npm run bench [-- --quick] [-- NAME...]`: the benches named, or all, in one process. Without `--quick` each section goes into
 * bench/RESULTS.md in the place of its last run.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

const BENCHES = {
  measure: measureBench,
  zones: zoneIndexBench,
  distance: distanceBench,
  corridor: corridorBench,
  interchange: interchangeBench,
  listing: listingBench,
  validity: validityBench,
  routing: routingBench,
  tracks: tracksBench,
  trips: tripsBench,
  schemas: schemasBench,
} as const;

const HEAD = [
  '# Bench results',
  '',
  'Medians of alternating runs in one process, after equality of all answers; the machine is shared, so the ratios count.',
  '`npm run bench -- NAME` renews one section.',
  '',
].join('\n');

const RESULTS = new URL('RESULTS.md', import.meta.url);
const quick = process.argv.includes('--quick');
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`expected ${Object.keys(BENCHES).join(', ')}, received ${unknown.join(', ')}`);

const place = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}.`;
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const section = `## ${name}\n\n${place}\n\n${(await bench(quick)).trim()}\n`;
  process.stdout.write(`${section}\n`);
  if (!quick) writeFileSync(RESULTS, withSection(name, section));
}

/** The results with one section renewed, in the order of the benches. */
function withSection(name: string, section: string): string {
  const before = existsSync(RESULTS)
    ? readFileSync(RESULTS, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (\S+)/.exec(text)![1]!, text.trim()]));
  sections.set(name, section.trim());
  const known = Object.keys(BENCHES).flatMap((key) => sections.get(key) ?? []);
  return `${[HEAD.trim(), ...known].join('\n\n')}\n`;
}
