import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM, needs } from '../../../test/needs.js';
import { buildCity } from './city.js';
import { launchWithMap, openPage, pageHost } from './openPage.js';

needs(CHROMIUM).describe('the base map of the page (needs Chromium)', () => {
  let browser: Browser;
  let server: Server;
  let style: object = {};
  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  beforeAll(async () => {
    browser = await launchWithMap();
    const image = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer();
    server = createServer(({ url = '', headers }, answer) => {
      asked.push({ url, authorization: headers.authorization });
      const json = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
      if (url === '/style.json') return void answer.writeHead(200, json).end(JSON.stringify(style));
      if (url === '/none.json') return void answer.writeHead(404, json).end();
      answer.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(image);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  test('images come from their server, which gets no token', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const host = await pageHost({
      basemap: { kind: 'images', url: `${origin}/{z}/{x}/{y}.png`, origins: [origin] },
      basemapAttribution: '© <b>Survey</b>',
    });
    await buildCity(host.owner);
    const { page, errors, rest } = await openPage(browser, host, host.owner);
    await rest();
    expect(await page.locator('#attribution').textContent()).toBe('© <b>Survey</b>');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ url }) => /^\/\d+\/\d+\/\d+\.png$/.test(url))).toBe(true);
    expect(asked.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
    expect(
      await page.evaluate("theMap.getLayer('base') !== undefined && theMap.isSourceLoaded('base')"),
    ).toBe(true);
    expect(errors.filter((error) => !error.startsWith(`request to ${origin}/`))).toEqual([]);
    await page.close();
    await host.close();
  });

  test('a style is drawn below the zones, with the page’s font; a missing one is said', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    style = {
      version: 8,
      glyphs: `${origin}/never/{fontstack}/{range}.pbf`,
      sources: { hills: { type: 'raster', tiles: ['hills/{z}/{x}/{y}.png'], tileSize: 256 } },
      layers: [
        { id: 'sea', type: 'background', paint: { 'background-color': '#0000ff' } },
        { id: 'hills', type: 'raster', source: 'hills' },
      ],
    };
    for (const name of ['style.json', 'none.json']) {
      const basemap = { kind: 'style', url: `${origin}/${name}`, origins: [origin] } as const;
      const host = await pageHost({ basemap });
      await buildCity(host.owner);
      const { page, rest } = await openPage(browser, host, host.owner);
      await rest();
      const layers = (await page.evaluate('theMap.getStyle().layers.map(({ id }) => id)')) as string[];
      const own = layers.filter((id) => id.startsWith('base-'));
      expect(own).toEqual(name === 'none.json' ? [] : ['base-sea', 'base-hills']);
      expect(layers.indexOf('graticule')).toBeGreaterThan(layers.indexOf('base-hills'));
      if (name === 'none.json') expect(await page.evaluate('said.join()')).toContain('404');
      await page.close();
      await host.close();
    }
    expect(asked.some(({ url }) => /^\/hills\/\d+\/\d+\/\d+\.png$/.test(url))).toBe(true);
    expect(asked.filter(({ url }) => url.startsWith('/never'))).toEqual([]);
  });

  test('an archive with vector tiles is drawn below the zones', async () => {
    const root = join(import.meta.dirname, '../../..');
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-basemap-'));
    const archive = join(folder, 'city.pmtiles');
    const program = join(root, 'src/cli/dist/main.js');
    execFileSync(process.execPath, [program, 'tiles', join(root, 'fixtures/city-zones.geojson'), archive]);
    const host = await pageHost({ basemap: { kind: 'archive', file: archive } });
    const { page, errors, rest } = await openPage(browser, host, host.owner);
    await page.evaluate('theMap.jumpTo({ center: [44, 56.3], zoom: 11 })');
    await rest();
    const layers = (await page.evaluate('theMap.getStyle().layers.map(({ id }) => id)')) as string[];
    expect(layers.indexOf('base-zones-area')).toBeGreaterThan(layers.indexOf('ground'));
    expect(layers.indexOf('base-zones-area')).toBeLessThan(layers.indexOf('zone-area'));
    expect(
      await page.evaluate("theMap.queryRenderedFeatures({ layers: ['base-zones-area'] }).length"),
    ).toBeGreaterThan(3);
    expect(errors).toEqual([]);
    await page.close();
    await host.close();
    rmSync(folder, { recursive: true });
  });
});
