import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tilesAround } from '../../src/cli/commands/report/readBasemap.js';
import { hilbertId, PmtilesArchive } from '../../src/cli/commands/zones/writeTiles.js';
import { run } from '../../src/cli/run.js';
import { launch, newPage } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { wkt } from '../wkt.js';
import { openMap, removeFolder, written } from './browser.js';

/** The map below the zones: images at an address, and tiles of an archive within the page. */

const fixture = (name: string): string => resolve(import.meta.dirname, '../../fixtures', name);
const CITY = [
  '--zones',
  fixture('city-zones.geojson'),
  '--tracks',
  fixture('city-day.csv'),
  '--speed-unit',
  'kph',
];
/** A coloured pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);
const folder = mkdtempSync(join(tmpdir(), 'wayzone-basemap-'));
const folders = [folder];
afterAll(() => folders.forEach(removeFolder));

/** A tile that is all water, with a road through it and the name of a place. */
function vectorTile(): Uint8Array {
  const ring = wkt('-64 -64, 4160 -64, 4160 4160, -64 4160, -64 -64');
  const tile = (type: number, geometry: unknown): object => ({
    features: [{ type, geometry, tags: { name: '<b>' } }],
  });
  return fromGeojsonVt({
    water: tile(3, [ring]),
    transportation: tile(2, [wkt('0 2048, 4096 2048')]),
    place: tile(1, [[2048, 2048]]),
  } as unknown as Parameters<typeof fromGeojsonVt>[0]);
}

/** An archive of the whole world to zoom 3, and of the city to `maxZoom`. */
function archive(name: string, content: Uint8Array, type: number, maxZoom = 12): string {
  const pmtiles = new PmtilesArchive();
  const city = {
    zones: [
      {
        lonLat: [
          [43.9, 56.25],
          [44.2, 56.45],
        ] as const,
      },
    ],
    units: [],
  };
  for (let z = 0; z <= maxZoom; z++) {
    const all =
      z <= 3 ? Array.from({ length: 4 ** z }, (_, i) => [i % 2 ** z, Math.floor(i / 2 ** z)] as const) : null;
    const around = all ?? inBox(tilesAround(city, z));
    const tiles = around.map(([x, y]) => ({ z, x, y })).sort((a, b) => hilbertId(a) - hilbertId(b));
    for (const tile of tiles) pmtiles.add(tile, content);
  }
  const facts = {
    minZoom: 0,
    maxZoom,
    bounds: [-180, -85, 180, 85] as const,
    metadata: { name: 'test', attribution: '<a href="https://x.example">© <b>Survey</b> &amp; Co</a>' },
  };
  const bytes = Buffer.concat(pmtiles.pieces(facts));
  bytes[99] = type;
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function inBox(tiles: readonly (readonly [number, number])[]): [number, number][] {
  const [xs, ys] = [tiles.map(([x]) => x), tiles.map(([, y]) => y)];
  const all: [number, number][] = [];
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++)
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++) all.push([x, y]);
  return all;
}

async function failed(...args: readonly string[]): Promise<[code: number, text: string]> {
  const texts: string[] = [];
  const io = { write: (text: string): boolean => texts.push(text) > 0 };
  const code = await run(['report', ...CITY, '--out', join(folder, 'none'), ...args], {
    stdout: io,
    stderr: io,
  });
  return [code, texts.join('')];
}

describe('tilesAround', () => {
  test('has the tile of every position and its neighbours, within the world', () => {
    const lonLat = [
      [-179.99, 85.2],
      [179.99, -89],
      [10, 50],
    ] as const;
    for (const zoom of [0, 1, 5, 14]) {
      const side = 2 ** zoom;
      const tiles = new Set(
        tilesAround({ zones: [{ lonLat }], units: [] }, zoom).map(([x, y]) => `${x} ${y}`),
      );
      for (const tile of tiles)
        for (const part of tile.split(' ')) expect(Number(part) >= 0 && Number(part) < side).toBe(true);
      for (const [lon, lat] of lonLat) {
        const rad = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
        const x = Math.floor(((lon + 180) / 360) * side);
        const y = Math.floor(((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * side);
        for (const dx of [-1, 0, 1])
          for (const dy of [-1, 0, 1])
            if (y + dy >= 0 && y + dy < side)
              expect(
                tiles.has(`${(x + dx + side) % side} ${y + dy}`),
                `${zoom} ${lon} ${lat} ${dx} ${dy}`,
              ).toBe(true);
      }
    }
    expect(tilesAround({ zones: [], units: [] }, 5)).toEqual([]);
  });
});

describe('flags', () => {
  test.each([
    'tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example/{z}/{x}.png',
    'https://{s}.tiles.example/{z}/{x}/{y}.png',
    'javascript:alert(1)//{z}/{x}/{y}',
    'https://tiles.example/{z}/{x}/{y}/{q}.png',
  ])('%s is refused', async (url) => {
    expect((await failed('--tiles', url))[0]).toBe(2);
  });

  test('an archive that is none, a missing one and one that does not fit have their codes', async () => {
    const text = join(folder, 'text.pmtiles');
    writeFileSync(text, 'no archive');
    expect((await failed('--basemap', text))[1]).toContain('basemap-type');
    expect((await failed('--basemap', join(folder, 'missing.pmtiles')))[1]).toContain('input-unreadable');
    const png = archive('small.pmtiles', PNG, 2);
    const [code, output] = await failed('--basemap', png, '--basemap-bytes', '10');
    expect([code, output.includes('limit-basemap') && output.includes('--basemap-bytes')]).toEqual([1, true]);
    expect((await failed('--basemap', png, '--tiles', 'https://t.example/{z}/{x}/{y}.png'))[0]).toBe(2);
  });

  test('zooms beyond the limit are left out, and the reader is told', async () => {
    const png = archive('deep.pmtiles', PNG, 2);
    const out = join(folder, 'limited');
    const texts: string[] = [];
    const io = { write: (text: string): boolean => texts.push(text) > 0 };
    const limit = ['--basemap', png, '--basemap-bytes', '3000'];
    expect(await run(['report', ...CITY, '--out', out, ...limit], { stdout: io, stderr: io })).toBe(0);
    expect(texts.join('')).toMatch(
      /Map below: zooms 0 to \d+; zoom \d+ exceeds 3000 bytes \(--basemap-bytes\)/,
    );
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    const tiles = JSON.parse(/id="tiles">(.*?)<\/script>/s.exec(page)![1]!) as Record<string, string>;
    const bytes = Object.values(tiles).reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeLessThanOrEqual(3000);
    expect(bytes).toBeGreaterThan(500);
    for (const text of Object.values(tiles)) expect(Buffer.from(text, 'base64').equals(PNG)).toBe(true);
  });
});

/** The share of the map's pixels that have this colour. */
const SHARE = `(async (source, color) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (color.every((value, k) => Math.abs(data[i + k] - value) < 4)) count++;
  return count / (data.length / 4);
})`;

const PIXEL = `(async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const context = document.createElement('canvas').getContext('2d');
  context.drawImage(image, 0, 0);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
})`;

needs(CHROMIUM).describe('the map below on the page (needs Chromium)', () => {
  let browser: Browser;
  let server: Server;
  const asked: string[] = [];
  let pixel: number[];
  beforeAll(async () => {
    browser = await launch();
    const page = await newPage(browser);
    pixel = (await page.evaluate(`${PIXEL}('data:image/png;base64,${PNG.toString('base64')}')`)) as number[];
    await page.close();
    server = createServer(({ url = '' }, answer) => {
      asked.push(url);
      answer.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function share(color: readonly number[], ...flags: readonly string[]): Promise<[number, string]> {
    const out = await written('report', ...CITY, ...flags, '--out', '{folder}');
    folders.push(out);
    const { page, errors, rest } = await openMap(browser, join(out, 'index.html'), {
      viewport: { width: 1280, height: 900 },
      bypassCSP: false,
    });
    for (const name of ['zones', 'tracks', 'visits', 'labels'])
      await page.locator(`[data-show=${name}]`).uncheck();
    await rest();
    // Leaflet fades its tiles in.
    await expect
      .poll(() =>
        page.locator('.leaflet-tile:not(.leaflet-tile-loaded), .leaflet-tile[style*="opacity: 0"]').count(),
      )
      .toBe(0);
    const source = `data:image/png;base64,${(await page.locator('#map').screenshot()).toString('base64')}`;
    const part = (await page.evaluate(
      `${SHARE}(${JSON.stringify(source)}, ${JSON.stringify(color)})`,
    )) as number;
    const attribution = await page.locator('.leaflet-control-attribution').textContent();
    // The picture of a test is styled by the browser's driver, which the policy refuses.
    expect(errors.filter((text) => !text.includes('Applying inline style'))).toEqual([]);
    await page.close();
    return [part, attribution ?? ''];
  }

  test('images come from the one address, with its attribution as text', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [part, attribution] = await share(
      pixel,
      '--tiles',
      `${origin}/{z}/{x}/{y}.png`,
      '--attribution',
      '© <b>Survey</b>',
    );
    expect(part).toBeGreaterThan(0.8);
    expect(attribution).toBe('© <b>Survey</b>');
    expect(asked.length).toBeGreaterThan(3);
    for (const url of asked) expect(url).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
  });

  test('images of an archive are within the page', async () => {
    const [part, attribution] = await share(pixel, '--basemap', archive('images.pmtiles', PNG, 2));
    expect(part).toBeGreaterThan(0.8);
    expect(attribution).toBe('© Survey & Co');
  });

  test('vector tiles of an archive are drawn in the colours of their kinds, also beyond their zoom', async () => {
    const [part] = await share(
      [0xa9, 0xcf, 0xe0],
      '--basemap',
      archive('vector.pmtiles', vectorTile(), 1, 8),
    );
    expect(part).toBeGreaterThan(0.7);
    expect(part).toBeLessThan(0.995);
  });
});
