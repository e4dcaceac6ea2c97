/** Writes the table of speeds in docs/performance.md. Each figure comes from a cell of bench/RESULTS.md. */

import type { Results } from './results.js';

/** `peers` is null if no peer was measured. */
type Row = readonly [what: string, ours: string, peers: string | null];

const UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
] as const;

function time(ns: number): string {
  const [unit, size] = UNITS.find(([, least]) => ns >= least) ?? ['ns', 1];
  return `${figure(ns / size)} ${unit}`;
}

/** Two significant digits; all digits from 100 on. */
function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));
}

/** The table of docs/performance.md. */
export function speedTable(results: Results): string {
  return [
    'The column *Peers* says how many times slower each library was in the same run: 5.9 = 5.9 times slower than wayzone, 0.5 = twice as fast.',
    '',
    ...tableOf(speedRows(results)),
  ].join('\n');
}

function tableOf(rows: readonly Row[]): string[] {
  return [
    '| What | wayzone | Peers |',
    '|---|---|---|',
    ...rows.map(([what, ours, peers]) => `| ${what} | ${ours} | ${peers ?? ''} |`),
  ];
}

function speedRows(results: Results): Row[] {
  return [
    ...geodesyRows(results),
    ...zoneRows(results),
    ...corridorRows(results),
    ...trackRows(results),
    ...fileRows(results),
    ...jobRows(results),
    ...routingRows(results),
    ...startRows(results),
  ];
}

/** A row from a table of harness.ts: the time of the first contender, then the ratios of the named peers. */
function beside(
  { number }: Results,
  what: string,
  [section, table, first]: readonly [string, string, string],
  peers: readonly (readonly [row: string, shown: string])[],
  per = 1,
): Row {
  const shown = peers.map(
    ([row, name]) => `${name} ${figure(number(section, table, row, 'times the first'))}`,
  );
  return [what, time(number(section, table, first, 'ns') * per), shown.length > 0 ? shown.join(', ') : null];
}

function geodesyRows(results: Results): Row[] {
  const { number } = results;
  const ring = '10 km (a city)';
  const title = 'Area and perimeter of a ring';
  const times = (peer: string): string => figure(number('measure', title, ring, peer));
  return [
    beside(
      results,
      'Distance of positions 1 m to 100 km apart',
      ['distance', 'Distance of positions', 'wayzone'],
      [
        ['geographiclib-geodesic Inverse, distance', 'geographiclib'],
        ['Turf', 'Turf (sphere)'],
        ['cheap-ruler', 'cheap-ruler (plane)'],
      ],
    ),
    beside(
      results,
      'Destination 1 m to 100 km away',
      ['distance', 'Destination', 'wayzone'],
      [
        ['geographiclib', 'geographiclib'],
        ['Turf', 'Turf (sphere)'],
        ['cheap-ruler', 'cheap-ruler (plane)'],
      ],
    ),
    [
      'Area and perimeter of a city, per vertex',
      time(number('measure', title, ring, 'wayzone')),
      `geographiclib ${times('geographiclib')}, Turf (sphere) ${times('Turf')}, cheap-ruler (plane) ${times('cheap-ruler')}`,
    ],
    beside(
      results,
      'Validity of a zone of 40 vertices',
      ['validity', 'Validity: 10000 zones', 'wayzone'],
      [['jsts', 'JSTS']],
    ),
    [
      'Self-intersections of a ring of 100,000 vertices, a spiral',
      time(number('validity', 'Self-intersection: a spiral', 'wayzone', 'ns')),
      null,
    ],
  ];
}

const PEERS = ['flatbush + point-in-polygon-hao', 'rbush + Turf', 'which-polygon', 'GEOS C++'] as const;

function zoneRows({ number, text }: Results): Row[] {
  const lookup = (what: string, set: string, column: string, peers: readonly string[]): Row => {
    const of = (row: string): number => number('zones', `Zones of a position: ${set},`, row, column);
    const ours = of('wayzone `atMany`');
    return [what, time(ours), peers.map((peer) => `${peer} ${figure(of(peer) / ours)}`).join(', ')];
  };
  const title = 'Zones of a position: A100k,';
  const build = text('zones', title, 'wayzone `atMany`', 'build').split('+').map(Number);
  const buildMs = build[0]! + build[1]!;
  const ofGeos = (column: string): number => number('zones', title, 'GEOS C++', column);
  return [
    lookup('Zones of a random position, 1,000 zones', 'A1k', 'random, ns', PEERS),
    lookup('… 100,000 zones', 'A100k', 'random, ns', PEERS),
    lookup('… on a track', 'A100k', 'track, ns', PEERS),
    lookup('… 3,286 real counties', 'B', 'random, ns', PEERS),
    lookup('… 10,000 zones, 28 of them at each position', 'C', 'random, ns', PEERS),
    lookup('… 1,000,000 zones', 'A1M', 'random, ns', ['GEOS C++']),
    [
      'Index of 100,000 zones, ready for queries',
      time(build[0]! * 1e6),
      `GEOS C++ ${figure(ofGeos('build') / build[0]!)}`,
    ],
    [
      '… with all cells made (otherwise on demand)',
      time(buildMs * 1e6),
      `GEOS C++ ${figure(ofGeos('build') / buildMs)}`,
    ],
    moved(text('zones', 'Targets', 'zones moved at 100k', 'measured')),
  ];
}

/** A row from a cell such as `0.26 times (20251 against 5350 ns)`. */
function moved(cell: string): Row {
  const [, ours, peer] = /\((\d+) against (\d+) ns\)/.exec(cell) ?? [];
  if (peer === undefined) throw new Error(`expected a time against a time, received ${cell}`);
  return [
    'Moving a zone of 100,000',
    time(Number(ours)),
    `rbush, given the box ${figure(Number(peer) / Number(ours))}`,
  ];
}

function corridorRows({ number, text }: Results): Row[] {
  const title = 'Corridors: ms';
  return (
    [
      ['Corridor of a street of 3 vertices, 50 m wide', 'street of 3 vertices, w 50'],
      ['… of a route of 1,000 vertices, 50 m wide', 'route of 1,000 vertices, w 50'],
      ['… 1,000 m wide', 'route of 1,000 vertices, w 1000'],
      ['… of 10,000 vertices, 100 m wide', 'route of 10,000 vertices, w 100'],
      ['… of a walk of 100,000 vertices through a city grid, 30 m wide', 'city grid walk of 100,000'],
    ] as const
  ).map(([what, row]) => {
    const of = (column: string): number => number('corridor', title, row, column);
    const turf = text('corridor', title, row, 'Turf buffer') === '' ? null : of('Turf / wayzone');
    const peers = turf === null ? null : `Turf ${figure(turf)}, GEOS C++ ${figure(1 / of('wayzone / GEOS'))}`;
    return [what, time(of('wayzone') * 1e6), peers];
  });
}

function trackRows(results: Results): Row[] {
  const { number, section } = results;
  const stream = 'Visits in a stream: 100000 zones, interleaved fixes of 1000 units, each every';
  const visits = (seconds: number): Row => {
    const title = `${stream} ${seconds} s`;
    return [
      `Visits of 1,000 interleaved units in 100,000 zones, per fix (one every ${seconds} s)`,
      time(number('tracks', title, 'wayzone', 'ns a fix')),
      `a loop of rbush and Turf ${figure(number('tracks', title, 'rbush', 'times the first'))}`,
    ];
  };
  const day = /visits: ([\d.]+) s in all/.exec(section('trips'))?.[1];
  if (day === undefined) throw new Error('expected the time of a day of buses in the results');
  const idle = (row: string): string => number('trips', 'An idle unit', row, 'KiB').toFixed(1);
  return [
    visits(30),
    visits(10),
    ['Memory of an idle unit', `${idle('VisitTracker, in no')} to ${idle('VisitTracker, in one')} KiB`, null],
    [
      'A day of 158 buses, from its gz files to the visits in 1,000 zones, cold',
      `${figure(Number(day))} s`,
      null,
    ],
    [
      'Trips and parkings, per fix',
      `${time(number('trips', 'detectTrips', 'steady', 'ns'))} to ${time(number('trips', 'detectTrips', 'every trap', 'ns'))}`,
      null,
    ],
    [
      '`evaluateTrip`, 20 points and 200 visits',
      `${time(number('trips', 'evaluateTrip', 'arbitrary, 20', 'ns'))} to ${time(number('trips', 'evaluateTrip', 'strict, 3', 'ns'))}`,
      null,
    ],
    beside(
      results,
      'A local time of a zone',
      ['trips', 'Local times', 'wayzone'],
      [['temporal-polyfill', 'temporal-polyfill']],
    ),
    [
      '`replay` of an archive, per fix; with two threads',
      `${time(number('trips', 'An archive', 'replay, 1 worker', 'ns'))}; ${time(number('trips', 'An archive', '2 workers', 'ns'))}`,
      null,
    ],
  ];
}

function fileRows(results: Results): Row[] {
  const { number } = results;
  const written = 'Zones written as KML text';
  const times = (row: string): string => figure(number('interchange', written, row, 'times the first'));
  const streams = 'Streams: processor seconds';
  const read = (row: string): string =>
    `${time(number('interchange', streams, row, 's') * 1e9)} in ${number('interchange', streams, row, 'MB')} MB of memory`;
  const listing = 'Listing: 100,000 zones, all';
  return [
    [
      '100,000 zones as KML, styles and every field',
      time(number('interchange', written, 'toKml', 's') * 1e9),
      `@placemarkio/tokml ${times('@placemarkio')}, xmlbuilder2 ${times('xmlbuilder2')}`,
    ],
    ['50 MB of KML read as a stream', read('readKml, 50 MB'), null],
    ['50 MB of GPX', read('readGpx, 50 MB'), null],
    [
      '100,000 zones listed, sorted in the user’s alphabet',
      time(number('listing', listing, 'filterGeozones', 'ns') * 1e5),
      `Intl.Collator alone ${figure(number('listing', listing, 'the same by', 'times the first'))}`,
    ],
    [
      'A geozone of 40 vertices validated, self-intersections included',
      time(number('schemas', 'Validation', 'validateGeozone', 'ns')),
      null,
    ],
  ];
}

/** Whole processes, from files on disk to the last byte printed. */
function jobRows({ number }: Results): Row[] {
  const job = (table: string, row: string): string =>
    `${time(number('jobs', table, row, 'processor s') * 1e9)}, ${number('jobs', table, row, 'greatest memory, MB')} MB`;
  const most = '1,000,000 fixes × 100,000 zones';
  return [
    [
      '`locate`, 1,000,000 fixes of CSV × 100,000 zones of GeoJSON, the whole process',
      job('Zones of positions', `${most}, spread: \`wayzone locate\``),
      null,
    ],
    ['`visits` likewise', job('Visits and movement', `${most}: \`visits\``), null],
    ['`movement` of 1,000,000 fixes', job('Visits and movement', '1,000,000 fixes: `movement`'), null],
    [
      '1,000,000 rows of CSV read as columns, the start of Node included',
      job('Reading in the library', '`readCsv`, 1,000,000 rows, 6 decimals, ISO times: columns'),
      null,
    ],
  ];
}

function routingRows(results: Results): Row[] {
  const { number } = results;
  const exact = (row: string): string => time(number('routing', 'Routing: the best order', row, 'ms') * 1e6);
  return [
    ['The best order of 10 points, proven; of 12', `${exact('10 points')}; ${exact('12 points')}`, null],
    beside(
      results,
      'Decoding polyline6, per position',
      ['routing', 'Routing: decoding', 'decodePolyline'],
      [['@mapbox/polyline', '@mapbox/polyline']],
    ),
  ];
}

function startRows({ number, section }: Results): Row[] {
  const title = 'Starting:';
  const ms = (row: string): string => time(number('start', title, row, 'ms') * 1e6);
  const task = (row: string): string =>
    time(number('page', 'The report in Chromium', row, 'longest task') * 1e6);
  const empty = /empty Node, which takes (\d+) ms/.exec(section('start'))?.[1];
  if (empty === undefined) throw new Error('expected the time of an empty Node in the results');
  return [
    [
      `\`import 'wayzone'\`; \`wayzone/schemas\`, \`wayzone/interchange\`; over an empty Node, which takes ${empty} ms`,
      `${ms("`import 'wayzone'`")}; ${ms("`import 'wayzone/schemas'`")}, ${ms("`import 'wayzone/interchange'`")}`,
      null,
    ],
    ['`wayzone --version`, over an empty Node', ms('`wayzone --version`'), null],
    [
      'The report’s page, 500 zones and 50 vehicles of a day, in Chromium: the longest task while it is dragged; zoomed in; zoomed out',
      [
        '… desktop, 1280 × 900: dragged',
        '… desktop, 1280 × 900: zoomed in',
        '… desktop, 1280 × 900: zoomed out',
      ]
        .map(task)
        .join('; '),
      null,
    ],
  ];
}
