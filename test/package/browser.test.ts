import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPacked } from './packed.js';

/** The packed library in a page and in a Web Worker, as a common bundler makes it. */

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
const title = isThere ? '' : ` (skipped: no Chromium at ${CHROMIUM})`;

const WORK = `
import { measureZone, ZoneIndex } from 'wayzone';
import { fromKml, toKml } from 'wayzone/interchange';
import { straightLineEngine } from 'wayzone/routing';
import { findVisits, readTrack } from 'wayzone/tracks';
import { validateGeozone } from 'wayzone/schemas';

export async function work() {
  const zones = Array.from({ length: 100 }, (_, i) => ({
    id: 'z' + i, name: 'Zone ' + i, type: { key: 'circle' }, geometry: [[37 + i / 100, 55]], width: 500,
  }));
  const index = new ZoneIndex(zones);
  let hits = 0;
  for (let i = 0; i < 100000; i++) hits += index.at([37 + (i % 1000) / 1000, 55]).length;
  const track = readTrack([{ time: 17e11, lon: 36.97, lat: 55 }, { time: 17e11 + 3e5, lon: 37.02, lat: 55 }]);
  const { legs } = await straightLineEngine().route([[37, 55], [38, 56]]);
  return {
    area: measureZone(zones[0]).area,
    hits,
    kept: fromKml(toKml(zones)).value.zones.length,
    visits: findVisits(track, index).length,
    meters: legs[0].distanceMeters,
    type: validateGeozone({ ...zones[0], id: '4f2a1c1e-8d3b-4c55-9e1f-0a1b2c3d4e5f' }).type.value,
  };
}`;

/** Packages that have a build of their own for browsers, which their bare name does not say. */
const ALIAS = { xmlbuilder2: 'xmlbuilder2/lib/xmlbuilder2.min.js', 'csv-parse': 'csv-parse/browser/esm' };

async function bundled(folder: string, text: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: text, resolveDir: folder, loader: 'js' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    alias: ALIAS,
    write: false,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]!.text;
}

let project: ReturnType<typeof installPacked>;
let browser: Browser;
beforeAll(async () => {
  if (!isThere) return;
  project = installPacked();
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  project?.remove();
});

test.runIf(isThere)(`a page and a Web Worker give Node's answers${title}`, { timeout: 180_000 }, async () => {
  const { folder } = project;
  writeFileSync(join(folder, 'work.mjs'), WORK);
  writeFileSync(
    join(folder, 'main.mjs'),
    "import { work } from './work.mjs'; console.log(JSON.stringify(await work()));",
  );
  const answers: unknown = JSON.parse(
    execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' }),
  );
  expect(answers).toMatchObject({ area: expect.closeTo(785_398, 0), hits: 149_300, kept: 100, visits: 3 });

  const inWorker = await bundled(
    folder,
    "import { work } from './work.mjs'; work().then((answer) => postMessage(answer));",
  );
  const inPage = await bundled(folder, "import { work } from './work.mjs'; globalThis.work = work;");
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addScriptTag({ content: inPage });
  expect(await page.evaluate('work()')).toEqual(answers);
  expect(
    await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inWorker)}])));
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`),
  ).toEqual(answers);
  expect(errors).toEqual([]);
});
