/** Elements in the wrong place or case are read where it is clear what they are, and said in every case. */

import { describe, expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { fromGeoJson, fromGpx, fromKml } from '../../src/interchange/index.js';

const codes = ({ issues }: ForeignData): string[] => [
  ...new Set(issues.map(({ code, severity }) => `${severity} ${code}`)),
];
const fix = (x: number): string => `<trkpt lat="1" lon="${x}"><time>2026-01-01T00:0${x}:00Z</time></trkpt>`;

test.each([
  ['a segment in gpx', `<trkseg>${fix(1)}${fix(2)}</trkseg>`],
  ['points in gpx', fix(1) + fix(2)],
  ['a wrapper', `<tracks><trk><name>v</name><trkseg>${fix(1)}${fix(2)}</trkseg></trk></tracks>`],
  [
    'route points in a segment',
    `<trk><trkseg>${(fix(1) + fix(2)).replaceAll('trkpt', 'rtept')}</trkseg></trk>`,
  ],
])('GPX with %s is a track', (_, body) => {
  const data = fromGpx(`<gpx version="1.1">${body}</gpx>`);
  expect(data.value.tracks.map(({ fixes }) => fixes.map(({ lon }) => lon))).toEqual([[1, 2]]);
  expect(codes(data)).toEqual(['warning element-misplaced']);
});

test.each([
  ['track points in a route', '<rte><name>R</name><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></rte>'],
  ['waypoints in a route', '<rte><name>R</name><wpt lat="1" lon="2"/><wpt lat="1" lon="3"/></rte>'],
  ['route points in gpx', '<rtept lat="1" lon="2"/><rtept lat="1" lon="3"/>'],
])('GPX with %s is a route', (_, body) => {
  const data = fromGpx(`<gpx version="1.1">${body}</gpx>`);
  expect(data.value.routes[0]?.points).toHaveLength(2);
  expect(codes(data)).toEqual(['warning element-misplaced']);
  const lines = fromGpx(`<gpx version="1.1">${body}</gpx>`, { as: 'lines' });
  expect(lines.value.zones[0]?.geometry).toEqual([
    [2, 1],
    [3, 1],
  ]);
});

test('loose points before a track are a track of their own, and waypoints stay waypoints', () => {
  const data = fromGpx(
    `<gpx version="1.1">${fix(1)}<wpt lat="5" lon="5"/><trk><name>v</name><trkseg>${fix(2)}</trkseg></trk></gpx>`,
  );
  expect(data.value.tracks.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([
    ['track-1', 1],
    ['v', 1],
  ]);
  expect(data.value.zones).toHaveLength(1);
});

test.each([
  ['lower case', (text: string) => text.toLowerCase()],
  ['upper case', (text: string) => text.toUpperCase()],
])('KML and GPX in %s', (_, turned) => {
  const kml = fromKml(
    turned(
      '<kml><Document><Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>',
    ),
  );
  expect(kml.value.zones.map(({ geometry }) => geometry)).toEqual([[[1, 2]]]);
  expect(codes(kml)).toEqual(['warning element-case']);
  const gpx = fromGpx(turned(`<gpx><trk><trkseg>${fix(1)}${fix(2)}</trkseg></trk></gpx>`));
  expect(gpx.value.tracks[0]?.fixes).toHaveLength(2);
});

test('an element of another case is said once for its name', () => {
  const place = '<placemark><Point><coordinates>1,2</coordinates></Point></placemark>';
  expect(fromKml(`<kml><Document>${place.repeat(5)}</Document></kml>`).issues).toHaveLength(1);
});

const RING = '<coordinates>0,0 1,0 1,1 0,0</coordinates>';

test.each([
  [
    'a boundary without a ring',
    `<Polygon><outerBoundaryIs>${RING}</outerBoundaryIs></Polygon>`,
    1,
    'warning',
  ],
  ['a geometry without its element', RING, 0, 'error'],
  ['coordinates in a MultiGeometry', `<MultiGeometry>${RING}</MultiGeometry>`, 0, 'error'],
])('KML with %s', (_, body, zones, severity) => {
  const data = fromKml(`<kml><Placemark>${body}</Placemark></kml>`);
  expect(data.value.zones).toHaveLength(zones);
  expect(codes(data)).toContain(`${severity} element-misplaced`);
});

test('a Placemark in a Placemark is said', () => {
  const inner = '<Placemark><name>b</name><Point><coordinates>3,4</coordinates></Point></Placemark>';
  const data = fromKml(`<kml><Placemark><name>a</name>${inner}</Placemark></kml>`);
  expect(codes(data)).toContain('warning element-misplaced');
});

test('the road between route points of Garmin is the line of the route', () => {
  const rpt =
    '<extensions><x:RoutePointExtension><x:rpt lat="53.05" lon="7.2"/><x:rpt lat="53.1" lon="7.3"/></x:RoutePointExtension></extensions>';
  const text = `<gpx version="1.1" xmlns:x="x"><rte><rtept lat="53" lon="7">${rpt}</rtept><rtept lat="53" lon="7.5"/></rte></gpx>`;
  const data = fromGpx(text, { as: 'lines' });
  expect(data.value.zones[0]?.geometry).toEqual([
    [7, 53],
    [7.2, 53.05],
    [7.3, 53.1],
    [7.5, 53],
  ]);
  expect(data.issues).toEqual([]);
});

test.each([
  [
    'a box round the world',
    [
      [-170, -60],
      [170, -60],
      [170, 80],
      [-170, 80],
      [-170, -60],
    ],
    true,
  ],
  [
    'a box of half the world',
    [
      [-100, -60],
      [100, -60],
      [100, 80],
      [-100, 80],
      [-100, -60],
    ],
    true,
  ],
  [
    'a depot at 180°',
    [
      [179.9, 0],
      [-179.9, 0],
      [-179.9, 1],
      [179.9, 1],
      [179.9, 0],
    ],
    false,
  ],
  [
    'a country',
    [
      [10, 0],
      [20, 0],
      [20, 1],
      [10, 0],
    ],
    false,
  ],
])('%s: edges over 180°', (_, ring, isSaid) => {
  const polygon = { type: 'Polygon', coordinates: [ring] };
  const feature = { type: 'Feature', properties: {}, geometry: polygon };
  for (const input of [feature, JSON.stringify({ type: 'FeatureCollection', features: [feature] })])
    expect(codes(fromGeoJson(input))).toEqual(isSaid ? ['warning edge-short-way'] : []);
});

const COORDINATES = '<coordinates>0,0 1,0 1,1 0,0</coordinates>';
const TIME = '<time>2026-01-01T00:00:00Z</time>';
const POINT = '<Point><coordinates>1,2</coordinates></Point>';
const TRACK = '<when>2026-01-01T00:00:00Z</when><gx:coord>1 2 0</gx:coord>';

/** Elements with positions, times and names: their own content, and the parents that the format allows, the first of them for the test. */
const ELEMENTS: Readonly<
  Record<'gpx' | 'kml', Readonly<Record<string, readonly [content: string, allowed: string]>>>
> = {
  gpx: {
    gpx: ['<wpt lat="1" lon="2"/>', ''],
    trk: [`<trkseg><trkpt lat="1" lon="2">${TIME}</trkpt></trkseg>`, 'gpx'],
    trkseg: [`<trkpt lat="1" lon="2">${TIME}</trkpt>`, 'trk'],
    trkpt: [TIME, 'trkseg'],
    rte: ['<rtept lat="1" lon="2"/>', 'gpx'],
    rtept: ['', 'rte'],
    wpt: ['', 'gpx'],
  },
  kml: {
    kml: ['', ''],
    Document: ['', 'kml Document Folder'],
    Folder: ['', 'kml Document Folder'],
    Placemark: [POINT, 'kml Document Folder'],
    MultiGeometry: [POINT, 'Placemark MultiGeometry'],
    Point: ['<coordinates>1,2</coordinates>', 'Placemark MultiGeometry'],
    LineString: [COORDINATES, 'Placemark MultiGeometry'],
    LinearRing: [COORDINATES, 'Placemark MultiGeometry outerBoundaryIs innerBoundaryIs'],
    Polygon: [
      `<outerBoundaryIs><LinearRing>${COORDINATES}</LinearRing></outerBoundaryIs>`,
      'Placemark MultiGeometry',
    ],
    outerBoundaryIs: [`<LinearRing>${COORDINATES}</LinearRing>`, 'Polygon'],
    innerBoundaryIs: [`<LinearRing>${COORDINATES}</LinearRing>`, 'Polygon'],
    coordinates: ['0,0 1,0 1,1 0,0', 'LineString Point LinearRing'],
    'gx:Track': [TRACK, 'Placemark MultiGeometry gx:MultiTrack'],
    'gx:MultiTrack': [`<gx:Track>${TRACK}</gx:Track>`, 'Placemark MultiGeometry'],
    when: ['2026-01-01T00:00:00Z', 'gx:Track'],
    'gx:coord': ['1 2 0', 'gx:Track'],
    name: ['a', 'Placemark Document Folder'],
  },
};

describe.each([
  ['gpx', fromGpx],
  ['kml', fromKml],
] as const)('every pair of a parent and an element of %s', (format, read) => {
  const of = ELEMENTS[format];
  const tagged = (name: string, inner: string): string =>
    `<${name}${name.endsWith('pt') ? ' lat="1" lon="2"' : ''}>${inner}</${name}>`;
  /** An element with its own content and `more`, in parents that are allowed. */
  const within = (name: string, more: string): string => {
    let text = tagged(name, of[name]![0] + more);
    for (let at = name; of[at]![1] !== ''; ) {
      at = of[at]![1].split(' ')[0]!;
      text = tagged(at, text);
    }
    return text;
  };
  const names = Object.keys(of);
  test.each(names.flatMap((parent) => names.map((child) => [child, parent] as const)))(
    '%s in %s is said unless it is allowed',
    (child, parent) => {
      const isAllowed = of[child]![1].split(' ').includes(parent);
      const { issues } = read(within(parent, tagged(child, of[child]![0])));
      const [one, other] = [child.replace('gx:', ''), parent.replace('gx:', '')];
      const said = issues.filter(({ message }) => /received (?:it|them|a \w+) in /.test(message));
      if (isAllowed) expect(said).toEqual([]);
      else {
        const named = said.filter(
          ({ message }) => message.includes(one) && message.includes(` in ${other};`),
        );
        expect(named, JSON.stringify(issues)).not.toEqual([]);
      }
    },
  );
});
