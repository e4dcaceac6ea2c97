import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fromGpx } from '../../src/interchange/index.js';
import { errorOf } from '../errorOf.js';
import { needs, sharedData } from '../needs.js';
import { wkt } from '../wkt.js';
import { dataFiles } from './realData.js';

function gpx(inner: string): string {
  return `<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n${inner}</gpx>`;
}

function trkpt(attributes: string, inner = '<time>2020-01-01T00:00:00Z</time>'): string {
  return gpx(`<trk><trkseg><trkpt ${attributes}>${inner}</trkpt></trkseg></trk>`);
}

describe('fromGpx', () => {
  test('segments of a track are joined; speed in m/s becomes km/h', () => {
    const point = (second: number, more: string): string =>
      `<trkpt lat="1" lon="2"><ele>7</ele><time>2020-01-01T00:00:0${second}Z</time>${more}</trkpt>`;
    const extension =
      '<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>20</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>';
    const { value, issues } = fromGpx(
      gpx(
        `<trk><name>Bus</name><trkseg>${point(0, '<sat>5</sat><speed>10</speed>')}</trkseg><trkseg>${point(1, extension)}</trkseg></trk>`,
      ),
    );
    const time = Date.UTC(2020, 0, 1);
    expect(value.tracks).toEqual([
      {
        name: 'Bus',
        unitId: 'Bus',
        fixes: [
          { time, lon: 2, lat: 1, altitudeMeters: 7, speedKph: 36, satellites: 5 },
          { time: time + 1000, lon: 2, lat: 1, altitudeMeters: 7, speedKph: 72 },
        ],
      },
    ]);
    expect(issues).toEqual([]);
  });

  test('accuracy, course and validity are read from the point and its extensions, of GPX 1.0 and 1.1', () => {
    const file = gpx(
      `<trk><trkseg>
      <trkpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time><course>90</course><speed>1</speed><fix>3d</fix><sat>7</sat><hdop>1.5</hdop></trkpt>
      <trkpt lat="1" lon="2"><time>2020-01-01T00:00:01Z</time><fix>none</fix><extensions><o:speed>2</o:speed><o:bearing>45.5</o:bearing><o:sat>9</o:sat><o:hdop>2</o:hdop></extensions></trkpt>
      <trkpt lat="1" lon="2"><time>2020-01-01T00:00:02Z</time><hdop>3</hdop><extensions><accuracy>4.5</accuracy><x><speed>3</speed></x><speed>99</speed></extensions></trkpt>
      <trkpt lat="1" lon="2"><time>2020-01-01T00:00:03Z</time><hdop>-1</hdop><extensions><speed>fast</speed></extensions></trkpt>
      </trkseg></trk>`,
    );
    const time = Date.UTC(2020, 0, 1);
    const place = { lon: 2, lat: 1 };
    const { value, issues } = fromGpx(file);
    expect(value.tracks[0]?.fixes).toEqual([
      { time, ...place, speedKph: 3.6, courseDegrees: 90, satellites: 7, accuracyMeters: 7.5 },
      {
        time: time + 1000,
        ...place,
        speedKph: 7.2,
        courseDegrees: 45.5,
        satellites: 9,
        accuracyMeters: 10,
        valid: false,
      },
      { time: time + 2000, ...place, speedKph: 3 * 3.6, accuracyMeters: 4.5 },
      { time: time + 3000, ...place },
    ]);
    expect(issues.map(({ code, field }) => [code, field])).toEqual([
      ['number-invalid', 'trk[0].trkseg[0].trkpt[3].speed'],
      ['number-invalid', 'trk[0].trkseg[0].trkpt[3].hdop'],
    ]);
    const [first] = fromGpx(file, { metersPerHdop: 4 }).value.tracks[0]!.fixes;
    expect(first?.accuracyMeters).toBe(6);
    const accuracies = fromGpx(file, { metersPerHdop: 0 }).value.tracks[0]!.fixes.map(
      ({ accuracyMeters }) => accuracyMeters,
    );
    expect(accuracies).toEqual([undefined, undefined, 4.5, undefined]);
    expect(errorOf(() => fromGpx(file, { metersPerHdop: -1 }))).toMatchObject({ code: 'option-value' });
  });

  test('unknown fields of a fix are counted by name; fields of a route, track or waypoint are kept', () => {
    const more = '<name>n</name><extensions><g:hr>60</g:hr></extensions>';
    const time = '<time>2020-01-01T00:00:00Z</time>';
    const { value, issues } = fromGpx(
      gpx(
        `<trk><desc>D</desc><extensions><a><b>B</b></a></extensions><trkseg><trkpt lat="1" lon="2">${time}${more}</trkpt><trkpt lat="1" lon="2">${time}${more}</trkpt></trkseg></trk>
        <rte><cmt>C</cmt></rte>
        <wpt lat="1" lon="2"><link href="x"><text>X</text></link><link href="y"/><desc/></wpt>`,
      ),
    );
    expect(issues).toMatchObject([{ code: 'gpx-fields', severity: 'warning' }]);
    expect(issues[0]?.message).toContain('name (2), hr (2)');
    expect(value.tracks[0]).toMatchObject({ properties: { desc: 'D', b: 'B' } });
    expect(value.routes[0]).toMatchObject({ properties: { cmt: 'C' } });
    expect(value.zones[0]).toMatchObject({ properties: { link: 'x', 'link.text': 'X', 'link~2': 'y' } });
    const many = Array.from({ length: 60 }, (_, i) => `<e${i}>1</e${i}>`).join('');
    const [issue] = fromGpx(trkpt('lat="1" lon="2"', `${time}${many}`)).issues;
    expect(issue?.message).toContain('others (40)');
  });

  test('routes become routes, waypoints become point zones, both with their properties', () => {
    const { value } = fromGpx(
      gpx(
        '<wpt lat="1" lon="2"><name>W</name><sym>Flag</sym></wpt><rte><name>R</name><rtept lat="3" lon="4"><name>S</name></rtept></rte>',
      ),
    );
    expect(value.zones).toEqual([
      { id: 'zone-1', name: 'W', type: { key: 'point' }, geometry: [[2, 1]], properties: { sym: 'Flag' } },
    ]);
    expect(value.routes).toEqual([
      { id: 'route-1', name: 'R', points: [{ name: 'S', type: { key: 'point' }, geometry: [[4, 3]] }] },
    ]);
  });

  test.each([
    ['lat-range', trkpt('lat="91" lon="0"'), 'trk[0].trkseg[0].trkpt[0].lat'],
    ['lon-range', trkpt('lat="9" lon="999"'), 'trk[0].trkseg[0].trkpt[0].lon'],
    ['coord-type', trkpt('lat="9" lon=""'), 'trk[0].trkseg[0].trkpt[0].lon'],
    [
      'time-invalid',
      trkpt('lat="9" lon="9"', '<time>2020-02-30T00:00:00Z</time>'),
      'trk[0].trkseg[0].trkpt[0].time',
    ],
    ['time-missing', trkpt('lat="9" lon="9"', ''), 'trk[0]'],
  ])('%s: the point is left out with field and line', (code, text, field) => {
    const { value, issues } = fromGpx(text);
    expect(value.tracks[0]?.fixes).toEqual([]);
    expect(issues).toMatchObject([{ code, field, line: 3 }]);
  });

  test('an invalid number other than a coordinate is left out, the fix stays', () => {
    const { value, issues } = fromGpx(
      trkpt('lat="1" lon="2"', '<ele>NaN</ele><time>2020-01-01T00:00:00</time>'),
      { timeZone: 'UTC' },
    );
    expect(value.tracks[0]?.fixes).toEqual([{ time: Date.UTC(2020, 0, 1), lon: 2, lat: 1 }]);
    expect(issues.map((issue) => issue.code)).toEqual(['number-invalid']);
  });

  test('times without a zone are asked about, and read in the given one', () => {
    const local = trkpt('lat="1" lon="2"', '<time>2026-03-29T02:30:00</time>');
    expect(fromGpx(local).issues).toMatchObject([{ code: 'time-zone-missing', severity: 'error' }]);
    expect(fromGpx(local).value.tracks[0]?.fixes).toEqual([]);
    const moscow = fromGpx(local, { timeZone: 'Europe/Moscow' }).value.tracks[0]?.fixes;
    expect(moscow).toEqual([{ time: Date.UTC(2026, 2, 28, 23, 30), lon: 2, lat: 1 }]);
    const berlin = fromGpx(local, { timeZone: 'Europe/Berlin' });
    expect(berlin.issues).toMatchObject([{ code: 'time-skipped', severity: 'error' }]);
  });

  test('a track without a name is of the unit that the name of the file names', () => {
    const fixes = gpx(
      '<trk><trkseg><trkpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk>',
    );
    expect(fromGpx(fixes, { fileName: 'out/van 7.gpx' }).value.tracks[0]?.unitId).toBe('van 7');
    expect(fromGpx(fixes).value.tracks[0]?.unitId).toBe('track-1');
  });

  test('empty tracks, a wrong root, a DOCTYPE and a cut file', () => {
    expect(fromGpx(gpx('<trk/>')).value.tracks).toEqual([{ name: 'track-1', unitId: 'track-1', fixes: [] }]);
    expect(fromGpx('<kml/>').issues[0]?.code).toBe('gpx-root');
    expect(fromGpx('<!DOCTYPE gpx><gpx/>').issues.map((issue) => issue.code)).toEqual(['xml-dtd-forbidden']);
    const cut = fromGpx(trkpt('lat="1" lon="2"').replace(/<\/trkseg>.*/, ''));
    expect(cut.issues.map((issue) => issue.code)).toEqual(['xml-truncated']);
    expect(cut.value.tracks[0]?.fixes).toHaveLength(1);
  });

  needs(sharedData('tracks/gpx')).test(
    'all 45 real GPX files are read without an error (needs ../shared/data)',
    () => {
      const files = dataFiles('tracks/gpx', '.gpx');
      expect(files.length).toBe(45);
      for (const file of files) {
        const bytes = readFileSync(file);
        // Some have times without a zone.
        const { value, issues } = fromGpx(bytes, { timeZone: 'UTC' });
        expect(
          issues.filter((issue) => issue.severity === 'error'),
          file,
        ).toEqual([]);
        const tags = (name: string): number =>
          bytes
            .toString()
            .replace(/<!--[\s\S]*?-->/g, '')
            .split(new RegExp(`<${name}[\\s>]`)).length - 1;
        expect(value.zones.length, file).toBe(tags('wpt'));
        expect(value.routes.flatMap((route) => route.points).length, file).toBe(tags('rtept'));
        const missing = issues
          .filter((issue) => issue.code === 'time-missing')
          .map((issue) => Number(/received (\d+) points/.exec(issue.message)?.[1]));
        const fixes = value.tracks.reduce((sum, track) => sum + track.fixes.length, 0);
        expect(fixes + missing.reduce((sum, count) => sum + count, 0), file).toBe(tags('trkpt'));
      }
    },
  );
});

describe("as: 'lines'", () => {
  const file = `<gpx version="1.1">
    <trk><name>A</name><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg><trkseg/>
      <trkseg><trkpt lat="5" lon="6"/></trkseg></trk>
    <trk><trkseg><trkpt lat="7" lon="8"/><trkpt lat="91" lon="8"/><trkpt lat="7" lon="9"/></trkseg></trk>
    <rte><name>R</name><rtept lat="3" lon="4"/><rtept lat="3" lon="5"/></rte><rte/></gpx>`;

  test('each segment and each route becomes a line zone; times are not needed', () => {
    const { value, issues } = fromGpx(file, { as: 'lines' });
    expect([value.tracks, value.routes]).toEqual([[], []]);
    expect(value.zones.map(({ id, name, type, geometry }) => [id, name, type.key, geometry])).toEqual([
      ['track-1~1', 'A', 'line', wkt('2 1, 3 1')],
      ['track-1~2', 'A', 'line', [[6, 5]]],
      ['track-2', 'track-2', 'line', wkt('8 7, 9 7')],
      ['route-1', 'R', 'line', wkt('4 3, 5 3')],
    ]);
    expect(value.groups).toEqual([
      { id: 'track-1', name: 'A', geozones: [{ id: 'track-1~1' }, { id: 'track-1~2' }] },
    ]);
    expect(issues.map(({ code, field }) => [code, field])).toEqual([
      ['lat-range', 'trk[1].trkseg[0].trkpt[1].lat'],
      ['geometry-missing', 'rte[1]'],
    ]);
  });

  test('the pairs follow the axis order; an unknown `as` is rejected', () => {
    expect(fromGpx(file, { as: 'lines', axisOrder: 'latlon' }).value.zones[0]?.geometry).toEqual(
      wkt('1 2, 1 3'),
    );
    expect(errorOf(() => fromGpx(file, { as: 'points' as 'lines' }))).toMatchObject({ code: 'option-value' });
  });
});
