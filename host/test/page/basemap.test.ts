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
  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  beforeAll(async () => {
    browser = await launchWithMap();
    const image = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer();
    server = createServer(({ url = '', headers }, answer) => {
      asked.push({ url, authorization: headers.authorization });
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
      basemapUrl: `${origin}/{z}/{x}/{y}.png`,
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

  test('an archive with vector tiles is drawn below the zones', async () => {
    const root = join(import.meta.dirname, '../../..');
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-basemap-'));
    const archive = join(folder, 'city.pmtiles');
    const program = join(root, 'dist/cli/main.js');
    execFileSync(process.execPath, [program, 'tiles', join(root, 'fixtures/city-zones.geojson'), archive]);
    const host = await pageHost({ basemapFile: archive });
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
