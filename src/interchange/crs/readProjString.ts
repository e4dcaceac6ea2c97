/** Reads definitions of PROJ (`+proj=… +ellps=…`), so that proj4 receives only what it computes like PROJ. */

import { type Datum, datumByCode, type ReadSystem } from './epsgRegister.js';

/** Ellipsoids as listed by `proj -le`: equatorial axis in metres, and inverse flattening or polar axis. */
const ELLIPSOIDS: Readonly<Record<string, readonly [a: number, rfOrB: number]>> = {
  WGS84: [6378137, 298.257223563],
  GRS80: [6378137, 298.257222101],
  WGS72: [6378135, 298.26],
  WGS66: [6378145, 298.25],
  airy: [6377563.396, 299.3249646],
  mod_airy: [6377340.189, 6356034.446],
  aust_SA: [6378160, 298.25],
  GRS67: [6378160, 298.247167427],
  GSK2011: [6378136.5, 298.2564151],
  PZ90: [6378136, 298.25784],
  bessel: [6377397.155, 299.1528128],
  bess_nam: [6377483.865, 299.1528128],
  clrk66: [6378206.4, 6356583.8],
  clrk80: [6378249.145, 293.4663],
  clrk80ign: [6378249.2, 293.4660212936269],
  evrst30: [6377276.345, 300.8017],
  evrst48: [6377304.063, 300.8017],
  evrst56: [6377301.243, 300.8017],
  evrst69: [6377295.664, 300.8017],
  evrstSS: [6377298.556, 300.8017],
  helmert: [6378200, 298.3],
  intl: [6378388, 297],
  krass: [6378245, 298.3],
};

/** Codes of the geographic systems behind `+datum`. */
const DATUMS: Readonly<Record<string, number>> = {
  WGS84: 4326,
  NAD83: 4269,
  NAD27: 4267,
  GGRS87: 4121,
  potsdam: 4314,
  carthage: 4223,
  hermannskogel: 4312,
  ire65: 4299,
  nzgd49: 4272,
  OSGB36: 4277,
};

const MERIDIANS: Readonly<Record<string, number>> = {
  greenwich: 0,
  lisbon: -(9 + 7 / 60 + 54.862 / 3600),
  paris: 2.33722917,
  bogota: -(74 + 4 / 60 + 51.3 / 3600),
  madrid: -(3 + 41 / 60 + 16.58 / 3600),
  rome: 12 + 27 / 60 + 8.4 / 3600,
  bern: 7 + 26 / 60 + 22.5 / 3600,
  jakarta: 106 + 48 / 60 + 27.79 / 3600,
  ferro: -17 - 40 / 60,
  brussels: 4 + 22 / 60 + 4.71 / 3600,
  stockholm: 18 + 3 / 60 + 29.8 / 3600,
  athens: 23 + 42 / 60 + 58.815 / 3600,
  oslo: 10 + 43 / 60 + 22.5 / 3600,
};

const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  km: 1000,
  cm: 0.01,
  ft: 0.3048,
  'us-ft': 1200 / 3937,
  'ind-ft': 0.30479841,
  yd: 0.9144,
  'ind-yd': 0.91439523,
  link: 0.201168,
  ch: 20.1168,
};

/** Projections with the parameters that they take besides `x_0`, `y_0` and `k`. A parameter with `!` is required. */
const PROJECTIONS: Readonly<Record<string, readonly string[]>> = {
  longlat: [],
  utm: ['zone!', 'south'],
  tmerc: ['lat_0', 'lon_0'],
  etmerc: ['lat_0', 'lon_0'],
  lcc: ['lat_0', 'lon_0', 'lat_1!', 'lat_2'],
  aea: ['lat_0', 'lon_0', 'lat_1!', 'lat_2!'],
  laea: ['lat_0', 'lon_0'],
  cea: ['lat_ts', 'lon_0'],
  merc: ['lat_ts', 'lon_0'],
  stere: ['lat_0!', 'lat_ts', 'lon_0'],
  sterea: ['lat_0', 'lon_0'],
  somerc: ['lat_0', 'lon_0'],
  omerc: ['lat_0!', 'lonc!', 'alpha!', 'gamma', 'no_uoff', 'no_off'],
  cass: ['lat_0', 'lon_0'],
  poly: ['lat_0', 'lon_0'],
  krovak: ['lat_0', 'lon_0', 'alpha'],
};

const ALIASES: Readonly<Record<string, string>> = {
  latlong: 'longlat',
  lonlat: 'longlat',
  latlon: 'longlat',
};
const GENERAL = ['x_0', 'y_0', 'k', 'k_0'];
/** Parameters without an effect on horizontal positions. */
const IGNORED: ReadonlySet<string> = new Set(['no_defs', 'type', 'wktext', 'over', 'vunits', 'approx']);
const FRAME: ReadonlySet<string> = new Set([
  'proj',
  'ellps',
  'datum',
  'a',
  'b',
  'rf',
  'R',
  'towgs84',
  'nadgrids',
  'pm',
  'units',
  'to_meter',
  'axis',
]);

export function readProjString(text: string): ReadSystem {
  const given = new Map<string, string>();
  for (const word of text.trim().split(/\s+/)) {
    const [, key, value = ''] = /^\+?([a-zA-Z_0-9]+)(?:=(\S+))?$/.exec(word) ?? [];
    if (key === undefined || given.has(key)) return { refused: `the word ${word}` };
    given.set(key, value);
  }
  const stated = given.get('proj') ?? '';
  const name = ALIASES[stated] ?? stated;
  const takes = Object.hasOwn(PROJECTIONS, name) ? PROJECTIONS[name]! : null;
  if (takes === null) return { refused: `the projection ${stated}` };
  const own = [...takes.map((key) => key.replace('!', '')), ...(name === 'longlat' ? [] : GENERAL)];
  const words = [`+proj=${name}`];
  for (const [key, value] of given) {
    if (FRAME.has(key) || IGNORED.has(key)) continue;
    const isFlag = key === 'south' || key === 'no_uoff' || key === 'no_off';
    if (!own.includes(key) || isFlag !== (value === '') || !(isFlag || Number.isFinite(Number(value))))
      return { refused: `+${key}${value === '' ? '' : `=${value}`}` };
    words.push(isFlag ? '+'.concat(key) : `+${key}=${Number(value)}`);
  }
  const missing = takes.find((key) => key.endsWith('!') && !given.has(key.slice(0, -1)));
  if (missing !== undefined) return { refused: `no +${missing.slice(0, -1)}` };
  if (name === 'stere' && Math.abs(Number(given.get('lat_0'))) !== 90)
    return { refused: '+proj=stere other than around a pole' };
  const zone = Number(given.get('zone') ?? 1);
  if (!Number.isInteger(zone) || zone < 1 || zone > 60) return { refused: `+zone=${zone}` };
  if (name === 'krovak' && Math.abs(Number(given.get('lat_0') ?? 49.5) - 49.5) > 1e-9)
    return { refused: '+proj=krovak with +lat_0 other than 49.5' };
  const frame = frameOf(given, words);
  return 'refused' in frame ? frame : { proj: words.join(' '), datum: frame };
}

/** The datum. Adds the words for units and axes to `words`. */
function frameOf(given: ReadonlyMap<string, string>, words: string[]): Datum | { readonly refused: string } {
  const pm = given.get('pm') ?? '0';
  const meridian = Object.hasOwn(MERIDIANS, pm) ? MERIDIANS[pm]! : Number(pm);
  if (!(Math.abs(meridian) <= 180)) return { refused: `+pm=${pm}` };
  const units = given.get('units') ?? 'm';
  const meters = given.has('to_meter')
    ? Number(given.get('to_meter'))
    : Object.hasOwn(UNITS, units)
      ? UNITS[units]!
      : 0;
  if (!(meters > 0)) return { refused: `+units=${units}` };
  if (meters !== 1) words.push(`+to_meter=${meters}`);
  const axis = given.get('axis') ?? 'enu';
  if (!/^(?:[ew][ns]|[ns][ew])u$/.test(axis)) return { refused: `+axis=${axis}` };
  if (axis !== 'enu') words.push(`+axis=${axis}`);
  const grids = given.get('nadgrids') ?? '@null';
  if (grids !== '@null') {
    return { refused: `the grid +nadgrids=${grids} (give its shift by +towgs84 instead)` };
  }
  const plain = { meridian, unitDegrees: 1 };
  const isSphere = given.get('a') === given.get('b') && Number(given.get('a')) === 6_378_137;
  if (isSphere && words[0] === '+proj=merc') {
    words.push('+sphere');
    return { ...plain, a: 6_378_137, rf: 0, shift: '', errorMeters: 2 };
  }
  const datum = given.get('datum');
  if (datum !== undefined) {
    const known = Object.hasOwn(DATUMS, datum) ? datumByCode(DATUMS[datum]!, 'system') : null;
    return known === null ? { refused: `+datum=${datum}` } : { ...known, ...plain };
  }
  const ellipsoid = ellipsoidOf(given);
  if (ellipsoid === null) return { refused: 'this ellipsoid' };
  const [a, rf] = ellipsoid;
  const towgs84 = given.get('towgs84');
  if (towgs84 === undefined) {
    const isOurs = Math.abs(a - 6_378_137) < 0.1 && Math.abs(rf - 298.2572) < 0.001;
    return { ...plain, a, rf, shift: '', errorMeters: isOurs ? 2 : Number.POSITIVE_INFINITY };
  }
  const numbers = towgs84.split(',').map(Number);
  if ((numbers.length !== 3 && numbers.length !== 7) || !numbers.every(Number.isFinite))
    return { refused: `+towgs84=${towgs84}` };
  return {
    ...plain,
    a,
    rf,
    shift: numbers.every((value) => value === 0) ? '' : numbers.join(','),
    errorMeters: 2,
  };
}

function ellipsoidOf(given: ReadonlyMap<string, string>): [a: number, rf: number] | null {
  const name = given.get('ellps') ?? (given.has('a') ? null : 'WGS84');
  const [a, other] =
    name === null
      ? [Number(given.get('a')), Number(given.get('rf') ?? given.get('b'))]
      : Object.hasOwn(ELLIPSOIDS, name)
        ? ELLIPSOIDS[name]!
        : [0, 0];
  const rf = other > 1e6 ? a / (a - other) : other;
  return a > 6.3e6 && a < 6.4e6 && rf > 200 && rf < 400 && !given.has('R') ? [a, rf] : null;
}
