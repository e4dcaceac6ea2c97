/** The licences of packages whose code is part of a built file. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** One text: for each package its name, version and licence, and the licence's text if the package has a file of it. */
export function licencesOf(names, from) {
  const { resolve } = createRequire(from);
  return names
    .map((name) => {
      const folder = resolve
        .paths(name)
        .map((path) => join(path, name))
        .find((path) => existsSync(join(path, 'package.json')));
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
      const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      return `${name} ${version}: ${license}\n${text}`;
    })
    .join('\n\n');
}

/** The packages of which a bundle contains files, from esbuild's metafile. */
export function packagesOf({ inputs }) {
  const names = Object.keys(inputs).flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}
