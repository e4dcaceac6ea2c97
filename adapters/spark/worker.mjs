/**
 * `worker.mjs JOB`: reads the fixes of units as NDJSON, each unit's in a row, and prints `{"table", "unit_id", "row"}` lines: visits with their measures,
 * movement, the ledger by zone and day, and reports of trips. JOB is a JSON file: `{"zones", "settings"?, "timeZone"?, "trips"?}`; `zones` are
 * geozones, `trips` are `{"trip", "date"}` with the unit in `trip.unit.id`.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { argv, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { ZoneIndex } from 'wayzone';
import {
  detectTrips,
  findVisits,
  measureVisits,
  meterTrack,
  readTrack,
  splitByZone,
  sumByZone,
} from 'wayzone/tracks';
import { evaluateTrip } from 'wayzone/trips';

const { zones, settings = {}, timeZone = 'UTC', trips = [] } = JSON.parse(readFileSync(argv[2], 'utf8'));
const index = new ZoneIndex(zones);

/** Rows of a unit. */
function* rowsOf(unitId, fixes) {
  const track = readTrack(fixes);
  for (const [reason, count] of Object.entries(track.rejected))
    if (count > 0) yield ['rejected', { reason, count }];
  const meter = meterTrack(track, settings);
  for (const visit of measureVisits(findVisits(track, index), meter)) yield ['visits', visit];
  const { trips: drives, parkings, stops, unknown, issues } = detectTrips(track, settings);
  for (const [kind, items] of Object.entries({ trip: drives, parking: parkings, stop: stops, unknown }))
    for (const item of items) yield ['movement', { kind, ...item }];
  for (const issue of issues) yield ['issues', issue];
  const runs = splitByZone(track, index, { settings });
  for (const sum of sumByZone(runs, meter, { by: 'day', timeZone })) yield ['ledger', sum];
  for (const { trip, date } of trips)
    if (trip.unit?.id === unitId) yield ['trips', evaluateTrip(trip, date, track, { timeZone })];
}

const fixOf = (row) =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'unit_id' && value !== null));

async function write(unitId, fixes) {
  for (const [table, row] of rowsOf(unitId, fixes))
    if (!stdout.write(`${JSON.stringify({ table, unit_id: unitId, row: JSON.stringify(row) })}\n`))
      await once(stdout, 'drain');
}

let unitId = null;
let fixes = [];
for await (const line of createInterface({ input: stdin })) {
  const fix = JSON.parse(line);
  if (fix.unit_id !== unitId) {
    if (unitId !== null) await write(unitId, fixes);
    unitId = fix.unit_id;
    fixes = [];
  }
  fixes.push(fixOf(fix));
}
if (unitId !== null) await write(unitId, fixes);
