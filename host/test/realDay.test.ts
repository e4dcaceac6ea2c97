import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { fromCsv } from 'wayzone/interchange';
import { findVisits, readTrack } from 'wayzone/tracks';
import { dataPath, hasData } from '../../test/interchange/realData.js';
import { needs, sharedData } from '../../test/needs.js';
import { LONG, seeded } from '../../test/volume.js';
import { type Caller, type Given, onBothDatabases, type TestHost } from './testHost.js';

/** Imports real boundaries, and compares a day of real buses sent to `POST /positions` with the batch. */

const DAY = 'tracks/austin-bus/2015-03-07.csv.gz';
const CITY = 'zones/nyc-taxi/taxi_zones.geojson';
/** Fixes per request, of all units in the order of time. */
const BATCH = 500;

/** Speed of the long run relative to real time. */
const PACE = 100;

interface Event {
  readonly type: string;
  readonly unitId: string;
  readonly zoneId: string;
  readonly time: number;
}

function contract(given: () => Given): void {
  let hosted: TestHost;
  let admin: Caller;
  beforeAll(async () => {
    ({ hosted } = given());
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });

  needs(sharedData(CITY)).test(
    'imports the boundaries of a city completely (needs ../shared/data)',
    async () => {
      const text = readFileSync(dataPath(CITY), 'utf8');
      const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.geojson"\r\n\r\n${text}\r\n--b--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const { features } = JSON.parse(text) as { features: unknown[] };
      expect(await admin.send('POST', '/geozones/import', body, headers)).toMatchObject({
        status: 200,
        body: { read: features.length, stored: features.length },
      });
      const { body: read } = await admin.send('POST', '/geozones/filter', { count: 0 });
      expect((read as { max: number }).max).toBe(features.length);
    },
  );

  needs(sharedData(DAY)).test(
    'the events of a day of buses are those of the batch (needs ../shared/data)',
    async () => {
      const { zones, units } = buses();
      const caller = await hosted.as(await hosted.company(), 'ADMIN');
      for (const zone of zones) expect((await caller.send('POST', '/geozones', zone)).status).toBe(200);
      const ids = new Map<string, string>();
      for (const name of units.keys()) {
        const { body } = await caller.send('POST', '/units', {
          name,
          device_key: `${caller.companyId}${name}`,
        });
        ids.set((body as { id: string }).id, name);
      }
      const sent = [...ids]
        .flatMap(([id, name]) =>
          [...units.get(name)!, parked(units.get(name)!)].map((fix) => ({ unit_id: id, ...fix })),
        )
        .sort((a, b) => a.time - b.time);
      const start = performance.now();
      for (let from = 0; from < sent.length; from += BATCH) {
        const batch = sent.slice(from, from + BATCH);
        // The long run sends fixes at 100 times real time, the short run without pauses.
        const due = start + (batch[0]!.time - sent[0]!.time) / PACE;
        if (LONG) await sleep(Math.max(0, due - performance.now()));
        const lines = batch.map((fix) => JSON.stringify(fix)).join('\n');
        const answer = await caller.send('POST', '/positions', lines, {
          'content-type': 'application/x-ndjson',
        });
        expect(answer).toMatchObject({ status: 200, body: { taken: batch.length, errors: [] } });
      }

      const rows = await given()
        .database.storage.db.selectFrom('events')
        .select('event')
        .where('company_id', '=', caller.companyId)
        .execute();
      const emitted = rows
        .map(({ event }) => event as unknown as Event)
        .filter(({ type }) => type === 'enter' || type === 'exit')
        .map(keyOf);
      const stored = (await caller.send('GET', '/geozones')).body as ConstructorParameters<
        typeof ZoneIndex
      >[0];
      const index = new ZoneIndex(stored);
      const batch = [...ids].flatMap(([unitId, name]) =>
        findVisits(readTrack(units.get(name)!), index).flatMap(({ zoneId, enter, exit, end }) => [
          keyOf({ type: 'enter', unitId, zoneId, time: enter }),
          ...(exit === null || end === 'open' ? [] : [keyOf({ type: 'exit', unitId, zoneId, time: exit })]),
        ]),
      );
      expect(batch.length).toBeGreaterThan(200);
      expect(emitted.sort()).toEqual(batch.sort());
    },
  );
}

function keyOf({ type, unitId, zoneId, time }: Event): string {
  return `${unitId} ${time} ${type} ${zoneId}`;
}

/** A fix later than the lateness makes all earlier fixes final. It remains waiting itself. */
function parked(fixes: readonly Fix[]): Fix {
  const last = fixes.at(-1)!;
  return { ...last, time: last.time + 31_000 };
}

/** Fixes of the day's buses in the order of time, and circles at positions that they pass. */
function buses(): { zones: object[]; units: Map<string, Fix[]> } {
  const { tracks } = fromCsv(gunzipSync(readFileSync(dataPath(DAY))), { speedUnit: 'mph' }).value;
  const units = new Map(
    tracks.slice(0, LONG ? tracks.length : 12).map(({ unitId, fixes }) => [unitId, inOrder(fixes)]),
  );
  const all = [...units.values()].flat();
  const random = seeded(1);
  const zones = Array.from({ length: 60 }, (_, i) => {
    const { lon, lat } = all[Math.floor(random() * all.length)]!;
    return {
      name: `Stop ${i}`,
      type: { key: 'circle' },
      geometry: [[lon, lat]],
      width: Math.round(50 + 250 * random()),
    };
  });
  return { zones, units };
}

/** Keeps one fix per time, as the host does. */
function inOrder(fixes: readonly Fix[]): Fix[] {
  const byTime = new Map<number, Fix>();
  for (const fix of fixes) if (!byTime.has(fix.time)) byTime.set(fix.time, fix);
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

if (hasData(DAY) || hasData(CITY)) onBothDatabases(contract, { fixesDays: 36_500 });
else needs(sharedData(DAY)).test('real data (needs ../shared/data)', () => {});
