/**
 * A live geofencing loop: reads fixes as lines of JSON from standard input, writes visit events as lines of JSON, and keeps what it knows of
 * every unit in a file, so that it goes on where it was after a restart.
 *
 *   npx tsx examples/geofencing.ts zones.geojson state.json < fixes.ndjson
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Fix, ZoneIndex } from 'wayzone';
import { fromGeoJson } from 'wayzone/interchange';
import { VisitTracker } from 'wayzone/tracks';

const FIXES_BETWEEN_SNAPSHOTS = 10_000;

const [zonesFile = 'zones.geojson', stateFile = 'state.json'] = process.argv.slice(2);

const { value, issues } = fromGeoJson(readFileSync(zonesFile));
for (const { code, field, message } of issues) console.error(`${zonesFile}: ${code} ${field}: ${message}`);
const index = new ZoneIndex(value.zones, { onIssue: ({ message }) => console.error(message) });

const tracker = existsSync(stateFile)
  ? VisitTracker.restore(index, JSON.parse(readFileSync(stateFile, 'utf8')))
  : new VisitTracker(index, { exitBufferMeters: 20, minInsideSeconds: 30, latenessSeconds: 60 });

/** Written aside and renamed: a crash leaves the old state or the new one, never half of one. */
function save(): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(tracker.snapshot()));
  renameSync(`${stateFile}.new`, stateFile);
}

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line === '') continue;
  const { unitId, fix } = JSON.parse(line) as { unitId: string; fix: Fix };
  for (const event of tracker.push(unitId, fix)) console.log(JSON.stringify(event));
  if (++count % FIXES_BETWEEN_SNAPSHOTS === 0) save();
}
save();
const { rejected, late } = tracker.counts();
console.error(`${count} fixes, ${rejected} rejected, ${late} late`);
