import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const ROOT: string = resolve(import.meta.dirname, '../..');

/** A project with only one package, packed from its folder, and its declared dependencies installed. */
export function installPacked(source: string = ROOT): { folder: string; remove(): void } {
  const { name: packedName, dependencies } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as { name: string; dependencies: Record<string, string> };
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-packed-'));
  const modules = join(folder, 'node_modules');
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: source,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{}');
  mkdirSync(join(modules, packedName), { recursive: true });
  execFileSync('tar', [
    '-xzf',
    join(folder, packed.filename),
    '-C',
    join(modules, packedName),
    '--strip-components=1',
  ]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    const own = join(source, 'node_modules', name);
    symlinkSync(existsSync(own) ? own : join(ROOT, 'node_modules', name), join(modules, name), 'junction');
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
