import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './packed.js';

/** The manifests of the three packages that are published. */

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly url: string; readonly directory?: string };
  readonly engines: object;
  readonly files: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly publishConfig: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const library = manifestOf('.');
const cli = manifestOf('src/cli');
const host = manifestOf('host');

test('the library has at most ten dependencies, and none of the command line', () => {
  const names = Object.keys(library.dependencies);
  expect(names.length).toBeLessThanOrEqual(10);
  expect(names.filter((name) => /commander|progress|leaflet/.test(name))).toEqual([]);
});

test('wayzone-cli has the version of the library, whose code it contains, and the same versions of its packages', () => {
  expect(cli.version).toBe(library.version);
  expect(cli.dependencies).toMatchObject(library.dependencies);
  expect(cli.dependencies).not.toHaveProperty('wayzone');
});

test('wayzone-host depends on the version of the library beside it, by number', () => {
  expect(host.dependencies['wayzone']).toBe(library.version);
});

describe.each([
  ['.', library],
  ['src/cli', cli],
  ['host', host],
])('%s', (folder, manifest) => {
  test('is ready to be published', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: library.homepage,
      bugs: library.bugs,
      engines: library.engines,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.private).toBeUndefined();
    expect(manifest.repository.url).toBe(library.repository.url);
    expect(manifest.repository.directory ?? '.').toBe(folder);
    expect(manifest.files).toContain('dist');
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('has a README that says its name and licence, and the file of its command', () => {
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    expect(readme.startsWith(`# ${manifest.name}\n`)).toBe(true);
    expect(readme).toContain('MIT licence');
    for (const path of Object.values(manifest.bin ?? {}))
      expect(readFileSync(join(ROOT, folder, path), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
