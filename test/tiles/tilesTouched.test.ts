import { expect, test } from 'vitest';
import { type Pair, type Position, ZoneIndex, type ZoneRow } from '../../src/index.js';
import { type TileId, tilesTouched, zoneTile } from '../../src/tiles/index.js';
import { seeded, volume } from '../volume.js';
import { PLACES, zoneAt } from '../zones/generators.js';
import { tileAt } from './decoded.js';

/** All tiles of the zooms, or those within two tiles of a place. */
function tilesAround(place: Position | null, minZoom: number, maxZoom: number): TileId[] {
  const tiles: TileId[] = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    const side = 2 ** z;
    const middle = place === null ? null : tileAt(place, z);
    for (let y = 0; y < side; y++) {
      if (middle !== null && Math.abs(y - middle.y) > 2) continue;
      for (let x = 0; x < side; x++) {
        const away = middle === null ? 0 : Math.min(Math.abs(x - middle.x), side - Math.abs(x - middle.x));
        if (away <= 2) tiles.push({ z, x, y });
      }
    }
  }
  return tiles;
}

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

type Random = () => number;

/** One edit of the index: the row before it, and the row after it. */
function edited(
  index: ZoneIndex<ZoneRow>,
  random: Random,
  fresh: (id: string) => ZoneRow,
): [before: ZoneRow | null, after: ZoneRow | null] {
  const ids = index.ids();
  const kind = random();
  const before = ids.length === 0 ? null : index.get(ids[Math.floor(random() * ids.length)]!);
  if (before === null || kind < 0.2) {
    const after = fresh(`new ${random()}`);
    index.add(after);
    return [null, after];
  }
  if (kind < 0.35) {
    index.remove(before.id);
    return [before, null];
  }
  if (kind < 0.45) {
    const after = { ...before, is_delete: true };
    index.update(after);
    return [before, after];
  }
  const after =
    kind < 0.6 ? { ...before, name: `${random()}` } : kind < 0.8 ? moved(before, random) : fresh(before.id);
  index.update(after);
  return [before, after];
}

/** The zone with one position moved a little. */
function moved(zone: ZoneRow, random: Random): ZoneRow {
  const at = Math.floor(random() * zone.geometry.length);
  const step = random() < 0.5 ? 1e-5 : 0.02;
  const geometry = (zone.geometry as readonly Pair[]).map(
    ([lon, lat], i): Pair =>
      i === at
        ? [lon + step * (random() - 0.5), Math.max(-90, Math.min(90, lat + step * (random() - 0.5)))]
        : [lon, lat],
  );
  return { ...zone, geometry };
}

/** Edits an index again and again, and compares the touched tiles with those whose bytes differ. */
function compare(
  seed: number,
  edits: number,
  tiles: readonly TileId[],
  zoneOf: (random: Random, id: string) => ZoneRow,
  count: number,
): number {
  const random = seeded(seed);
  const index = new ZoneIndex(Array.from({ length: count }, (_, i) => zoneOf(random, `${i}`)));
  const bytesOf = (): string[] => tiles.map((tile) => Buffer.from(zoneTile(index, tile)).toString('base64'));
  const zooms = tiles.map(({ z }) => z);
  const options = { minZoom: Math.min(...zooms), maxZoom: Math.max(...zooms) };
  const names = new Set(tiles.map(nameOf));
  let changes = 0;
  let old = bytesOf();
  for (let edit = 0; edit < edits; edit++) {
    const [before, after] = edited(index, random, (id) => zoneOf(random, id));
    const now = bytesOf();
    const differ = tiles.filter((_, i) => old[i] !== now[i]).map(nameOf);
    const touched = tilesTouched(index, before, after, options).map(nameOf);
    expect({ seed, edit, before, after, tiles: touched.filter((name) => names.has(name)) }).toEqual({
      seed,
      edit,
      before,
      after,
      tiles: differ,
    });
    changes += differ.length;
    old = now;
  }
  return changes;
}

test('touched tiles are those whose bytes differ: large zones in all tiles of the low zooms', () => {
  const tiles = tilesAround(null, 0, 3);
  let changes = 0;
  for (let seed = 0; seed < volume(200); seed++) {
    const zoneOf = (random: Random, id: string): ZoneRow =>
      zoneAt(random, id, [random() * 360 - 180, random() * 176 - 88], 30 * random() ** 3 + 1e-3);
    changes += compare(seed, 2, tiles, zoneOf, 4);
  }
  expect(changes).toBeGreaterThan(6 * volume(200));
});

test('touched tiles are those whose bytes differ: small zones in the high zooms around a place', () => {
  let changes = 0;
  for (let seed = 0; seed < volume(200); seed++) {
    const place = PLACES[[0, 1, 2, 5][seed % 4]!]!;
    const tiles = tilesAround(place, 8, 14);
    const zoneOf = (random: Random, id: string): ZoneRow =>
      zoneAt(
        random,
        id,
        [place[0] + (random() - 0.5) * 0.02, place[1] + (random() - 0.5) * 0.02],
        0.03 * random() ** 3 + 1e-6,
      );
    changes += compare(seed, 3, tiles, zoneOf, 6);
  }
  expect(changes).toBeGreaterThan(6 * volume(200));
});

test('touched tiles are those whose bytes differ: crowds of points', () => {
  let changes = 0;
  for (let seed = 0; seed < volume(60); seed++) {
    const tiles = tilesAround([10, 50], 0, 9);
    const zoneOf = (random: Random, id: string): ZoneRow => ({
      id,
      type: { key: 'point' },
      geometry: [[10 + (random() - 0.5) * 0.2 ** (1 + 2 * random()), 50 + (random() - 0.5) * 0.1]],
    });
    changes += compare(seed, 6, tiles, zoneOf, 40);
  }
  expect(changes).toBeGreaterThan(6 * volume(60));
});
