import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Geozone } from 'wayzone';
import { fromCsv, fromGeoJson, fromKml, fromKmz } from 'wayzone/interchange';
import { LONG, seeded } from '../../test/volume.js';
import { hostileZone } from '../../test/zones/hostileZones.js';
import { type Caller, type Given, onADatabase } from './testHost.js';

/** What `POST /geozones` accepts, every read gives back. A stored row of old ends no file and no map. */

const ZONES = LONG ? 2000 : 30;

const circle = (name: string, width: number): object => ({
  name,
  type: { key: 'circle' },
  geometry: [[30, 60]],
  width,
  is_show_on_map: true,
});

function hostile(given: () => Given): void {
  /** The ids in a file of all zones. */
  async function idsIn(caller: Caller, format: string): Promise<string[]> {
    const answer = await given().hosted.host.app.inject({
      method: 'POST',
      url: `/api_v1/geozones/export_kml?format=${format}`,
      headers: caller.headers,
      payload: {},
    });
    expect([format, answer.statusCode]).toEqual([format, 200]);
    const { body, rawPayload } = answer;
    const zones = (): readonly { readonly id: string }[] => {
      if (format === 'kml') return fromKml(body).value.zones;
      if (format === 'kmz') return fromKmz(rawPayload).value.zones;
      return format === 'csv' ? fromCsv(body).value.zones : fromGeoJson(body).value.zones;
    };
    return zones().map(({ id }) => id);
  }

  test('each accepted hostile zone is in all lists, files and maps, and may be sent back', async () => {
    const { hosted } = given();
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    const random = seeded(53);
    const rows: Geozone[] = [];
    for (let i = 0; i < ZONES; i++) {
      const { status, body } = await admin.send('POST', '/geozones', hostileZone(random, `Zone ${i}`));
      if (status === 200) rows.push(body);
      else expect(status).toBe(422);
    }
    expect(rows.length).toBeGreaterThan(ZONES / 4);
    const ids = rows.map(({ id }) => id);
    expect((await admin.send('GET', '/geozones')).body).toEqual(rows);
    for (const format of ['kml', 'kmz', 'csv', 'geojson'])
      expect([format, await idsIn(admin, format)]).toEqual([format, ids]);
    const map = (await admin.send('GET', '/geozones/map')).body as { features: { id: string }[] };
    expect(map.features.map(({ id }) => id)).toEqual(ids);
    expect((await admin.send('POST', '/geozones/export_kml?format=gpx', {})).status).toBe(200);
    for (const tile of ['0/0/0', '12/2389/1189', '8/255/0'])
      expect([200, 204]).toContain((await admin.send('GET', `/tiles/${tile}.mvt`)).status);
    for (const row of rows) {
      const [lon, lat] = row.geometry[0]!;
      if (Math.abs(lon) <= 180)
        expect((await admin.send('GET', `/positions/${lon},${lat}/geozones`)).status).toBe(200);
      const sent = await admin.send('PUT', `/geozones/${row.id}`, row);
      expect([sent.status, (sent.body as Geozone).geometry]).toEqual([200, row.geometry]);
    }
  });

  test('circles and lines without an extent are refused', async () => {
    const { hosted } = given();
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    for (const width of [0, 1e-9])
      expect(await admin.send('POST', '/geozones', circle('C', width))).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'width', reason: 'radius-range' }] },
      });
    const line = { name: 'L', type: { key: 'line' }, geometry: [[30, 60]], width: 50 };
    expect(await admin.send('POST', '/geozones', line)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'geometry', reason: 'line-too-short' }] },
    });
  });

  test('stored rows of old are positions in files; one that cannot be written is named in them', async () => {
    const { hosted, database } = given();
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    const made = async (name: string): Promise<string> =>
      ((await admin.send('POST', '/geozones', circle(name, 50))).body as Geozone).id;
    const ids: string[] = [];
    for (const [name, change] of [
      ['Flat', { width: 0 }],
      ['Tiny', { width: 1e-9 }],
      ['Line', { type: { key: 'line' } }],
      ['Sound', {}],
      ['Broken', { type: { key: 'polygon' } }],
    ] as const) {
      const id = await made(name);
      ids.push(id);
      await sql`update geozones set row = row || ${JSON.stringify(change)}::jsonb where id = ${id}`.execute(
        database.storage.db,
      );
    }
    const sound = ids.slice(0, -1);
    const broken = ids.at(-1)!;
    for (const format of ['kml', 'kmz', 'csv', 'geojson'])
      expect([format, await idsIn(admin, format)]).toEqual([format, sound]);
    for (const format of ['kml', 'csv', 'geojson']) {
      const { body } = await admin.send('POST', `/geozones/export_kml?format=${format}`, {});
      expect(typeof body === 'string' ? body : JSON.stringify(body)).toContain(broken);
    }
    expect((await admin.send('GET', '/geozones/map')).body).toMatchObject({
      features: sound.map((id) => ({ id })),
      leftOut: [{ id: broken, code: 'ring-too-short' }],
    });
    // A row without a shape can be deleted.
    expect((await admin.send('DELETE', `/geozones/${broken}`)).status).toBe(200);
  });
}

onADatabase(hostile);
