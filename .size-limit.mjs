/**
 * `npm run size`: what each subpath adds to a page, with all that it may load later, minified and gzipped. A limit is the size of 1.0.0 and a
 * tenth. A subpath without a limit is an error.
 */

import { readFileSync } from 'node:fs';

const LIMITS = {
  '.': '76 kB',
  './interchange': '346 kB',
  './listing': '4.3 kB',
  './parallel': '80 kB',
  './routing': '123 kB',
  './schemas': '60 kB',
  './tracks': '40 kB',
  './trips': '78 kB',
};

/** What the README tells bundlers for pages: these two packages have builds without Node's modules. */
const ALIASES = {
  xmlbuilder2: 'xmlbuilder2/lib/xmlbuilder2.min.js',
  'csv-parse': 'csv-parse/browser/esm',
};

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

export default [
  ...Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    if (LIMITS[subpath] === undefined) throw new Error(`expected a limit for ${subpath}`);
    return [checkOf(subpath.replace('.', 'wayzone'), target.default, LIMITS[subpath])];
  }),
  // Nothing of the rest comes along when one function is asked for.
  {
    ...checkOf("import { distanceMeters } from 'wayzone'", exports['.'].default, '12 kB'),
    import: '{ distanceMeters }',
  },
];

function checkOf(name, path, limit) {
  return {
    name,
    path,
    limit,
    gzip: true,
    // Threads are Node's own: `wayzone/parallel` is for no page, and Node's modules cost nothing there.
    ignore: ['node:*'],
    modifyEsbuildConfig: (config) => ({ ...config, format: 'esm', alias: ALIASES }),
  };
}
