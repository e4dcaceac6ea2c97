import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

const PROGRAM = `
      import { ZoneIndex } from 'wayzone';
      import { locateParallel, replay } from 'wayzone/parallel';
      const zones = new ZoneIndex([{ id: 'a', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
      const fixes = [37.58, 37.6, 37.62].map((lon, i) => ({ time: 1_772_438_400_000 + i * 60_000, lon, lat: 55.7 }));
      const positions = new Float64Array(200_000).map((_, i) => (i % 2 === 0 ? 37.6 : 55.7));
      const located = await locateParallel(zones, positions, { workers: 2 });
      let visits = 0;
      for await (const unit of replay([{ unitId: 'u', fixes }], { index: zones, workers: 1 })) {
        if (unit.errors.length > 0) throw new Error(unit.errors[0].message);
        visits += unit.visits.length;
      }
      console.log(visits, located.offsets.length);`;

/** Threads inherit the options of the caller's Node. Node rejects some of them for a thread of a file. */
test.each([
  ['--input-type=module'],
  ['--input-type', 'module'],
  ['--max-old-space-size=2000', '--no-warnings', '--input-type=module'],
])('threads start in a program given on the command line (%s)', (...options) => {
  expect(execFileSync(process.execPath, [...options, '-e', PROGRAM], { cwd: ROOT, encoding: 'utf8' })).toBe(
    '1 100001\n',
  );
});

test('threads start in a process with V8 options', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'wayzone-threads-')), 'program.mjs');
  const at = (subpath: string): string => pathToFileURL(join(ROOT, 'dist', subpath)).href;
  writeFileSync(
    file,
    PROGRAM.replace("'wayzone'", `'${at('index.js')}'`).replace(
      "'wayzone/parallel'",
      `'${at('parallel/index.js')}'`,
    ),
  );
  expect(execFileSync(process.execPath, ['--max-old-space-size=2000', file], { encoding: 'utf8' })).toBe(
    '1 100001\n',
  );
});
