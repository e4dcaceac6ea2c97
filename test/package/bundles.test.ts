import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import * as vite from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, newPage } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { installPacked, SUBPATHS } from './packed.js';

/** Bundles the packed library with common bundlers, without aliases, for a page, a Web Worker and Node. */

const WORK = `
import { measureZone, ZoneIndex } from 'wayzone';
import { fromCsv, fromGpx, fromKml, fromKmz, toFixCsv, toGpx, toKml, toKmz, toZoneCsv } from 'wayzone/interchange';
import { filterGeozones } from 'wayzone/listing';
import { straightLineEngine } from 'wayzone/routing';
import { validateGeozone } from 'wayzone/schemas';
import { findVisits, readTrack } from 'wayzone/tracks';
import { evaluateTrip } from 'wayzone/trips';

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
    csv: [fromCsv(toZoneCsv(zones)).value.zones.length, fromCsv(toFixCsv([{ name: 'a', unitId: 'a', fixes: [{ time: 17e11, lon: 1, lat: 2 }] }])).value.tracks.length],
    gpx: fromGpx(toGpx({ routes: [{ name: 'r', points: zones }] })).value.routes.length,
    kmz: fromKmz(toKmz(zones)).value.zones.length,
    listed: filterGeozones(zones, { count: 2 }).list.length,
    trip: evaluateTrip(
      { name: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2023-11-14'], points: [{ name: 'a', type: { key: 'point' }, geometry: [[37, 55]] }] },
      '2023-11-14', track, { timeZone: 'UTC' },
    ).totals.passed,
    type: validateGeozone({ ...zones[0], id: '4f2a1c1e-8d3b-4c55-9e1f-0a1b2c3d4e5f' }).type.value,
  };
}`;

const IN_PAGE = "import { work } from './work.mjs'; globalThis.work = work;";
const IN_WORKER = "import { work } from './work.mjs'; work().then((answer) => postMessage(answer));";
const IN_NODE = "import { work } from './work.mjs'; console.log(JSON.stringify(await work()));";

/** Bundles a file of the project's folder. */
type Bundle = (folder: string, entry: string) => Promise<string>;

const withEsbuild: Bundle = async (folder, entry) => {
  const { outputFiles, warnings } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]!.text;
};

const withVite: Bundle = async (folder, entry) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const result = await vite.build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    customLogger: { ...vite.createLogger('silent'), warn, warnOnce: warn },
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['iife'], name: 'bundle', fileName: 'bundle' },
    },
  });
  expect(warnings).toEqual([]);
  const [{ output }] = result as unknown as [{ output: { code: string }[] }];
  return output[0]!.code;
};

let project: ReturnType<typeof installPacked>;
let browser: Browser;
beforeAll(async () => {
  project = installPacked();
  const files = { 'work.mjs': WORK, 'node.mjs': IN_NODE, 'page.mjs': IN_PAGE, 'worker.mjs': IN_WORKER };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.folder, name), text);
  if (!CHROMIUM.isThere) return;
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  project?.remove();
});

function answerInNode(folder: string, file: string): unknown {
  return JSON.parse(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }));
}

test('an ES module bundled for Node gives the same answers as the installed package', async () => {
  const { folder } = project;
  const answers = answerInNode(folder, 'node.mjs');
  expect(answers).toEqual({
    area: expect.closeTo(785_398, 0),
    hits: 149_300,
    kept: 100,
    visits: 3,
    meters: expect.closeTo(166_420, -2),
    csv: [100, 1],
    gpx: 1,
    kmz: 100,
    listed: 2,
    trip: 1,
    type: expect.any(String),
  });
  const options = { bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [join(folder, 'node.mjs')], outfile: join(folder, 'bundled.mjs') });
  expect(answerInNode(folder, 'bundled.mjs')).toEqual(answers);
});

test.each(SUBPATHS)('a bundle of %s alone for Node loads', async (subpath) => {
  const { folder } = project;
  const name = `${subpath.replace('/', '-')}.mjs`;
  writeFileSync(
    join(folder, name),
    `import * as all from '${subpath}'; console.log(Object.keys(all).length);`,
  );
  const outfile = join(folder, `bundled-${name}`);
  const options = { bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [join(folder, name)], outfile });
  expect(answerInNode(folder, outfile)).toBeGreaterThan(0);
});

needs(CHROMIUM).test.each([
  ['esbuild', withEsbuild],
  ['Vite', withVite],
] as const)(
  'a page and a Web Worker bundled by %s give the same answers as Node (needs Chromium)',
  async (_, bundle) => {
    const { folder } = project;
    const answers = answerInNode(folder, 'node.mjs');
    const [inPage, inWorker] = [await bundle(folder, 'page.mjs'), await bundle(folder, 'worker.mjs')];
    const page = await newPage(browser);
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
  },
);
