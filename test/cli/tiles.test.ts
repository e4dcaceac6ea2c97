import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PMTiles } from 'pmtiles';
import { expect, test } from 'vitest';
import { hilbertId, PmtilesArchive } from '../../src/cli/commands/zones/writeTiles.js';
import { ZoneIndex } from '../../src/index.js';
import { fromGeoJson } from '../../src/interchange/index.js';
import { zoneTile } from '../../src/tiles/index.js';
import { seeded } from '../volume.js';
import { wayzone } from './wayzone.js';

const ZONES = 'fixtures/city-zones.geojson';

/** An archive of bytes, read by the reference reader. */
function opened(bytes: Buffer): PMTiles {
  const whole = new Uint8Array(bytes).buffer;
  return new PMTiles({
    getKey: () => 'archive',
    getBytes: (offset, length) => Promise.resolve({ data: whole.slice(offset, offset + length) }),
  });
}

test('a PMTiles file has each tile that is not empty', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'wayzone-tiles-')), 'city.pmtiles');
  const result = await wayzone('tiles', ZONES, out, '--max-zoom', '13', '--properties', 'width');
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).toMatch(/^20 zones, \d+ tiles \(\d+ different\), zooms 0 to 13; \d+ bytes written to /);
  const archive = opened(readFileSync(out));
  const header = await archive.getHeader();
  expect(header).toMatchObject({ specVersion: 3, clustered: true, tileType: 1, minZoom: 0, maxZoom: 13 });
  const index = new ZoneIndex(fromGeoJson(readFileSync(ZONES, 'utf8')).value.zones);
  let tiles = 0;
  for (let z = 0; z <= 13; z++) {
    const side = 2 ** z;
    const column = Math.floor(((header.centerLon + 180) / 360) * side);
    const row = Math.floor(
      (0.5 - Math.asinh(Math.tan((header.centerLat * Math.PI) / 180)) / (2 * Math.PI)) * side,
    );
    for (let x = Math.max(0, column - 4); x <= Math.min(side - 1, column + 4); x++) {
      for (let y = Math.max(0, row - 4); y <= Math.min(side - 1, row + 4); y++) {
        const stored = await archive.getZxy(z, x, y);
        const own = zoneTile(index, { z, x, y }, { properties: ['width'] });
        expect(new Uint8Array(stored?.data ?? new ArrayBuffer(0))).toEqual(own);
        if (own.length > 0) tiles++;
      }
    }
  }
  expect(tiles).toBe(header.numAddressedTiles);
});

test('many tiles have leaf directories, equal ones are stored once, and runs are found', async () => {
  const archive = new PmtilesArchive();
  const random = seeded(41);
  const contents = Array.from({ length: 32_768 }, () =>
    Uint8Array.from({ length: 8 + Math.floor(random() * 60) }, () => Math.floor(random() * 256)),
  );
  const bytesAt = (x: number, y: number): Uint8Array =>
    y % 64 === 0 ? Uint8Array.of(1, 2, 3) : contents[256 * y + x]!;
  const tiles = Array.from({ length: 128 * 256 }, (_, i) => ({ z: 8, x: i & 255, y: i >> 8 }));
  for (const tile of tiles.toSorted((p, q) => hilbertId(p) - hilbertId(q)))
    archive.add(tile, bytesAt(tile.x, tile.y));
  const pieces = archive.pieces({ minZoom: 8, maxZoom: 8, bounds: [-180, -85, 180, 85], metadata: {} });
  const read = opened(Buffer.concat(pieces));
  const header = await read.getHeader();
  expect(header.leafDirectoryLength).toBeGreaterThan(0);
  expect([header.numAddressedTiles, header.numTileContents]).toEqual([32_768, 126 * 256 + 1]);
  expect(header.numTileEntries).toBeLessThan(32_768);
  for (const { x, y } of tiles.filter((_, i) => i % 97 === 0)) {
    expect(new Uint8Array((await read.getZxy(8, x, y))!.data)).toEqual(bytesAt(x, y));
  }
});

test('a file of chosen layers has these alone, in its tiles and its description', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'wayzone-tiles-')), 'city.pmtiles');
  const result = await wayzone('tiles', ZONES, out, '--max-zoom', '10', '--layers', 'zones,points');
  expect(result).toMatchObject({ code: 0, err: '' });
  const archive = opened(readFileSync(out));
  const { vector_layers: layers } = (await archive.getMetadata()) as { vector_layers: { id: string }[] };
  expect(layers.map(({ id }) => id)).toEqual(['zones', 'points']);
  const index = new ZoneIndex(fromGeoJson(readFileSync(ZONES, 'utf8')).value.zones);
  const stored = await archive.getZxy(0, 0, 0);
  expect(new Uint8Array(stored!.data)).toEqual(
    zoneTile(index, { z: 0, x: 0, y: 0 }, { layers: ['zones', 'points'] }),
  );
});

test.each([
  ['no file to write', ['tiles', ZONES]],
  ['another ending', ['tiles', ZONES, 'out.mbtiles']],
  ['a zoom beyond 24', ['tiles', ZONES, 'out.pmtiles', '--max-zoom', '25']],
  ['a lowest zoom above the highest', ['tiles', ZONES, 'out.pmtiles', '--min-zoom', '9', '--max-zoom', '8']],
  ['a layer that there is not', ['tiles', ZONES, 'out.pmtiles', '--layers', 'zones,roads']],
  ['too few bytes', ['tiles', ZONES, 'out.pmtiles', '--max-bytes', '10']],
])('refuses %s', async (_, args) => {
  expect((await wayzone(...args)).code).toBe(2);
});
