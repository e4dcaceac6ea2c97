import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from 'wayzone';
import { toZoneCsv } from 'wayzone/interchange';
import { zoneTile } from 'wayzone/tiles';
import { type Caller, type Given, onADatabase, type TestHost } from './testHost.js';

const ZONE = {
  name: 'Yard',
  type: { key: 'circle' },
  geometry: [[30, 60]],
  width: 500,
  is_show_on_map: true,
};
const TILE = '/tiles/12/2389/1189.mvt';

function tiles(given: () => Given): void {
  let hosted: TestHost;
  let editor: Caller;
  let reader: Caller;

  beforeAll(async () => {
    ({ hosted } = given());
    const companyId = await hosted.company();
    editor = await hosted.as(companyId, 'EDITOR');
    reader = await hosted.as(companyId, 'READER');
  });

  /** The answer with its bytes, and the features of the layer `zones`. */
  const tileOf = async (
    caller: Caller,
    url: string = TILE,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; tag: string; names: unknown[]; cache: unknown }> => {
    const answer = await hosted.host.app.inject({
      url: `/api_v1${url}`,
      headers: { ...caller.headers, ...headers },
    });
    const layer = new VectorTile(new PbfReader(answer.rawPayload)).layers['zones'];
    const names = Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i).properties);
    const { etag, 'cache-control': cache } = answer.headers;
    return { status: answer.statusCode, tag: String(etag), names, cache };
  };

  test('a tile has the zones of the company as they are now, for readers, with a tag', async () => {
    const [lon, lat] = [30, 60];
    const column = Math.floor(((lon + 180) / 360) * 4096);
    const row = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 4096);
    const url = `/tiles/12/${column}/${row}.mvt`;
    expect(await tileOf(reader, url)).toMatchObject({ status: 200, names: [] });
    const { id } = (await editor.send('POST', '/geozones', ZONE)).body as { id: string };
    const first = await tileOf(reader, url);
    const properties = { id, name: 'Yard', type: 'circle', is_show_on_map: true };
    expect(first).toMatchObject({ status: 200, names: [properties], cache: 'private, no-cache' });
    expect(await tileOf(reader, url.slice(0, -4))).toEqual(first);
    const same = await tileOf(reader, url, { 'if-none-match': `W/"x", W/${first.tag}` });
    expect(same).toMatchObject({ status: 304, tag: first.tag });
    // A zone elsewhere leaves the tile as it is.
    await editor.send('POST', '/geozones', { ...ZONE, geometry: [[-70, 10]] });
    expect((await tileOf(reader, url, { 'if-none-match': first.tag })).status).toBe(304);
    await editor.send('PUT', `/geozones/${id}`, { ...ZONE, id, name: 'Depot' });
    const changed = await tileOf(reader, url, { 'if-none-match': first.tag });
    expect(changed).toMatchObject({ status: 200, names: [{ ...properties, name: 'Depot' }] });
    await editor.send('DELETE', `/geozones/${id}`);
    expect((await tileOf(reader, url)).names).toEqual([]);
  });

  test('another company has other tiles, and an unknown tile is 404', async () => {
    await editor.send('POST', '/geozones', ZONE);
    const stranger = await hosted.as(await hosted.company(), 'READER');
    expect((await tileOf(stranger, '/tiles/0/0/0.mvt')).names).toEqual([]);
    expect((await reader.send('GET', '/tiles/3/8/0.mvt')).status).toBe(404);
    expect((await reader.send('GET', '/tiles/25/0/0')).status).toBe(404);
    for (const [url, field] of [
      ['/tiles/a/0/0', 'z'],
      ['/tiles/0/1e1/0', 'x'],
      ['/tiles/0/0/0.png', 'y'],
      ['/tiles/0/0/123456789', 'y'],
    ]) {
      expect(await reader.send('GET', url!)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
    }
    expect((await (await hosted.as(reader.companyId, null)).send('GET', TILE)).status).toBe(401);
  });

  test('of many zones a tile has those that the library draws, also after edits', async () => {
    const companyId = await hosted.company();
    const writer = await hosted.as(companyId, 'EDITOR');
    const zones = Array.from(
      { length: 2100 },
      (_, i): Geozone => ({
        id: `${i}`,
        name: `Yard ${i}`,
        type: { key: 'circle' },
        geometry: [[30 + (i % 50) / 2000, 60 + Math.floor(i / 50) / 4000]],
        width: 40,
      }),
    );
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="zones.csv"\r\n\r\n${toZoneCsv(zones)}\r\n--b--\r\n`;
    const imported = await writer.send('POST', '/geozones/import', form, {
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(imported).toMatchObject({ status: 200, body: { stored: 2100 } });
    const { body: answer } = await writer.send('POST', '/geozones/filter', {
      conditions: [{ field: 'name', value: 'Yard 1000' }],
    });
    const [first] = (answer as { list: { id: string; name: string }[] }).list;
    const index = new ZoneIndex(zones);
    const [x, y] = [4778, 2378];
    const inTile = new VectorTile(new PbfReader(zoneTile(index, { z: 13, x, y }))).layers['zones']!;
    expect(inTile.length).toBeGreaterThan(500);
    const namesIn = async (): Promise<unknown[]> =>
      (await tileOf(writer, `/tiles/13/${x}/${y}.mvt`)).names
        .map((one) => (one as { name: string }).name)
        .sort();
    const expected = Array.from({ length: inTile.length }, (_, i) =>
      String(inTile.feature(i).properties['name']),
    ).sort();
    expect(await namesIn()).toEqual(expected);
    expect(expected).toContain(first!.name);
    await writer.send('DELETE', `/geozones/${first!.id}`);
    expect(await namesIn()).toEqual(expected.filter((name) => name !== first!.name));
  });

  test('the TileJSON names the address of the tiles', async () => {
    const { status, body } = await reader.send('GET', '/tiles');
    expect(status).toBe(200);
    expect(body).toMatchObject({ tilejson: '3.0.0', maxzoom: 14 });
    expect((body as { tiles: string[] }).tiles[0]).toMatch(
      /^http:\/\/[^/]+\/api_v1\/tiles\/\{z\}\/\{x\}\/\{y\}\.mvt$/,
    );
  });
}

onADatabase(tiles);
