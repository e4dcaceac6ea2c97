import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const ROOT: string = resolve(import.meta.dirname, '../..');

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** A project with only the packed wayzone and its declared dependencies installed. */
export function installPacked(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-packed-'));
  const modules = join(folder, 'node_modules');
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{}');
  mkdirSync(join(modules, 'wayzone'), { recursive: true });
  execFileSync('tar', [
    '-xzf',
    join(folder, packed.filename),
    '-C',
    join(modules, 'wayzone'),
    '--strip-components=1',
  ]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Import specifiers of all subpaths. */
export const SUBPATHS: readonly string[] = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: Record<string, unknown> })
    .exports,
)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace(/^\./, 'wayzone'));
