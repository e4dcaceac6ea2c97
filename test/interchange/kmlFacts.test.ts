/** Fields of a KML file other than geometries become properties of a zone, group, track or document. Others are reported once, with counts. */

import { describe, expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, fromKml, fromKmz, toKml, toKmz } from '../../src/interchange/index.js';
import { emptyStyle, StyleTable } from '../../src/interchange/kml/kmlStyle.js';
import { errorOf } from '../errorOf.js';
import { kml } from './traps.js';

const POINT = '<Point><coordinates>1,2</coordinates></Point>';
const said = ({ issues }: ForeignData): string[] =>
  issues.map(({ code, severity, field }) => `${severity} ${code} ${field}`);

describe('documents', () => {
  const ABOUT =
    '<Document><name>Depots &amp; yards</name><open>1</open><atom:author><atom:name>Ann</atom:name></atom:author><description><![CDATA[<b>all</b>]]></description>' +
    '<LookAt><longitude>37</longitude><range>900</range></LookAt><ExtendedData><Data name="source"><value> x </value></Data><own:n>7</own:n></ExtendedData>' +
    `<Placemark><name>A</name>${POINT}</Placemark></Document>`;

  test('name, description, data and views are value.document', () => {
    const data = fromKml(kml(ABOUT));
    expect(data.value.document).toEqual({
      name: 'Depots & yards',
      properties: {
        'author.name': 'Ann',
        description: '<b>all</b>',
        'LookAt.longitude': '37',
        'LookAt.range': '900',
        source: ' x ',
        n: '7',
      },
    });
    expect(data.issues).toEqual([]);
    expect(fromKml(kml(`<Document><Placemark>${POINT}</Placemark></Document>`)).value).not.toHaveProperty(
      'document',
    );
  });

  test('survive a round trip through KML and KMZ', () => {
    const { value } = fromKml(kml(ABOUT));
    expect(fromKml(toKml(value)).value).toEqual(value);
    expect(fromKmz(toKmz(value)).value).toEqual(value);
    const odd = {
      name: 'n\u0001]]>',
      properties: { description: 5, list: [1, { a: null }], 'a\u0000': 'x\r' },
    };
    expect(fromKml(toKml([], { document: odd })).value.document).toEqual({ ...odd, name: 'n\uFFFD]]>' });
    expect(fromKml(toKml([], { document: odd, name: 'N' })).value.document?.name).toBe('N');
  });

  test('a Document inside another Document is a group', () => {
    const inner = `<Document><name>In</name><description>D</description><Placemark>${POINT}</Placemark></Document>`;
    expect(fromKml(kml(`<Document><name>Out</name>${inner}</Document>`)).value).toMatchObject({
      document: { name: 'Out' },
      groups: [{ name: 'In', properties: { description: 'D' }, geozones: [{ id: 'zone-1' }] }],
    });
  });

  test('a document of the wrong type throws a coded error', () => {
    const write = (document: unknown): unknown => errorOf(() => toKml([], { document: document as never }));
    expect(write(7)).toMatchObject({ code: 'option-value', field: 'document' });
    expect(write({ name: 7 })).toMatchObject({ code: 'option-value', field: 'document.name' });
    expect(write({ properties: [] })).toMatchObject({ code: 'option-value', field: 'document.properties' });
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(write({ properties: round })).toMatchObject({ code: 'cycle' });
  });
});

describe('Folders and Placemarks', () => {
  const FACTS =
    '<TimeSpan><begin>2020</begin><end>2021</end></TimeSpan><Region><LatLonAltBox><north>3</north></LatLonAltBox><Lod><minLodPixels>128</minLodPixels></Lod></Region>' +
    '<LookAt><range>900</range></LookAt>';
  const KEPT = {
    begin: '2020',
    end: '2021',
    'Region.LatLonAltBox.north': '3',
    'Region.Lod.minLodPixels': '128',
    'LookAt.range': '900',
  };

  test('times, regions and views become properties, and survive a round trip', () => {
    const file = kml(`<Folder><name>F</name>${FACTS}<Placemark>${FACTS}${POINT}</Placemark></Folder>`);
    const { value, issues } = fromKml(file);
    expect(value.groups).toMatchObject([{ name: 'F', properties: KEPT }]);
    expect(value.zones).toMatchObject([{ properties: KEPT }]);
    expect(issues).toEqual([]);
    expect(fromKml(toKml(value)).value).toEqual({ ...value, document: { name: 'Geozones' } });
  });

  test('altitude mode and extrusion become properties of the zone, unless they are the default', () => {
    const polygon = (more: string): string =>
      `<Placemark><Polygon>${more}<outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
    const high =
      '<extrude>1</extrude><tessellate>1</tessellate><altitudeMode>relativeToGround</altitudeMode>';
    const low = '<extrude>0</extrude><tessellate>1</tessellate><altitudeMode>clampToGround</altitudeMode>';
    expect(fromKml(kml(polygon(high))).value.zones).toMatchObject([
      { properties: { extrude: '1', altitudeMode: 'relativeToGround' } },
    ]);
    expect(fromKml(kml(polygon(low))).value.zones[0]).not.toHaveProperty('properties');
  });

  test('data that another program added to a file of wayzone is kept', () => {
    const zone = { id: 'a', name: 'A', type: { key: 'point' as const }, geometry: [[1, 2] as const] };
    const own = { ...zone, description: 'mine', properties: { 'LookAt.range': 'kept' } };
    const file = toKml([own]).replace('<ExtendedData>', '<LookAt><range>5</range></LookAt><ExtendedData>');
    expect(fromKml(file).value.zones).toEqual([
      { ...own, properties: { 'LookAt.range': 'kept', 'LookAt.range~2': '5' } },
    ]);
  });

  test('100,000 Data elements with the same name take linear time', () => {
    const data = '<Data name="n"><value>1</value></Data>'.repeat(100_000);
    const { value } = fromKml(kml(`<Placemark><ExtendedData>${data}</ExtendedData>${POINT}</Placemark>`));
    const { properties } = value.zones[0] as unknown as { readonly properties: object };
    expect(Object.keys(properties)).toHaveLength(100_000);
    expect(properties).toHaveProperty('n~100000');
  });
});

describe('styles', () => {
  const STYLE =
    '<LineStyle><color>7f0000ff</color><width>3.5</width></LineStyle><PolyStyle><color>ff00ff00</color><fill>0</fill></PolyStyle>' +
    '<IconStyle><scale>1.1</scale><Icon><href>http://example.org/pin.png</href></Icon><hotSpot x="0.5" y="0" xunits="fraction" yunits="fraction"/></IconStyle>';
  const KEPT = {
    'LineStyle.color': '7f0000ff',
    'LineStyle.width': '3.5',
    'PolyStyle.color': 'ff00ff00',
    'PolyStyle.fill': '0',
    'IconStyle.scale': '1.1',
    'IconStyle.Icon.href': 'http://example.org/pin.png',
    'IconStyle.hotSpot.x': '0.5',
    'IconStyle.hotSpot.y': '0',
    'IconStyle.hotSpot.xunits': 'fraction',
    'IconStyle.hotSpot.yunits': 'fraction',
  };

  test.each([
    ['of the Placemark', `<Placemark><Style>${STYLE}</Style>${POINT}</Placemark>`],
    ['shared', `<Style id="s">${STYLE}</Style><Placemark><styleUrl>#s</styleUrl>${POINT}</Placemark>`],
    [
      'shared, after its use',
      `<Placemark><styleUrl>#s</styleUrl>${POINT}</Placemark><Style id="s">${STYLE}</Style>`,
    ],
    [
      'of a StyleMap',
      `<StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap><Style id="s">${STYLE}</Style><Placemark><styleUrl>#m</styleUrl>${POINT}</Placemark>`,
    ],
    [
      'of a StyleMap of the Placemark',
      `<Placemark><StyleMap><Pair><key>normal</key><Style>${STYLE}</Style></Pair></StyleMap>${POINT}</Placemark>`,
    ],
    [
      'pointed to by a StyleMap of the Placemark',
      `<Style id="s">${STYLE}</Style><Placemark><StyleMap><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>${POINT}</Placemark>`,
    ],
  ])('%s: width, opacity, fill and icon are properties of the zone', (_, content) => {
    const { value, issues } = fromKml(kml(`<Document>${content}</Document>`));
    expect(value.zones).toMatchObject([{ color: { key: '#FF0000' }, properties: KEPT }]);
    expect(Object.keys((value.zones[0] as unknown as { properties: object }).properties).sort()).toEqual(
      Object.keys(KEPT).sort(),
    );
    expect(issues).toEqual([]);
    expect(fromKml(toKml(value)).value.zones).toEqual(value.zones);
  });

  test('an opaque line colour equal to the zone’s colour is not a property; a fill always is', () => {
    const plain = '<Style><LineStyle><color>ff0000ff</color></LineStyle></Style>';
    const [zone] = fromKml(kml(`<Placemark>${plain}${POINT}</Placemark>`)).value.zones;
    expect(zone).toMatchObject({ color: { key: '#FF0000' } });
    expect(zone).not.toHaveProperty('properties');
    const filled = plain.replace('</Style>', '<PolyStyle><color>ff0000ff</color></PolyStyle></Style>');
    const { zones } = fromKml(kml(`<Placemark>${filled}${POINT}</Placemark>`)).value;
    expect(zones).toMatchObject([
      { color: { key: '#FF0000' }, properties: { 'PolyStyle.color': 'ff0000ff' } },
    ]);
    expect(toKml(zones)).toContain('<PolyStyle><color>ff0000ff</color></PolyStyle>');
  });

  test('the inline style overrides the shared style part by part', () => {
    const shared =
      '<Style id="s"><LineStyle><width>1</width></LineStyle><LabelStyle><scale>2</scale></LabelStyle></Style>';
    const own = '<styleUrl>#s</styleUrl><Style><LineStyle><width>9</width></LineStyle></Style>';
    expect(
      fromKml(kml(`<Document>${shared}<Placemark>${own}${POINT}</Placemark></Document>`)).value.zones,
    ).toMatchObject([{ properties: { 'LineStyle.width': '9', 'LabelStyle.scale': '2' } }]);
  });

  test('highlights, lists and long texts are one issue with counts', () => {
    const content =
      '<Style id="s"><BalloonStyle><text>t</text></BalloonStyle><ListStyle><listItemType>check</listItemType></ListStyle>' +
      `<IconStyle><Icon><href>data:${'x'.repeat(20_000)}</href></Icon></IconStyle></Style>` +
      '<StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair><Pair><key>highlight</key><styleUrl>#h</styleUrl></Pair></StyleMap>';
    const data = fromKml(
      kml(`<Document>${content}<Placemark><styleUrl>#m</styleUrl>${POINT}</Placemark></Document>`),
    );
    expect(said(data)).toEqual(['warning kml-data Style']);
    expect(data.issues[0]!.message).toContain(
      'ListStyle.listItemType (1), IconStyle.Icon.href (1), StyleMap.highlight (1)',
    );
  });

  test('a chain of StyleMaps is followed once, even if many Placemarks share it', () => {
    const table = new StyleTable();
    const links = 100_000;
    for (let i = 0; i < links; i++) table.addMap(`m${i}`, `#m${i + 1}`);
    const end = emptyStyle();
    end.colors.set('LineStyle', 'ff0000ff');
    table.addStyle(`m${links}`, end);
    for (let i = 0; i < 2000; i++) expect(table.styleOf('#m0')).toBe(end);
    for (let i = 0; i < links; i += 7) expect(table.styleOf(`m${i}`)).toBe(end);
    expect(table.steps).toBe(links + 1);
    table.addMap('a', '#b');
    table.addMap('b', '#c');
    table.addMap('c', '#b');
    for (const id of ['a', 'b', 'c', 'a']) expect(table.styleOf(id)).toBeNull();
    expect(table.steps).toBe(links + 4);
  });

  test('2,000 Placemarks at 100,000 links', () => {
    const maps = Array.from(
      { length: 100_000 },
      (_, i) =>
        `<StyleMap id="m${i}"><Pair><key>normal</key><styleUrl>#m${i + 1}</styleUrl></Pair></StyleMap>`,
    ).join('');
    const placemark = `<Placemark><styleUrl>#m0</styleUrl>${POINT}</Placemark>`;
    const end = '<Style id="m100000"><LineStyle><color>ff0000ff</color></LineStyle></Style>';
    const { value } = fromKml(kml(`<Document>${maps}${end}${placemark.repeat(2000)}</Document>`));
    expect(value.zones.filter(({ color }) => color?.key === '#FF0000')).toHaveLength(2000);
  });
});

describe('Schemas and geometries outside Placemarks', () => {
  test.each(['2.0', '2.1'])('elements that a Schema of KML %s declares are Placemarks', (version) => {
    const file =
      `<kml xmlns="http://earth.google.com/kml/${version}"><Document><Schema name="Trail" parent="Placemark"><SimpleField name="Surface" type="string"/></Schema>` +
      '<Schema name="Path" parent="Trail"/><Schema name="Depot" parent="Folder"/>' +
      `<Depot><name>D</name><Trail><name>T</name><Surface>sand</Surface>${POINT}</Trail></Depot><Path>${POINT}</Path></Document></kml>`;
    const { value, issues } = fromKml(file);
    expect(value.zones).toMatchObject([{ name: 'T', properties: { Surface: 'sand' } }, { name: '' }]);
    expect(value.groups).toMatchObject([{ name: 'D', geozones: [{ id: 'zone-1' }] }]);
    expect(issues).toEqual([]);
  });

  test.each([
    ['Point', POINT],
    [
      'LineString',
      '<LineString><altitudeMode>absolute</altitudeMode><coordinates>1,2 3,4</coordinates></LineString>',
    ],
    [
      'Polygon',
      '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>',
    ],
    ['MultiGeometry', `<MultiGeometry>${POINT}</MultiGeometry>`],
  ])('a bare %s is read as a zone, with a warning', (name, geometry) => {
    for (const holder of ['Document', 'Folder', 'Trail']) {
      const data = fromKml(kml(`<Document><${holder}>${geometry}</${holder}></Document>`));
      expect(data.value.zones).toHaveLength(1);
      expect(said(data)).toEqual([`warning kml-unsupported ${name}`]);
    }
  });

  test('a bare gx:Track is read as a track, the point of a PhotoOverlay is not read', () => {
    const track = '<gx:Track><when>2020-01-01T00:00:00Z</when><gx:coord>1 2 3</gx:coord></gx:Track>';
    expect(fromKml(kml(`<Document>${track}</Document>`)).value.tracks[0]!.fixes).toHaveLength(1);
    const photo = fromKml(kml(`<Folder><PhotoOverlay><name>P</name>${POINT}</PhotoOverlay></Folder>`));
    expect(photo.value.zones).toEqual([]);
    expect(said(photo)).toEqual(['warning kml-unsupported PhotoOverlay']);
    expect(photo.value.groups).toEqual([{ id: 'group-1', name: '', geozones: [] }]);
  });

  test('a foreign root element is an error, a Feature as root a warning', () => {
    expect(said(fromKml('<html><body><p>Not found</p></body></html>'))).toEqual(['error kml-root ']);
    expect(said(fromKml('<gpx version="1.1"></gpx>'))).toEqual(['error kml-root ']);
    const bare = fromKml(`<Placemark><name>A</name>${POINT}</Placemark>`);
    expect(said(bare)).toEqual(['warning kml-root ']);
    expect(bare.value.zones).toHaveLength(1);
  });
});

describe('toKml of a reader’s value', () => {
  test('zones, groups, routes and tracks survive a round trip', () => {
    const route = {
      id: 'r',
      name: 'R',
      points: [{ name: 'p', type: { key: 'point' as const }, geometry: [[1, 2] as const] }],
    };
    const fixes = [
      { time: 1_577_836_800_000, lon: 1, lat: 2, altitudeMeters: -3.25, courseDegrees: 90 },
      { time: 1_577_836_800_123, lon: -179.5, lat: 2 },
    ];
    const zone = { id: 'a', name: 'A', type: { key: 'point' as const }, geometry: [[1, 2] as const] };
    const value = {
      zones: [zone],
      groups: [{ id: 'g', name: 'G', geozones: [{ id: 'a' }] }],
      routes: [route],
      tracks: [
        { name: 'n', unitId: 'u', fixes, properties: { a: '1' } },
        { name: '', unitId: '', fixes: fixes.slice(1) },
      ],
      document: { name: 'D' },
    };
    const back = fromKml(toKml(value));
    expect(back).toEqual({ value, issues: [] });
    expect(fromKml(toKml(back.value)).value).toEqual(value);
    expect(fromKml(toKml(value, { groups: [] })).value.groups).toEqual([]);
  });

  test('a fix with fields that gx:Track lacks throws a coded error', () => {
    const { value } = fromCsv('unit,time,lat,lon,speed_kph\na,2020-01-01T00:00:00Z,1,2,50\n');
    expect(errorOf(() => toKml(value))).toMatchObject({
      code: 'kml-fix',
      field: 'tracks[0].fixes[0].speedKph',
    });
    expect(errorOf(() => toKml({} as never))).toMatchObject({ code: 'source-type', field: 'zones' });
  });
});
