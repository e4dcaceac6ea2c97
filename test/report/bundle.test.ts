import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packagesOf } from '../../src/licences.mjs';

/** The pages contain the scripts that `npm run build` bundled. They must match the present sources. */

const ROOT = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { pages: string };
};

test('the scripts in dist match the present sources and are small', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-bundle-'));
  try {
    const [command, ...args] = scripts.pages.split(' ');
    expect(command).toBe('esbuild');
    const out = args.map((arg) => (arg.startsWith('--outdir=') ? `--outdir=${folder}` : arg));
    expect(out).not.toEqual(args);
    const metafile = join(folder, 'meta.json');
    execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [...out, `--metafile=${metafile}`], { cwd: ROOT });
    const licences = readFileSync(join(ROOT, 'src/cli/dist/licences.txt'), 'utf8');
    const packages = packagesOf(JSON.parse(readFileSync(metafile, 'utf8')));
    expect(packages).not.toEqual([]);
    for (const name of packages) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    for (const [name, limit] of [
      ['reportMain.js', 102_000],
      ['routeMain.js', 20_000],
    ] as const) {
      const bundled = readFileSync(join(folder, name), 'utf8');
      const built = readFileSync(join(ROOT, 'src/cli/dist/report/client', name), 'utf8');
      expect([name, built === bundled, built.length < limit]).toEqual([name, true, true]);
      expect(built).not.toMatch(
        /sourceMappingURL|\brequire\(|https?:\/\/(?!www\.w3\.org\/2000\/svg|schemas\.openxmlformats\.org\/)/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
