import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { registeredSystem } from '../../../src/interchange/crs/epsgRegister.js';
import { type Crs, loadCrs } from '../../../src/interchange/index.js';
import { CS2CS, needs } from '../../needs.js';
import { LONG } from '../../volume.js';
import { SYSTEMS } from './systems.js';

interface System {
  readonly code: string;
  /** Positions in the area of use. */
  readonly places: readonly (readonly [lon: number, lat: number])[];
  readonly isEastFirst: boolean;
}

const systems: System[] = SYSTEMS.map((line) => {
  const [code, order, ...area] = line.split(' ') as [string, string, ...string[]];
  const [west, south, east, north] = area.map(Number) as [number, number, number, number];
  const width = east < west ? east + 360 - west : east - west;
  const places = [0.2, 0.5, 0.8].flatMap((p) =>
    [0.2, 0.5, 0.8].map((q) => {
      const lon = west + width * p;
      return [lon > 180 ? lon - 360 : lon, south + (north - south) * q] as const;
    }),
  );
  return { code, places, isEastFirst: order === 'en' };
});

/** 60 of the common ones in every run. */
const some = LONG ? systems : systems.filter((_, i) => i < 60);

/** The coordinates that PROJ gives for the places; null where it gives none. */
function projected({ code, places, isEastFirst }: System): ([x: number, y: number] | null)[] {
  const input = places.map(([lon, lat]) => `${lat} ${lon}\n`).join('');
  const out = execFileSync('cs2cs', ['-f', '%.9f', 'EPSG:4326', `EPSG:${code}`], { input, stdio: 'pipe' });
  return out
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const [p = Number.NaN, q = Number.NaN] = line.trim().split(/\s+/).map(Number);
      if (!Number.isFinite(p) || !Number.isFinite(q)) return null;
      return isEastFirst ? [p, q] : [q, p];
    });
}

/** The system of the code without the shift of its datum, which PROJ leaves out where it knows none; null without a shift. */
async function unshifted(code: string): Promise<Crs | null> {
  const system = registeredSystem(Number(code));
  if (system === null || system.datum.shift === '') return null;
  const { proj, datum } = system;
  const { default: proj4 } = await import('proj4');
  const words = proj.replace(/ \+axis=\w+/, '');
  const plain = proj4(`${words} +a=${datum.a} +rf=${datum.rf} +nadgrids=@null +pm=${datum.meridian}`);
  return {
    name: code,
    toWgs84: (x, y) => plain.inverse([x, y]) as [number, number],
    fromWgs84: () => [0, 0],
  };
}

const off = (place: readonly [number, number], [lon, lat]: readonly [number, number]): number =>
  geodesicDistance(place[0], place[1], lon, lat);

describe('systems by their codes', () => {
  needs(CS2CS).test('are read as PROJ reads them, or warn of the error (needs cs2cs)', async () => {
    let exact = 0;
    for (const system of some) {
      const crs = await loadCrs(`EPSG:${system.code}`);
      const plain = await unshifted(system.code);
      let worst = 0;
      for (const [i, xy] of projected(system).entries()) {
        const place = system.places[i]!;
        if (xy === null || (plain !== null && off(place, plain.toWgs84(...xy)) < 0.02)) continue;
        worst = Math.max(worst, off(place, crs.toWgs84(...xy)));
        const back = crs.toWgs84(...crs.fromWgs84(...place));
        expect(off(place, back), `${system.code} forth and back`).toBeLessThan(0.01);
      }
      if (worst < 0.01) exact++;
      // 10 % more than the error that the register of shifts states, since it was measured at other places.
      const stated = Number(/about (\d+) m/.exec(crs.warning ?? '')?.[1] ?? 5.5);
      const most = crs.warning?.startsWith('no shift') === true ? Number.POSITIVE_INFINITY : stated * 1.1;
      expect(worst, `EPSG:${system.code} ${crs.warning ?? ''}`).toBeLessThan(most);
    }
    expect(exact / some.length).toBeGreaterThan(0.7);
  });

  test('a shift with large rotations is inverted to a millimetre', async () => {
    const crs = await loadCrs('EPSG:7142');
    const back = crs.toWgs84(...crs.fromWgs84(35, 31.5));
    expect(off([35, 31.5], back)).toBeLessThan(1e-3);
  });

  test('an unknown code is refused by name', async () => {
    await expect(loadCrs('EPSG:99999')).rejects.toMatchObject({ code: 'crs-unsupported' });
  });
});

/** The definition without the code by which the register here would be asked. */
const WITHOUT_CODE: Readonly<Record<string, (text: string, code: string) => string>> = {
  WKT1_GDAL: (text, code) => text.replace(`,AUTHORITY["EPSG","${code}"]`, ''),
  WKT1_ESRI: (text) => text,
  'WKT2:2019': (text, code) => text.replace(`,ID["EPSG",${code}]`, ''),
  PROJJSON: (text, code) => {
    const json = JSON.parse(text) as { id?: { code: number } };
    if (String(json.id?.code) === code) delete json.id;
    return JSON.stringify(json);
  },
};

describe('systems by their definitions', () => {
  needs(CS2CS).test('give what their code gives, or are refused (needs cs2cs)', async () => {
    let count = 0;
    const refused: string[] = [];
    for (const { code, places } of some.filter((_, i) => LONG || i % 4 === 0)) {
      const wanted = await loadCrs(`EPSG:${code}`);
      for (const [form, strip] of Object.entries(WITHOUT_CODE)) {
        let text: string;
        try {
          const args = ['-q', '--single-line', '-o', form, `EPSG:${code}`];
          text = execFileSync('projinfo', args, { stdio: 'pipe' }).toString().trim();
        } catch {
          continue;
        }
        if (text === '') continue;
        let crs: Crs;
        try {
          crs = await loadCrs(strip(text, code));
        } catch (error) {
          expect(error).toMatchObject({ code: 'crs-unsupported' });
          refused.push(`${code} ${form}`);
          continue;
        }
        count++;
        const [lon, lat] = places[4]!;
        const [x, y] = wanted.fromWgs84(lon, lat);
        const gap = off([lon, lat], crs.toWgs84(x, y));
        // Of datums with several shifts a code has the one of its area.
        const most = crs.warning === undefined && wanted.warning === undefined ? 5 : Number.POSITIVE_INFINITY;
        expect(gap, `${code} ${form}`).toBeLessThan(most);
        const [u, v] = crs.fromWgs84(lon, lat);
        expect(off([lon, lat], crs.toWgs84(u, v)), `${code} ${form}`).toBeLessThan(0.01);
      }
    }
    expect(refused.length / (count + refused.length), refused.join(', ')).toBeLessThan(0.1);
  });
});

describe('proj strings', () => {
  needs(CS2CS).test('are off by at most 5 m, or have a warning (needs cs2cs)', async () => {
    let count = 0;
    for (const system of some.filter((_, i) => LONG || i % 3 === 0)) {
      const text = execFileSync('projinfo', ['-q', '--single-line', '-o', 'PROJ', `EPSG:${system.code}`], {
        stdio: 'pipe',
      });
      const crs = await loadCrs(text.toString().trim()).catch(() => null);
      if (crs === null) continue;
      const xy = projected(system)[4] ?? null;
      if (xy === null) continue;
      count++;
      const gap = off(system.places[4]!, crs.toWgs84(...xy));
      if (crs.warning === undefined) expect(gap, `EPSG:${system.code} ${crs.name}`).toBeLessThan(5.5);
    }
    expect(count).toBeGreaterThan(15);
  });

  test.each([
    [
      'Israel on GRS80 without a shift',
      '+proj=tmerc +lat_0=31.7343936111111 +lon_0=35.2045169444444 +k=1.0000067 +x_0=219529.584 +y_0=626907.39 +ellps=GRS80',
      'EPSG:2039',
    ],
    [
      'Greece on GRS80 without a shift',
      '+proj=tmerc +lon_0=24 +k=0.9996 +x_0=500000 +y_0=0 +ellps=GRS80',
      'EPSG:2100',
    ],
    [
      'Krovak with three numbers',
      '+proj=krovak +lat_0=49.5 +lon_0=24.8333333333333 +alpha=30.2881397527778 +k=0.9999 +x_0=0 +y_0=0 +ellps=bessel +towgs84=589,76,480',
      'EPSG:5514',
    ],
    [
      'the Dutch grid without a shift',
      '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel',
      'EPSG:28992',
    ],
    [
      'a grid of Mozambique with a shift of another survey',
      '+proj=utm +zone=36 +south +ellps=clrk66 +towgs84=-80,-100,-228,0,0,0,0',
      'EPSG:2736',
    ],
  ])('%s: the warning names the registered system', async (_, text, code) => {
    expect((await loadCrs(text)).warning).toContain(code);
  });

  test.each([
    '+proj=utm +zone=32 +ellps=GRS80',
    '+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0',
    '+proj=utm +zone=37 +datum=WGS84',
    '+proj=sterea +lat_0=52.15616055555555 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.417,50.3319,465.552,-0.398957,0.343988,-1.8774,4.0725',
    '+proj=longlat +ellps=GRS80',
  ])('%s has no warning', async (text) => {
    expect((await loadCrs(text)).warning).toBeUndefined();
  });
});

describe('definitions that are not known to be read right are refused', () => {
  const frame =
    'GEOGCS["a",DATUM["D_WGS_1984",SPHEROID["w",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]';
  const wkt = (method: string, parameters: string, axes = ''): string =>
    `PROJCS["a",${frame},PROJECTION["${method}"],${parameters},UNIT["Meter",1]${axes}]`;
  test.each([
    ['a projection', '+proj=robin +ellps=WGS84', '+proj=robin'.slice(6)],
    ['a grid', '+proj=longlat +ellps=clrk66 +nadgrids=conus', 'conus'],
    ['a sphere', '+proj=laea +lat_0=90 +R=6371000', 'ellipsoid'],
    ['a parameter', '+proj=tmerc +lat_0=0 +lon_0=3 +gamma=4 +ellps=WGS84', '+gamma=4'],
    ['an axis', '+proj=tmerc +axis=neu +lon_0=3 +axis=wsu', '+axis'],
    ['a unit', '+proj=tmerc +lon_0=3 +units=parsec +ellps=WGS84', 'parsec'],
    ['an ellipsoid', '+proj=tmerc +lon_0=3 +ellps=moon', 'ellipsoid'],
    ['a meridian', '+proj=tmerc +lon_0=3 +ellps=WGS84 +pm=mars', 'mars'],
    ['an oblique stereographic', '+proj=stere +lat_0=52 +lon_0=5 +ellps=bessel', 'pole'],
    ['a method', wkt('Winkel_Tripel', 'PARAMETER["Central_Meridian",0]'), 'Winkel_Tripel'],
    ['a parameter of a method', wkt('Transverse_Mercator', 'PARAMETER["Tilt",1]'), 'Tilt'],
    ['a lacking parameter', wkt('Transverse_Mercator', 'PARAMETER["False_Easting",1]'), 'lat_0'],
    [
      'axes',
      wkt(
        'Polyconic',
        'PARAMETER["Central_Meridian",0],PARAMETER["Latitude_Of_Origin",0]',
        ',AXIS["a",UP],AXIS["b",NORTH]',
      ),
      'axes',
    ],
    ['another text', 'PROJCS["a"', 'neither'],
  ])('%s', async (_, definition, named) => {
    const error = await loadCrs(definition).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'crs-unsupported', field: 'crs' });
    expect((error as Error).message).toContain(named);
  });
});
