/**
 * A live geofencing loop: reads fixes as lines of JSON from standard input, writes visit events as lines of JSON, and saves the
 * state of every unit in a file, from which it continues after a restart.
 *
 *   npx tsx examples/geofencing.ts zones.geojson state.json < fixes.ndjson
 *
 * A line is either a fix of a unit (`time` in epoch milliseconds UTC, degrees WGS84; further fields as in the type `Fix`) or the current time:
 *
 *   {"unitId": "van-7", "fix": {"time": 1772438400000, "lon": 37.61, "lat": 55.75, "speedKph": 40}}
 *   {"now": 1772438460000}
 *
 * Send the current time regularly, say each minute: it ends the visits of units that send no fixes. Rejected fixes are reported on standard
 * error with their reason, unreadable lines with their number. The loop continues after an unreadable line and ends with code 1.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Fix, ZoneIndex } from 'wayzone';
import { fromGeoJson } from 'wayzone/interchange';
import { type VisitEvent, VisitTracker } from 'wayzone/tracks';

const LINES_BETWEEN_SNAPSHOTS = 10_000;

const [zonesFile = 'zones.geojson', stateFile = 'state.json'] = process.argv.slice(2);

const { value, issues } = fromGeoJson(readFileSync(zonesFile));
for (const { code, field, message } of issues) console.error(`${zonesFile}: ${code} ${field}: ${message}`);
const index = new ZoneIndex(value.zones, { onIssue: ({ message }) => console.error(message) });

const tracker = existsSync(stateFile)
  ? VisitTracker.restore(index, JSON.parse(readFileSync(stateFile, 'utf8')))
  : new VisitTracker(index, { exitBufferMeters: 20, minInsideSeconds: 30, latenessSeconds: 60 });

/** Writes a new file and renames it, so that a crash leaves either the old or the new state. */
function save(): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(tracker.snapshot()));
  renameSync(`${stateFile}.new`, stateFile);
}

/** The events after this line. Throws if the line is neither a fix nor a time. */
function eventsOf(line: string): readonly VisitEvent[] {
  const { unitId, fix, now } = JSON.parse(line) as { unitId?: string; fix?: Fix; now?: number };
  if (now !== undefined) return tracker.advance(now);
  if (unitId === undefined || fix === undefined) throw new Error('expected {unitId, fix} or {now}');
  const before = unused(unitId);
  const events = tracker.push(unitId, fix);
  for (const [reason, count] of Object.entries(unused(unitId))) {
    // A fix that implies too high a speed is rejected only after its successor.
    if (count > (before[reason] ?? 0)) console.error(`${unitId} at ${fix.time}: fix rejected: ${reason}`);
  }
  return events;
}

/** Counts of a unit's unused fixes by reason. */
function unused(unitId: string): Record<string, number> {
  const { reasons, late, duplicate } = tracker.counts(unitId);
  return { ...reasons, late, duplicate };
}

let count = 0;
try {
  for await (const line of createInterface({ input: process.stdin })) {
    count++;
    if (line === '') continue;
    try {
      for (const event of eventsOf(line)) console.log(JSON.stringify(event));
    } catch (error) {
      console.error(
        `line ${count} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
      process.exitCode = 1;
    }
    if (count % LINES_BETWEEN_SNAPSHOTS === 0) save();
  }
} finally {
  save();
}
const { applied, rejected, late, duplicate } = tracker.counts();
console.error(
  `${count} lines; fixes: ${applied} used, ${rejected} rejected, ${late} late, ${duplicate} duplicate`,
);
