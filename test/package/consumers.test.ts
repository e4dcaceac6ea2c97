import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../volume.js';
import { installPacked, ROOT, SUBPATHS } from './packed.js';

/** Installs the output of `npm pack` in projects outside this repository. */

let project: ReturnType<typeof installPacked>;
beforeAll(() => {
  project = installPacked();
});
afterAll(() => project.remove());

const CIRCLE = "{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }";

function node(file: string, text: string, ...flags: string[]): string {
  writeFileSync(join(project.folder, file), text);
  return execFileSync(process.execPath, [...flags, file], { cwd: project.folder, encoding: 'utf8' });
}

test('ES modules import every subpath', () => {
  const imports = SUBPATHS.map((path, i) => `import * as m${i} from '${path}';`).join('\n');
  const count = `console.log(JSON.stringify([${SUBPATHS.map((_, i) => `Object.keys(m${i}).length`).join()}]));`;
  const counts = JSON.parse(node('all.mjs', `${imports}\n${count}`)) as number[];
  expect(counts).toHaveLength(SUBPATHS.length);
  for (const names of counts) expect(names).toBeGreaterThan(0);
});

test('CommonJS requires every subpath', () => {
  const text = `
    const { ZoneIndex, measureZone } = require('wayzone');
    for (const path of ${JSON.stringify(SUBPATHS)}) require(path);
    const depot = ${CIRCLE};
    console.log(JSON.stringify([new ZoneIndex([depot]).at([37.601, 55.701]), Math.round(measureZone(depot).area)]));`;
  expect(JSON.parse(node('all.cjs', text))).toEqual([['depot'], 785_398]);
});

test('importing every subpath works with frozen built-ins and without __proto__', () => {
  const text = `
    ${SUBPATHS.map((path) => `await import('${path}');`).join('\n')}
    const { ZoneIndex } = await import('wayzone');
    console.log(new ZoneIndex([${CIRCLE}]).at([37.601, 55.701]).join());`;
  expect(node('frozen.mjs', text, '--frozen-intrinsics', '--disable-proto=throw', '--no-warnings')).toBe(
    'depot\n',
  );
});

test('TypeScript projects compile without skipLibCheck', () => {
  writeFileSync(
    join(project.folder, 'app.mts'),
    `${SUBPATHS.map((path, i) => `import * as m${i} from '${path}';`).join('\n')}
import { type Geozone, ZoneIndex } from 'wayzone';
import { readTrack, type Visit, findVisits } from 'wayzone/tracks';
const depot: Geozone = { name: 'Depot', ...${CIRCLE} } as const;
const index: ZoneIndex<Geozone> = new ZoneIndex([depot]);
const visits: Visit[] = findVisits(readTrack([{ time: 0, lon: 37.6, lat: 55.7 }]), index);
// @ts-expect-error a position is a pair of numbers
index.at('37.6,55.7');
export default [visits, ${SUBPATHS.map((_, i) => `m${i}`).join()}] as unknown[];
`,
  );
  // CommonJS, which `module` `node16` refuses.
  writeFileSync(
    join(project.folder, 'app.cts'),
    `import wayzone = require('wayzone');
import { findVisits } from 'wayzone/tracks';
export const all: unknown[] = [new wayzone.ZoneIndex([${CIRCLE}]), findVisits];
`,
  );
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', 'DOM'],
        module: 'nodenext',
        strict: true,
        skipLibCheck: false,
        types: [],
        noEmit: true,
      },
      files: ['app.mts', 'app.cts'],
    }),
  );
  // TypeScript 6 takes a minute to check TypeBox's declarations, so it runs only with WAYZONE_LONG=1.
  for (const version of LONG ? ['typescript-native', 'typescript'] : ['typescript-native']) {
    const compiler = join(ROOT, 'node_modules', version, 'bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], {
      cwd: project.folder,
      encoding: 'utf8',
    });
    expect({ version, status, stdout }).toEqual({ version, status: 0, stdout: '' });
  }
});

test('packing a clone without dist builds it', () => {
  const clone = mkdtempSync(join(tmpdir(), 'wayzone-clone-'));
  try {
    const files = execFileSync(
      'git',
      ['ls-files', '-z', 'src', 'fixtures', 'LICENSE', 'package.json', 'tsconfig.json'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name))))
      cpSync(join(ROOT, file), join(clone, file));
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--silent'], {
        cwd: clone,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).replace(/^[^[]*/, ''),
    ) as [{ files: { path: string }[] }];
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['dist/index.js', 'dist/index.d.ts']) expect(paths).toContain(path);
    // The command line and its pages are `wayzone-cli`.
    expect(paths.filter((path) => /^dist\/(cli|report)\//.test(path))).toEqual([]);
    // Source maps would refer to sources that are not packed.
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});

test('homepage and bugs of package.json have the address of the repository', () => {
  const { homepage, bugs, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    homepage: string;
    bugs: string;
    repository: { url: string };
  };
  const address = /^git\+(https:.+)\.git$/.exec(repository.url)?.[1];
  expect([homepage, bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
});

test('the command runs from wayzone-cli, which contains the example and the pages of reports', () => {
  const installed = installPacked(join(ROOT, 'src/cli'));
  const { folder } = installed;
  try {
    const main = join(folder, 'node_modules/wayzone-cli/bin.mjs');
    const given = { cwd: folder, encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, [main, '--help'], given)).toContain('Usage: wayzone');
    const dist = join(folder, 'node_modules/wayzone-cli/dist');
    const zones = join(dist, 'example/city-zones.geojson');
    expect(execFileSync(process.execPath, [main, 'measure', zones], given).split('\n').length).toBe(22);
    for (const name of ['reportMain.js', 'routeMain.js'])
      expect(existsSync(join(dist, 'report/client', name))).toBe(true);
  } finally {
    installed.remove();
  }
});
