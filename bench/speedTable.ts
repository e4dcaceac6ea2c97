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
    'The last column divides the time of each library by the time of wayzone in the same run. 5.9 means 5.9 times slower than wayzone; 0.5 means twice as fast.',
    '',
    ...tableOf(speedRows(results)),
  ].join('\n');
}

function tableOf(rows: readonly Row[]): string[] {
  return [
    '| Work | wayzone | Other libraries |',
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
      'Self-intersections of a spiral ring of 100,000 vertices',
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
    lookup('Zones of a random position, 100,000 zones', 'A100k', 'random, ns', PEERS),
    lookup('Zones of a position on a track, 100,000 zones', 'A100k', 'track, ns', PEERS),
    lookup('Zones of a random position, 3,286 real counties', 'B', 'random, ns', PEERS),
    lookup('Zones of a random position, 10,000 zones, 28 of them at each position', 'C', 'random, ns', PEERS),
    lookup('Zones of a random position, 1,000,000 zones', 'A1M', 'random, ns', ['GEOS C++']),
    [
      'Building an index of 100,000 zones; cells are made on demand',
      time(build[0]! * 1e6),
      `GEOS C++ ${figure(ofGeos('build') / build[0]!)}`,
    ],
    [
      'Building an index of 100,000 zones with all cells',
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
    'Moving one zone in an index of 100,000 zones',
    time(Number(ours)),
    `rbush, given the box ${figure(Number(peer) / Number(ours))}`,
  ];
}

function corridorRows({ number, text }: Results): Row[] {
  const title = 'Corridors: ms';
  return (
    [
      ['Corridor of a street of 3 vertices, 50 m wide', 'street of 3 vertices, w 50'],
      ['Corridor of a route of 1,000 vertices, 50 m wide', 'route of 1,000 vertices, w 50'],
      ['Corridor of a route of 1,000 vertices, 1,000 m wide', 'route of 1,000 vertices, w 1000'],
      ['Corridor of a route of 10,000 vertices, 100 m wide', 'route of 10,000 vertices, w 100'],
      ['Corridor of a walk of 100,000 vertices through a city grid, 30 m wide', 'city grid walk of 100,000'],
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
      'A day of 158 buses, from compressed files to the visits in 1,000 zones, in a new process',
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
      'Local time of an instant in a time zone',
      ['trips', 'Local times', 'wayzone'],
      [['temporal-polyfill', 'temporal-polyfill']],
    ),
    [
      '`replay` of an archive, per fix, one thread',
      time(number('trips', 'An archive', 'replay, 1 worker', 'ns')),
      null,
    ],
    [
      '`replay` of an archive, per fix, two threads',
      time(number('trips', 'An archive', '2 workers', 'ns')),
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
      'Writing 100,000 zones as KML, with styles and every field',
      time(number('interchange', written, 'toKml', 's') * 1e9),
      `@placemarkio/tokml ${times('@placemarkio')}, xmlbuilder2 ${times('xmlbuilder2')}`,
    ],
    ['Reading 50 MB of KML as a stream', read('readKml, 50 MB'), null],
    ['Reading 50 MB of GPX as a stream', read('readGpx, 50 MB'), null],
    [
      'Filtering 100,000 zones and sorting them in the user’s alphabet',
      time(number('listing', listing, 'filterGeozones', 'ns') * 1e5),
      `Intl.Collator alone ${figure(number('listing', listing, 'the same by', 'times the first'))}`,
    ],
    [
      'Validating a geozone of 40 vertices, self-intersections included',
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
      'Command `locate`, 1,000,000 fixes of CSV in 100,000 zones of GeoJSON',
      job('Zones of positions', `${most}, spread: \`wayzone locate\``),
      null,
    ],
    [
      'Command `visits`, 1,000,000 fixes of CSV in 100,000 zones of GeoJSON',
      job('Visits and movement', `${most}: \`visits\``),
      null,
    ],
    [
      'Command `movement`, 1,000,000 fixes of CSV',
      job('Visits and movement', '1,000,000 fixes: `movement`'),
      null,
    ],
    [
      'Reading 1,000,000 rows of CSV as columns, the start of Node included',
      job('Reading in the library', '`readCsv`, 1,000,000 rows, 6 decimals, ISO times: columns'),
      null,
    ],
  ];
}

function routingRows(results: Results): Row[] {
  const { number } = results;
  const exact = (row: string): string => time(number('routing', 'Routing: the best order', row, 'ms') * 1e6);
  return [
    ['The proven best order of 10 points', exact('10 points'), null],
    ['The proven best order of 12 points', exact('12 points'), null],
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
  const over = `over an empty Node, which takes ${empty} ms`;
  const imports = ['wayzone', 'wayzone/schemas', 'wayzone/interchange'].map((name): Row => {
    const row = `\`import '${name}'\``;
    return [`${row}, ${over}`, ms(row), null];
  });
  const tasks = ['dragged', 'zoomed in', 'zoomed out'].map((how): Row => {
    const what = `The report’s page in Chromium, 500 zones and a day of 50 vehicles: longest task while it is ${how}`;
    return [what, task(`… desktop, 1280 × 900: ${how}`), null];
  });
  return [...imports, [`\`wayzone --version\`, ${over}`, ms('`wayzone --version`'), null], ...tasks];
}
