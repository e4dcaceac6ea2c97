import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

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
    execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), out, { cwd: ROOT });
    for (const [name, limit] of [
      ['reportMain.js', 102_000],
      ['routeMain.js', 20_000],
    ] as const) {
      const bundled = readFileSync(join(folder, name), 'utf8');
      const built = readFileSync(join(ROOT, 'dist/report/client', name), 'utf8');
      expect([name, built === bundled, built.length < limit]).toEqual([name, true, true]);
      expect(built).not.toMatch(
        /sourceMappingURL|\brequire\(|https?:\/\/(?!www\.w3\.org\/2000\/svg|schemas\.openxmlformats\.org\/)/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
