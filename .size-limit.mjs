/**
 * `npm run size`: what each subpath adds to a page, with all that it may load later, minified and gzipped. A limit is the size of 1.0.0 and a
 * tenth; since then Parquet came to `interchange`, times and shared clocks to `listing`, and the zone index, which trackers ask, to `tracks`,
 * predictions and sentences to `trips`, and cells of edges and clean crossings to the index in `.` and `parallel`; TypeBox left `schemas`, xmlbuilder2
 * `interchange`; the reader of shapes, which now gives all errors too, came to `routing`. In 2026-11 all of them got a check of option names, `.` and what asks
 * the index a search for nearest zones in its lists and one exact cutter, corridors their spot check, tracks the reasons for rejected fixes
 * and the rules of jams and frozen positions (with `parallel` and `trips`), trips the new judgement and the changes of runs, and outlines (`.` and `routing`) the even-odd rule of rings that cross themselves;
 * `schemas` got the 55 custom fields of units;
 * the meter, ledger, speeding, routes and meetings came to `tracks`, measured visits to `parallel`;
 * the members of the index that tiles read came to `.`; amendments and hand-overs of runs to `trips`, `parallel` and `schemas`, both ways of a drive-by to `trips` and `parallel`; one cutter of GeoJSON, with its own syntax errors, to `.` and `routing`;
 * trees over the edges of borders and lines came to `.`, `routing` and `schemas`; the description of tables, workbooks and logs to `interchange`; speeding, routes and many units in memory to `operator`. EPSG codes by
 * name (loaded when one is asked for), the comparison of shifts and text encoded twice came to `interchange`, and labels of dictionary entries to `listing`; the search for stays and its issues, by which trips are found, then in blocks of steps with distances of their own, to `operator` and `parallel`. In 2026-11
 * the command line became a package of its own: `schemas` has the same code (153,724 bytes minified, before 153,720) in another order, gzipped 0.2 kB more. Rests by
 * the rules of parkings came to `trips` and `parallel`; halves of times, pairs in a cell, OwnTracks and zones of times in Parquet to `interchange`; bounds of what shared
 * stays may serve, and the mid-latitude formula of steps, to `trips`, `operator` and `parallel`. Rests that noise hides
 * and lists of a snapshot's visits came to `trips` and `operator`. A subpath without a limit is an error.
 */

import { readFileSync } from 'node:fs';

const LIMITS = {
  '.': '95 kB',
  './algebra': '90 kB',
  './hours': '8 kB',
  './interchange': '437 kB',
  './listing': '8 kB',
  './operator': '142.5 kB',
  './parallel': '121.5 kB',
  './routing': '150 kB',
  './schemas': '57.3 kB',
  './tiles': '105 kB',
  './tracks': '110 kB',
  './trips': '121.5 kB',
};

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

export default [
  ...Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    if (LIMITS[subpath] === undefined) throw new Error(`expected a limit for ${subpath}`);
    return [checkOf(subpath.replace('.', 'wayzone'), target.default, LIMITS[subpath])];
  }),
  // Nothing of the rest comes along when one name is asked for.
  {
    ...checkOf("import { distanceMeters } from 'wayzone'", exports['.'].default, '12 kB'),
    import: '{ distanceMeters }',
  },
  {
    ...checkOf("import { FixSchema } from 'wayzone/schemas'", exports['./schemas'].default, '1 kB'),
    import: '{ FixSchema }',
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
    modifyEsbuildConfig: (config) => ({ ...config, format: 'esm' }),
  };
}
