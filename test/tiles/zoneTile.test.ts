import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex, type ZoneRow } from '../../src/index.js';
import { type TileOptions, tileJson, tileProtocol, tilesTouched, zoneTile } from '../../src/tiles/index.js';
import { readTile } from '../../src/tiles/tileFrame.js';
import { checkedInternals } from '../../src/tiles/tileOptions.js';
import { tileOf } from '../../src/tiles/zoneTile.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { zoneAt } from '../zones/generators.js';
import { decoded, isInside, type Point, tileAt } from './decoded.js';

const DEPOT: Geozone = {
  id: 'depot',
  name: 'Depot',
  type: { key: 'circle' },
  color: { key: '#F56C6C', type: 'color_code', value: '#F56C6C' },
  icon: { key: 'hospital', type: 'geo_icon', value: 'hospital' },
  geometry: [[37.6, 55.7]],
  width: 500,
};
const AT = tileAt([37.6, 55.7], 14);

const layersOf = (zones: readonly ZoneRow[], tile = AT, options = {}): ReturnType<typeof decoded> =>
  decoded(zoneTile(new ZoneIndex(zones), tile, options));

test('properties are those of the zone, the ones that the caller names, and none that is missing', () => {
  const row = { ...DEPOT, code: 7, share: 0.5, open: false, nothing: null, list: [1], kind: { key: 'x' } };
  const all = ['code', 'share', 'open', 'nothing', 'list', 'kind', 'absent', 'code'];
  const index = new ZoneIndex([row]);
  const { zones, borders, labels } = decoded(zoneTile(index, AT, { properties: all }));
  const expected = {
    id: 'depot',
    name: 'Depot',
    type: 'circle',
    color: '#F56C6C',
    icon: 'hospital',
    code: 7,
    share: 0.5,
    open: false,
    kind: 'x',
  };
  for (const layer of [zones, borders, labels]) {
    expect(layer.map(({ id, properties }) => ({ id, properties }))).toEqual([
      { id: 0, properties: expected },
    ]);
  }
  const bare = layersOf([{ id: 'a', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
  expect(bare.zones[0]!.properties).toEqual({ id: 'a', type: 'circle' });
});

test('names have the letters of every plane', () => {
  const named = (name: string): string[] => {
    const key = `field ${name}`;
    const row = { ...DEPOT, name, [key]: name };
    const tile = layersOf([row], AT, { properties: [key] });
    return [tile.zones[0]!.properties['name'] as string, tile.zones[0]!.properties[key] as string];
  };
  for (const name of ['Ж東', '🚚 Depot', '𠮷野家', '𰻞', '\u{10ffff}', '\u{2ffff}\u{30000}'])
    expect(named(name)).toEqual([name, name]);
});

test('deleted zones are absent, whether the index has them or not; ids are ordinals; an empty tile has no bytes', () => {
  const rows = [{ ...DEPOT, id: 'gone', is_delete: true }, DEPOT];
  const index = new ZoneIndex(rows, { includeDeleted: true });
  expect(decoded(zoneTile(index, AT)).zones.map(({ id }) => id)).toEqual([1]);
  expect(index.idOf(1)).toBe('depot');
  index.remove('depot');
  expect(zoneTile(index, AT)).toHaveLength(0);
  expect(zoneTile(new ZoneIndex([]), { z: 0, x: 0, y: 0 })).toHaveLength(0);
});

test('holes stay open, parts belong to one feature, and rings that cross themselves follow the even-odd rule', () => {
  const ring = (west: number, south: number, east: number, north: number): [number, number][] => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  const zones: ZoneRow[] = [
    {
      id: 'parts',
      type: { key: 'polygon' },
      geometry: ring(10, 10, 20, 20),
      parts: [[ring(10, 10, 20, 20), ring(13, 13, 17, 17)], [ring(25, 10, 30, 20)], [ring(27, 12, 33, 15)]],
    },
    {
      id: 'eight',
      type: { key: 'polygon' },
      geometry: wkt('40 10, 50 20, 50 10, 40 20'),
    },
  ];
  const tile = { z: 1, x: 1, y: 0 };
  const { zones: areas, labels } = layersOf(zones, tile);
  const unit = (lon: number, lat: number): Point => [
    (lon / 180) * 4096,
    4096 * (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI),
  ];
  const within = (id: number, lon: number, lat: number): boolean =>
    isInside(unit(lon, lat), areas[id]!.paths);
  expect([
    within(0, 11, 15),
    within(0, 15, 15),
    within(0, 26, 11),
    within(0, 28, 13),
    within(0, 32, 13),
  ]).toEqual([true, false, true, true, true]);
  expect([within(1, 41, 15), within(1, 45, 11), within(1, 49, 15)]).toEqual([true, false, true]);
  expect(labels).toHaveLength(2);
});

test('small zones are points with their number; a bare point is one in every zoom', () => {
  const zones: ZoneRow[] = [
    ...Array.from(
      { length: 30 },
      (_, i): ZoneRow => ({ ...DEPOT, id: `${i}`, geometry: [[37.6 + i * 1e-5, 55.7]] }),
    ),
    { id: 'far', type: { key: 'point' }, geometry: [[10, 10]] },
  ];
  const { points, zones: areas } = layersOf(zones, { z: 3, x: 4, y: 2 });
  expect(areas).toEqual([]);
  expect(points.map(({ id, properties }) => [id, properties])).toEqual([[undefined, { count: 30 }]]);
  for (const z of [3, 14, 24]) {
    const [point] = layersOf(zones, tileAt([10, 10], z)).points;
    expect([point!.id, point!.properties]).toEqual([30, { id: 'far', type: 'point', count: 1 }]);
  }
});

test('a thin corridor is its centre line, a wide one an area', () => {
  const line: ZoneRow = {
    id: 'road',
    type: { key: 'line' },
    geometry: wkt('37.55 55.7, 37.65 55.71'),
    width: 40,
  };
  const wide = layersOf([line], tileAt([37.6, 55.705], 16));
  expect([wide.zones.length, wide.borders.length]).toEqual([1, 1]);
  const thin = layersOf([line], tileAt([37.6, 55.705], 10));
  expect([thin.zones.length, thin.borders[0]!.paths.length, thin.labels.length]).toEqual([0, 1, 1]);
});

test('a corridor that takes too many steps has its centre line, and the other zones are there', () => {
  const polar: ZoneRow = {
    id: 'polar',
    type: { key: 'line' },
    geometry: wkt('100 86, 49 90, 27 90'),
    width: 700_000,
  };
  const near: ZoneRow = { ...DEPOT, id: 'near', geometry: [[50, 85.04]], width: 10 };
  const { zones, borders } = layersOf([polar, near], tileAt([50, 85.04], 24));
  expect([...zones, ...borders].map(({ properties }) => properties['id'])).toEqual(['near']);
});

test('a tile with maxBytes has the largest zones and says how many are left out', () => {
  const random = seeded(5);
  const zones = Array.from({ length: 400 }, (_, i) =>
    zoneAt(random, `${i}`, [37.6 + random() * 0.02, 55.7 + random() * 0.01], 0.002),
  );
  const tile = tileAt([37.61, 55.705], 13);
  const index = new ZoneIndex(zones);
  const whole = decoded(zoneTile(index, tile));
  const bytes = zoneTile(index, tile, { maxBytes: 5000 });
  expect(bytes.length).toBeLessThanOrEqual(5000);
  expect(bytes.length).toBeGreaterThan(4500);
  const { zones: areas, labels, borders, points } = decoded(bytes);
  const [leftOut] = labels.flatMap(({ properties }) => properties['leftOut'] ?? []);
  const idsOf = ({ zones: z, borders: b }: typeof whole): Set<unknown> =>
    new Set([...z, ...b].map(({ id }) => id));
  const countOf = (layer: typeof points): number =>
    layer.reduce((sum, { properties }) => sum + Number(properties['count']), 0);
  const drawn = idsOf({ ...whole, zones: areas, borders });
  // Of a zone that is left out, only the box may reach the tile.
  const all = idsOf(whole).size + countOf(whole.points);
  expect(drawn.size + countOf(points) + Number(leftOut)).toBeGreaterThanOrEqual(all);
  expect(drawn.size + Number(leftOut)).toBeLessThan(1.1 * all);
});

test('with maxBytes the largest zones are in the tile, and no larger one is left out', () => {
  const random = seeded(8);
  const sizes = Array.from({ length: 500 }, () => 0.0005 + 0.01 * random());
  const zones = sizes.map((size, i) => {
    const [lon, lat] = [37.6 + 0.05 * random(), 55.7 + 0.02 * random()];
    const corners = [lon, lat, lon + size, lat, lon + size, lat + size / 2, lon, lat + size / 2];
    const geometry = [0, 2, 4, 6].map((k): [number, number] => [corners[k]!, corners[k + 1]!]);
    return { id: `${i}`, type: { key: 'polygon' }, geometry } satisfies ZoneRow;
  });
  const index = new ZoneIndex(zones);
  const drawnBy = (options: TileOptions): Set<number> => {
    const { zones: areas } = decoded(zoneTile(index, tileAt([37.62, 55.71], 10), options));
    return new Set(areas.map(({ properties }) => Number(properties['id'])));
  };
  const drawn = drawnBy({ maxBytes: 10_000 });
  expect(drawn.size).toBeGreaterThan(50);
  const least = Math.min(...[...drawn].map((i) => sizes[i]!));
  const missing = [...drawnBy({})].filter((i) => !drawn.has(i)).map((i) => sizes[i]!);
  // Heights on the map grow with the latitude by a thousandth.
  expect(Math.max(...missing)).toBeLessThan(1.002 * least);
});

/** Circles along a street; the first is the largest. */
const street = (count: number, more: (i: number) => object): ZoneRow[] =>
  Array.from({ length: count }, (_, i) => ({
    ...DEPOT,
    id: `${i}`,
    geometry: [[37.6 + i * 1e-5, 55.7]],
    width: 200 - i,
    ...more(i),
  }));

test('a tile that fits into maxBytes is the whole tile, to the byte', () => {
  const names = ['a', 'ж', '漢', '😀', '\ud800', '\udc00'];
  const properties = ['a', 'b', 'c', 'd', 'e', 'last\ud800\ud800'];
  const zones = street(60, (i) => ({
    name: names[i % names.length]!.repeat(i < 50 ? i : 30 * i),
    a: i,
    b: -i,
    c: i % 2 === 0,
    d: 1e6 * i,
    e: i / 7,
    [properties[5]!]: -(2 ** i),
  }));
  for (const count of [1, 2, 9, 40, 60]) {
    const index = new ZoneIndex(zones.slice(0, count));
    const whole = zoneTile(index, AT, { properties });
    expect(zoneTile(index, AT, { properties, maxBytes: Math.max(1000, whole.length) })).toEqual(whole);
    if (count < 9) continue;
    const less = zoneTile(index, AT, { properties, maxBytes: whole.length - 1 });
    expect(less.length).toBeLessThan(whole.length);
    expect(decoded(less).labels.some(({ properties: own }) => 'leftOut' in own)).toBe(true);
  }
});

test('zones that do not fit by themselves are left out alone', () => {
  for (const large of [1, 3, 100]) {
    const zones = street(150, (i) => (i < large ? { name: 'я'.repeat(2000) } : {}));
    const few = layersOf(zones, AT, { maxBytes: 3000 });
    expect(few.zones.map(({ id }) => id)).toEqual(few.zones.map((_, i) => large + i));
    expect(few.zones.length).toBeGreaterThan(3);
    const leftOut = 150 - few.zones.length;
    expect(few.labels.at(-1)!.properties).toEqual({ leftOut });
  }
  const two = new ZoneIndex([
    ...street(2, (i) => (i === 0 ? { name: 'x'.repeat(9000) } : {})),
    { id: 'point', type: { key: 'point' }, geometry: [[37.6, 55.7]] },
  ]);
  const { zones, points, labels } = decoded(zoneTile(two, AT, { maxBytes: 3000 }));
  expect([zones.length, points.length, labels.at(-1)!.properties]).toEqual([1, 1, { leftOut: 1 }]);
});

test('numbers are exact, and unpaired surrogates are U+FFFD', () => {
  const values = [
    2 ** 52,
    -(2 ** 52),
    -(2 ** 52) - 1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    2 ** 64,
    -1e300,
  ];
  const properties = values.map((_, i) => `n${i}`);
  const row = {
    ...DEPOT,
    name: 'x\ud800\ud800',
    ...Object.fromEntries(values.map((value, i) => [`n${i}`, value])),
  };
  const own = layersOf([row], AT, { properties }).zones[0]!.properties;
  expect(properties.map((name) => own[name])).toEqual(values);
  expect(own['name']).toBe('x\ufffd\ufffd');
});

test('a tile of many zones with maxBytes draws few of them', () => {
  const random = seeded(6);
  const index = new ZoneIndex(
    Array.from({ length: 3000 }, (_, i) =>
      zoneAt(random, `${'я'.repeat(i % 40)} ${i}`, [37.6 + random() * 0.2, 55.7 + random() * 0.1], 0.002),
    ),
  );
  const tile = tileAt([37.7, 55.75], 11);
  let rows = 0;
  const internals = checkedInternals(index);
  const keptRow = (ordinal: number): ReturnType<typeof internals.keptRow> => {
    rows++;
    return internals.keptRow(ordinal);
  };
  const counted = { ...internals, keptRow };
  for (const maxBytes of [1000, 20_000, 60_000]) {
    rows = 0;
    const bytes = tileOf(counted as typeof internals, readTile(tile), {
      layers: new Set(['zones', 'borders', 'labels', 'points']),
      properties: [],
      maxBytes,
    });
    expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(bytes.length).toBeGreaterThan(0.9 * maxBytes - 200);
    // A zone has more than 60 bytes; it is looked at for the whole tile and for the small one.
    expect(rows).toBeLessThan((2.2 * maxBytes) / 60 + 10);
  }
});

test('each choice of layers has the layers of the whole tile, and no others', () => {
  const names = ['zones', 'borders', 'labels', 'points'] as const;
  const zones = [
    ...street(20, () => ({})),
    {
      id: 'line',
      type: { key: 'line' },
      geometry: [
        [37.59, 55.69],
        [37.61, 55.71],
      ],
      width: 0.5,
    },
    { id: 'point', type: { key: 'point' }, geometry: [[37.6, 55.7]] },
  ] satisfies ZoneRow[];
  const whole = layersOf(zones);
  for (let choice = 1; choice < 16; choice++) {
    const layers = names.filter((_, i) => (choice >> i) & 1);
    const tile = layersOf(zones, AT, { layers });
    for (const name of names) expect(tile[name]).toEqual(layers.includes(name) ? whole[name] : []);
    const protocol = tileJson(new ZoneIndex(zones), { tiles: ['{z}/{x}/{y}'], layers });
    expect(protocol.vector_layers.map(({ id }) => id)).toEqual(layers);
  }
});

test('a tile has at most 500,000 bytes, unless the caller takes more', () => {
  const index = new ZoneIndex(street(4000, (i) => ({ name: `${i}`.repeat(30), width: 200 })));
  const least = zoneTile(index, AT);
  expect(least.length).toBeLessThanOrEqual(500_000);
  expect(decoded(least).labels.at(-1)!.properties['leftOut']).toBeGreaterThan(0);
  const all = decoded(zoneTile(index, AT, { maxBytes: Number.POSITIVE_INFINITY }));
  expect(all.zones.length + all.points.length).toBeGreaterThan(decoded(least).zones.length);
  // Without the layer of labels the number is still told.
  const few = decoded(zoneTile(index, AT, { layers: ['zones'], maxBytes: 5000 }));
  expect(few.labels.map(({ properties }) => Object.keys(properties))).toEqual([['leftOut']]);
});

test('an index of a buffer gives the same tiles', () => {
  const random = seeded(9);
  const index = new ZoneIndex(
    Array.from({ length: 50 }, (_, i) => zoneAt(random, `${i}`, [37.6, 55.7], 0.05)),
  );
  const stored = ZoneIndex.fromBuffer(index.toBuffer());
  for (const z of [0, 6, 10, 13]) {
    const tile = tileAt([37.6, 55.7], z);
    expect(zoneTile(stored, tile)).toEqual(zoneTile(index, tile));
  }
});

test('the protocol answers tiles and a TileJSON', async () => {
  const index = new ZoneIndex([DEPOT]);
  const answer = tileProtocol(index);
  const { data } = await answer({
    url: `zones://tiles/${AT.z}/${AT.x}/${AT.y}.mvt?key=1`,
    type: 'arrayBuffer',
  });
  expect(new Uint8Array(data as ArrayBuffer)).toEqual(zoneTile(index, AT));
  const json = await answer({ url: 'zones://tiles', type: 'json' });
  expect(json.data).toEqual(tileJson(index, { tiles: ['zones://tiles/{z}/{x}/{y}'] }));
  await expect(answer({ url: 'zones://tiles' })).rejects.toMatchObject({ code: 'tile-type', field: 'url' });
  await expect(answer({ url: 'zones://tiles/1/2/0' })).rejects.toMatchObject({
    code: 'tile-range',
    field: 'tile.x',
  });
});

test('the TileJSON holds all zones', () => {
  const { bounds, ...rest } = tileJson(new ZoneIndex([DEPOT]), {
    tiles: ['a/{z}/{x}/{y}'],
    maxZoom: 13,
    name: 'mine',
  });
  const [west, south, east, north] = bounds;
  expect(west < 37.593 && west > 37.59 && east > 37.607 && east < 37.61).toBe(true);
  expect(south < 55.6956 && south > 55.695 && north > 55.7044 && north < 55.705).toBe(true);
  expect(rest).toMatchObject({ tilejson: '3.0.0', name: 'mine', scheme: 'xyz', minzoom: 0, maxzoom: 13 });
  expect(tileJson(new ZoneIndex([]), { tiles: ['a/{z}/{x}/{y}'] }).bounds[0]).toBe(-180);
});

test.each([
  ['index-type', 'index', () => zoneTile([DEPOT] as never, AT)],
  ['index-type', 'index', () => tileProtocol(null as never)],
  ['index-type', 'index', () => tilesTouched({} as never, null, null)],
  ['index-type', 'index', () => tileJson(undefined as never, { tiles: ['{z}{x}{y}'] })],
  ['tile-type', 'tile', () => zoneTile(new ZoneIndex([]), null as never)],
  ['tile-type', 'tile.x', () => zoneTile(new ZoneIndex([]), { z: 1, x: '1', y: 0 } as never)],
  ['tile-range', 'tile.z', () => zoneTile(new ZoneIndex([]), { z: 25, x: 0, y: 0 })],
  ['tile-range', 'tile.y', () => zoneTile(new ZoneIndex([]), { z: 1, x: 0, y: 2 })],
  ['tile-range', 'tile.x', () => zoneTile(new ZoneIndex([]), { z: 1, x: 0.5, y: 0 })],
  ['tile-range', 'tile.y', () => zoneTile(new ZoneIndex([]), { z: 1, x: 0, y: Number.NaN })],
  ['option-unknown', 'options.propertys', () => zoneTile(new ZoneIndex([]), AT, { propertys: [] } as never)],
  [
    'option-value',
    'options.properties',
    () => zoneTile(new ZoneIndex([]), AT, { properties: 'name' } as never),
  ],
  ['option-value', 'options.layers', () => zoneTile(new ZoneIndex([]), AT, { layers: [] })],
  ['option-value', 'options.layers', () => zoneTile(new ZoneIndex([]), AT, { layers: ['roads'] as never })],
  ['option-value', 'options.maxBytes', () => zoneTile(new ZoneIndex([]), AT, { maxBytes: 10 })],
  [
    'option-value',
    'options.maxZoom',
    () => tilesTouched(new ZoneIndex([]), null, DEPOT, { minZoom: 5, maxZoom: 4 }),
  ],
  [
    'bbox-invalid',
    'options.bbox',
    () => tilesTouched(new ZoneIndex([]), null, DEPOT, { bbox: [1, 2] as never }),
  ],
  ['option-value', 'options.tiles', () => tileJson(new ZoneIndex([]), { tiles: ['{z}/{x}'] })],
  [
    'option-value',
    'options.name',
    () => tileJson(new ZoneIndex([]), { tiles: ['{z}{x}{y}'], name: 1 as never }),
  ],
])('throws %s on %s', (code, field, work) => {
  expect(errorOf(work)).toMatchObject({ code, field });
});

test('touched tiles are limited by zooms and by a box', () => {
  const index = new ZoneIndex([DEPOT]);
  const all = tilesTouched(index, null, DEPOT, { minZoom: 12, maxZoom: 16 });
  const [lon, lat] = [37.6, 55.7];
  const inBox = tilesTouched(index, null, DEPOT, { minZoom: 12, maxZoom: 16, bbox: [lon, lat, lon, lat] });
  expect(inBox).toEqual([12, 13, 14, 15, 16].map((z) => tileAt([lon, lat], z)));
  expect(all.length).toBeGreaterThan(inBox.length);
  expect(tilesTouched(index, null, null)).toEqual([]);
});
