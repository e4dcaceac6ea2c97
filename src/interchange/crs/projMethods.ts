/** Map projections that proj4 computes like PROJ, with their codes of the EPSG register and their names in files. */

/** Parameters of a projection by the names of PROJ: degrees, metres, and the scale `k`. */
export type ProjParameters = ReadonlyMap<string, number>;

export interface ProjMethod {
  /** Codes in the EPSG register. */
  readonly codes: readonly number[];
  /** Names as returned by `plainName`: of the register, of WKT 1 and of ESRI. */
  readonly names: readonly string[];
  /** Parameters in the order of the table of systems. A trailing `?` marks an optional one: 0 if absent, but 1 for `k?`. */
  readonly takes: readonly string[];
  /** Parameters of PROJ; null for values that proj4 does not compute. */
  readonly proj: (given: ProjParameters) => string | null;
}

/** The letters and digits of a name, in lower case. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

const FALSE_ORIGIN = ['x_0?', 'y_0?'];

/** Returns a function that writes parameters under the given names of PROJ: `lat_1=lat_0` takes `lat_1` from the parameter `lat_0`. */
function written(start: string, names: readonly string[]): (given: ProjParameters) => string {
  return (given) =>
    [
      start,
      ...names.flatMap((name) => {
        const [to, from = to] = name.split('=') as [string, string?];
        const value = given.get(from);
        return value === undefined ? [] : [`+${to}=${value}`];
      }),
    ].join(' ');
}

const PLACED = ['lat_0', 'lon_0', 'k', 'x_0', 'y_0'];

function polar(given: ProjParameters): string | null {
  const lat = given.get('lat_0')!;
  if (Math.abs(lat) === 90) return written('+proj=stere', PLACED)(given);
  // WKT 1 writes the standard parallel as the origin.
  return given.get('k') === 1 ? polarAt(lat, given) : null;
}

function polarAt(parallel: number, given: ProjParameters): string | null {
  if (parallel === 0) return null;
  const start = `+proj=stere +lat_0=${parallel > 0 ? 90 : -90} +lat_ts=${parallel}`;
  return written(start, ['lon_0', 'x_0', 'y_0'])(given);
}

function oblique(flag: string): (given: ProjParameters) => string | null {
  return (given) => {
    const alpha = given.get('alpha')!;
    const gamma = given.get('gamma') ?? alpha;
    if (alpha === 90 && gamma === 90 && flag === '') {
      return written('+proj=somerc', PLACED)(given);
    }
    const start = `+proj=omerc${flag} +alpha=${alpha} +gamma=${gamma}`;
    return written(start, ['lat_0', 'lonc=lon_0', 'k', 'x_0', 'y_0'])(given);
  };
}

/** Accepts only the constants of the Czech and Slovak grid, which are built into proj4. */
function krovak(given: ProjParameters): string | null {
  const isIts =
    Math.abs(given.get('lat_0')! - 49.5) < 1e-9 &&
    Math.abs(given.get('colatitude')! - 30.2881397527778) < 1e-5 &&
    Math.abs((given.get('lat_pseudo') ?? 78.5) - 78.5) < 1e-9;
  return isIts ? written('+proj=krovak', PLACED)(given) : null;
}

export const PROJ_METHODS: readonly ProjMethod[] = [
  {
    codes: [9807],
    names: ['transversemercator', 'gausskruger'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=tmerc', PLACED),
  },
  {
    codes: [9808],
    names: ['transversemercatorsouthorientated'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=tmerc +axis=wsu', PLACED),
  },
  {
    codes: [9801],
    names: ['lambertconicconformal1sp', 'lambertconformalconic1sp'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=lcc', ['lat_1=lat_0', ...PLACED]),
  },
  {
    codes: [9826],
    names: ['lambertconicconformalwestorientated'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=lcc +axis=wnu', ['lat_1=lat_0', ...PLACED]),
  },
  {
    codes: [9802],
    names: ['lambertconicconformal2sp', 'lambertconformalconic2sp'],
    takes: ['lat_0', 'lon_0', 'lat_1', 'lat_2', ...FALSE_ORIGIN],
    proj: written('+proj=lcc', ['lat_1', 'lat_2', 'lat_0', 'lon_0', 'x_0', 'y_0']),
  },
  {
    codes: [],
    names: ['lambertconformalconic'],
    takes: ['lat_0', 'lon_0', 'lat_1', 'lat_2?', 'k?', ...FALSE_ORIGIN],
    proj: (given) =>
      given.get('lat_2') === 0
        ? given.get('lat_1') === given.get('lat_0')
          ? written('+proj=lcc', ['lat_1', ...PLACED])(given)
          : null
        : given.get('k') === 1
          ? written('+proj=lcc', ['lat_1', 'lat_2', 'lat_0', 'lon_0', 'x_0', 'y_0'])(given)
          : null,
  },
  {
    codes: [9822],
    names: ['albersequalarea', 'albersconicequalarea', 'albers'],
    takes: ['lat_0', 'lon_0', 'lat_1', 'lat_2', ...FALSE_ORIGIN],
    proj: written('+proj=aea', ['lat_1', 'lat_2', 'lat_0', 'lon_0', 'x_0', 'y_0']),
  },
  {
    codes: [9806],
    names: ['cassinisoldner', 'cassini'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: (given) =>
      given.get('k') === 1 ? written('+proj=cass', ['lat_0', 'lon_0', 'x_0', 'y_0'])(given) : null,
  },
  {
    codes: [9810],
    names: ['polarstereographicvarianta', 'polarstereographic'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: polar,
  },
  {
    codes: [9829],
    names: ['polarstereographicvariantb'],
    takes: ['lat_ts', 'lon_0', ...FALSE_ORIGIN],
    proj: (given) => polarAt(given.get('lat_ts')!, given),
  },
  {
    codes: [],
    names: ['stereographicnorthpole', 'stereographicsouthpole'],
    takes: ['lat_1', 'lon_0', ...FALSE_ORIGIN],
    proj: (given) => polarAt(given.get('lat_1')!, given),
  },
  {
    codes: [9809],
    names: ['obliquestereographic', 'doublestereographic'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=sterea', PLACED),
  },
  {
    codes: [9812],
    names: [
      'hotineobliquemercatorvarianta',
      'hotineobliquemercator',
      'hotineobliquemercatorazimuthnaturalorigin',
      'rectifiedskeworthomorphicnaturalorigin',
    ],
    takes: ['lat_0', 'lon_0', 'alpha', 'gamma?', 'k?', ...FALSE_ORIGIN],
    proj: oblique(' +no_uoff'),
  },
  {
    codes: [9815],
    names: [
      'hotineobliquemercatorvariantb',
      'obliquemercator',
      'hotineobliquemercatorazimuthcenter',
      'rectifiedskeworthomorphiccenter',
    ],
    takes: ['lat_0', 'lon_0', 'alpha', 'gamma?', 'k?', ...FALSE_ORIGIN],
    proj: oblique(''),
  },
  {
    codes: [],
    names: ['swissobliquecylindrical', 'swissobliquemercator'],
    takes: ['lat_0', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: written('+proj=somerc', PLACED),
  },
  {
    codes: [9820],
    names: ['lambertazimuthalequalarea'],
    takes: ['lat_0', 'lon_0', ...FALSE_ORIGIN],
    proj: written('+proj=laea', ['lat_0', 'lon_0', 'x_0', 'y_0']),
  },
  {
    codes: [9804],
    names: ['mercatorvarianta', 'mercator1sp'],
    takes: ['lat_0?', 'lon_0', 'k?', ...FALSE_ORIGIN],
    proj: (given) =>
      given.get('lat_0') === 0 ? written('+proj=merc', ['lon_0', 'k', 'x_0', 'y_0'])(given) : null,
  },
  {
    codes: [9805],
    names: ['mercatorvariantb', 'mercator2sp', 'mercator'],
    takes: ['lat_1', 'lon_0', 'lat_0?', 'k?', ...FALSE_ORIGIN],
    proj: (given) =>
      given.get('lat_0') === 0 && given.get('k') === 1
        ? written('+proj=merc', ['lat_ts=lat_1', 'lon_0', 'x_0', 'y_0'])(given)
        : null,
  },
  {
    codes: [1024],
    names: ['popularvisualisationpseudomercator', 'mercatorauxiliarysphere'],
    takes: ['lon_0', 'lat_0?', 'lat_1?', 'auxiliary?', ...FALSE_ORIGIN],
    proj: (given) =>
      given.get('lat_0') === 0 && given.get('lat_1') === 0 && given.get('auxiliary') === 0
        ? written('+proj=merc +sphere', ['lon_0', 'x_0', 'y_0'])(given)
        : null,
  },
  {
    codes: [9818],
    names: ['americanpolyconic', 'polyconic'],
    takes: ['lat_0', 'lon_0', ...FALSE_ORIGIN],
    proj: written('+proj=poly', ['lat_0', 'lon_0', 'x_0', 'y_0']),
  },
  {
    codes: [1041, 9819],
    names: ['krovaknorthorientated', 'krovak'],
    takes: ['lat_0', 'lon_0', 'colatitude', 'lat_pseudo?', 'k', ...FALSE_ORIGIN],
    proj: krovak,
  },
  {
    codes: [9835],
    names: ['lambertcylindricalequalarea', 'cylindricalequalarea'],
    takes: ['lat_1', 'lon_0', ...FALSE_ORIGIN],
    proj: written('+proj=cea', ['lat_ts=lat_1', 'lon_0', 'x_0', 'y_0']),
  },
];

/** Names of parameters, as returned by `plainName`, and their codes in the register. Lengths are in the unit of the system. */
const PARAMETERS: ReadonlyMap<string, readonly (string | number)[]> = new Map([
  [
    'lat_0',
    [
      8801,
      8811,
      8821,
      'latitudeoforigin',
      'latitudeofcenter',
      'latitudeofcentre',
      'latitudeofnaturalorigin',
      'latitudeofprojectioncentre',
      'latitudeoffalseorigin',
    ],
  ],
  [
    'lon_0',
    [
      8802,
      8812,
      8822,
      8833,
      'centralmeridian',
      'longitudeofcenter',
      'longitudeofcentre',
      'longitudeoforigin',
      'longitudeofnaturalorigin',
      'longitudeofprojectioncentre',
      'longitudeoffalseorigin',
    ],
  ],
  [
    'k',
    [
      8805,
      8815,
      8819,
      'scalefactor',
      'scalefactoratnaturalorigin',
      'scalefactoratprojectioncentre',
      'scalefactoroninitialline',
      'scalefactoronpseudostandardparallel',
    ],
  ],
  ['x_0', [8806, 8816, 8826, 'falseeasting', 'eastingatprojectioncentre', 'eastingatfalseorigin']],
  ['y_0', [8807, 8817, 8827, 'falsenorthing', 'northingatprojectioncentre', 'northingatfalseorigin']],
  ['lat_1', [8823, 'standardparallel1', 'latitudeof1ststandardparallel']],
  ['lat_2', [8824, 'standardparallel2', 'latitudeof2ndstandardparallel']],
  ['lat_ts', [8832, 'latitudeofstandardparallel']],
  ['alpha', [8813, 'azimuth', 'azimuthofinitialline', 'azimuthatprojectioncentre']],
  ['gamma', [8814, 'rectifiedgridangle', 'xyplanerotation', 'anglefromrectifiedtoskewgrid']],
  ['colatitude', [1036, 'colatitudeofconeaxis']],
  ['lat_pseudo', [8818, 'pseudostandardparallel1', 'latitudeofpseudostandardparallel']],
  ['auxiliary', ['auxiliaryspheretype']],
]);

/** Name in PROJ of a parameter, by its code or else its name; null for an unknown one. */
export function parameterKey(code: number | null, name: string): string | null {
  const plain = plainName(name);
  for (const [key, names] of PARAMETERS) {
    if (code !== null ? names.includes(code) : names.includes(plain)) return key;
  }
  return null;
}

/** The method by its code, or else by its name; null for one that may be computed wrongly. */
export function projMethod(code: number | null, name: string): ProjMethod | null {
  const plain = plainName(name);
  return (
    PROJ_METHODS.find(({ codes, names }) => (code !== null ? codes.includes(code) : names.includes(plain))) ??
    null
  );
}
