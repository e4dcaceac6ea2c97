/** Vector tiles: ours from a standing index, beside geojson-vt with vt-pbf from the same zones as GeoJSON, and PostGIS where it is. */

import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature } from 'geojson';
import GeoJSONVT from 'geojson-vt';
import { type Geozone, ZoneIndex, zoneOutline } from '../src/index.js';
import { type TileId, tilesTouched, zoneTile } from '../src/tiles/index.js';
import { seeded } from '../test/volume.js';
import { postgisTiles } from './peers/postgisTiles.js';
import { cities } from './zoneWorkloads.js';

/** Zooms that are compared, and tiles of each. */
const ZOOMS = [0, 4, 6, 8, 10, 12, 14] as const;
const TILES = 12;
/** Of the peer: no simplification beyond ours, half a pixel. */
const PEER = {
  maxZoom: 16,
  indexMaxZoom: 5,
  indexMaxPoints: 100_000,
  tolerance: 4,
  extent: 4096,
  buffer: 64,
};

/** Processor time in ms: other programs on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function timed<Value>(work: () => Value): [ms: number, value: Value] {
  const start = cpuMs();
  const value = work();
  return [cpuMs() - start, value];
}

/** The tile of a zoom around a position. */
function tileAt(lon: number, lat: number, z: number): TileId {
  const side = 2 ** z;
  const share = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  return { z, x: Math.floor(((lon + 180) / 360) * side), y: Math.floor(share * side) };
}

/** Different tiles of a zoom with zones; each is asked for once. */
function tilesOf(zones: readonly Geozone[], z: number): TileId[] {
  const random = seeded(z + 1);
  const tiles = new Map<string, TileId>();
  for (let tries = 0; tiles.size < Math.min(TILES, 4 ** z) && tries < 1000; tries++) {
    const [lon, lat] = zones[Math.floor(random() * zones.length)]!.geometry[0]!;
    const tile = tileAt(lon, lat, z);
    tiles.set(`${tile.x}/${tile.y}`, tile);
  }
  return [...tiles.values()];
}

/** Circles and corridors as outlines of the default tolerance, 0.1 % of the radius: in the middle zooms as fine as ours. */
function featureOf(zone: Geozone): Feature {
  const properties = { id: zone.id, name: zone.name, type: zone.type.key };
  return { type: 'Feature', properties, geometry: zoneOutline(zone) as unknown as Feature['geometry'] };
}

type Collection = { readonly type: 'FeatureCollection'; readonly features: Feature[] };

const peerOf = (collection: Collection): GeoJSONVT => new GeoJSONVT(collection, PEER);

function peerTile(peer: GeoJSONVT, { z, x, y }: TileId): Uint8Array {
  const tile = peer.getTile(z, x, y);
  return tile === null ? new Uint8Array(0) : fromGeojsonVt({ zones: tile }, { version: 2, extent: 4096 });
}

/** Tiles with all zones, as the peer's. */
const ALL = { maxBytes: Number.POSITIVE_INFINITY };

const median = (values: readonly number[]): number => values.toSorted((p, q) => p - q)[values.length >> 1]!;
const worst = (values: readonly number[]): number => Math.max(...values);
const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const times = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

export async function tilesBench(quick: boolean): Promise<string> {
  const count = quick ? 10_000 : 100_000;
  const zones = [...cities(count).zones()];
  const collection: Collection = { type: 'FeatureCollection', features: zones.map(featureOf) };
  const [buildMs, index] = timed(() => new ZoneIndex(zones));
  // Both are warm before they are timed, on tiles that are not asked for again.
  for (const z of ZOOMS) for (const tile of tilesOf(zones.slice(0, 50), z)) zoneTile(index, tile);
  peerTile(peerOf({ ...collection, features: collection.features.slice(0, 2000) }), { z: 0, x: 0, y: 0 });
  const [peerMs, peer] = timed(() => peerOf(collection));
  const postgis = await postgisTiles(collection);
  const lines = [
    `${count} zones around 50 cities: stars, circles, corridors. Processor time, ms; tiles in the middle of the order of their times, each asked for once.`,
    `Index built: ${ms(buildMs)} ms. geojson-vt from the GeoJSON objects: ${ms(peerMs)} ms, before its first tile.`,
    '',
    '| zoom | ours, median | worst | bytes | zones and points alone: time, times geojson-vt | bytes, times geojson-vt | geojson-vt, first ask | times ours | from GeoJSON to its first tile: times ours, index standing | with our build | PostGIS `ST_AsMVT`, wall time |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  for (const z of ZOOMS) {
    const tiles = tilesOf(zones, z);
    const own = tiles.map((tile) => timed(() => zoneTile(index, tile, ALL)));
    const alone = tiles.map((tile) =>
      timed(() => zoneTile(index, tile, { ...ALL, layers: ['zones', 'points'] })),
    );
    const peers = tiles.map((tile) => timed(() => peerTile(peer, tile)));
    const theirs = peers.map(([time]) => time);
    const bytesOf = (made: readonly (readonly [number, Uint8Array])[]): number =>
      median(made.map(([, { length }]) => length));
    const asked: number[] = [];
    for (const tile of postgis === null ? [] : tiles.slice(0, 4)) asked.push(await postgis!.tile(tile));
    const first = median(own.map(([time]) => time));
    const other = median(theirs);
    lines.push(
      `| ${z} | ${ms(first)} | ${ms(worst(own.map(([time]) => time)))} | ${bytesOf(own)} | ${times(median(alone.map(([time]) => time)) / other)} | ${times(bytesOf(alone) / bytesOf(peers))} | ${ms(other)} | ${times(other / first)} | ${times((peerMs + other) / first)} | ${times((peerMs + other) / (buildMs + first))} | ${asked.length === 0 ? 'not installed' : ms(median(asked))} |`,
    );
  }
  await postgis?.close();
  lines.push('', editLine(index, zones), '', ...largeLines(quick ? 100_000 : 1_000_000), '');
  return `## Vector tiles\n\n${lines.join('\n')}`;
}

/** What an edit touches, for zones moved by 100 m. */
function editLine(index: ZoneIndex<Geozone>, zones: readonly Geozone[]): string {
  const found = zones.slice(0, 200).map((before) => {
    const geometry = before.geometry.map(([lon, lat]): [number, number] => [lon + 1e-3, lat]);
    const after = { ...before, geometry };
    index.update(after);
    const [time, tiles] = timed(() => tilesTouched(index, before, after));
    index.update(before);
    return { time, tiles: tiles.length };
  });
  const touched = median(found.map(({ tiles }) => tiles));
  return `An edit that moves a zone by 100 m: \`tilesTouched\` to zoom 14 takes ${ms(median(found.map(({ time }) => time)))} ms and gives ${touched} tiles.`;
}

function largeLines(count: number): string[] {
  const zones = [...cities(count).zones()];
  const index = new ZoneIndex(zones);
  const before = index.stats().bytes;
  const row = (z: number): string => {
    const found = tilesOf(zones, z).map((tile) => timed(() => zoneTile(index, tile)));
    // The first of a zoom compiles its code.
    const again = tilesOf(zones, z).map((tile) => timed(() => zoneTile(index, tile))[0]);
    const bytes = worst(found.map(([, { length }]) => length));
    return `| ${z} | ${ms(median(again))} | ${ms(worst(again))} | ${bytes} |`;
  };
  const rows = [0, 4, 8, 12, 14].map(row);
  return [
    `${count} zones of the same kind. The index keeps ${index.stats().bytes - before} bytes for tiles.`,
    '',
    '| zoom | median ms | worst ms | most bytes |',
    '|---|---|---|---|',
    ...rows,
  ];
}
