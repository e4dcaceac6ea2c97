/** Loads coordinate systems with proj4. The package and the register are imported when first needed. */

import { describe, WayzoneError } from '../../core/errors.js';
import { isRecord, type PlainRecord } from '../common/foreignFields.js';
import { type Crs, isWgs84Name, plainCrsName } from './crs.js';
import { epsgDefinition, type ReadSystem, type RegisteredSystem, shiftWord } from './epsgRegister.js';

/** Error of a datum from which a warning is given, metres. */
const NOTED_METERS = 5;

/**
 * Returns a coordinate system by its code or definition, for the option `crs` of readers and writers.
 *
 * The definition is an EPSG code (some 5,000 projected and 500 geographic systems), a proj string (`+proj=…`), WKT 1 or 2, or a text of
 * PROJJSON. Results agree with PROJ within a centimetre before the shift of the datum (test/interchange/crsTwin.test.ts). A datum is shifted by
 * three or seven parameters, not by grids. If the error is more than 5 m, or no shift is known, the system has a `warning`, which readers report
 * as `crs-datum`. Gauss-Krüger zones of Pulkovo 1942 and 1995 have the parameters of GOST R 51794-2008. x is always east and y north, also if
 * the EPSG register has another order. Axes that go west or south are kept. Rejects with `crs-unsupported` if a method, parameter, axis, unit,
 * prime meridian or datum is not supported; the message names it.
 *
 * @example
 * ```ts
 * import { loadCrs } from 'wayzone/interchange';
 * const crs = await loadCrs('EPSG:32637');
 * crs.toWgs84(500000, 0); // [39, 0]
 * ```
 */
export async function loadCrs(definition: string): Promise<Crs> {
  if (typeof definition !== 'string' || definition.length > 100_000)
    throw unsupported(describe(definition), 'a text of at most 100,000 characters is needed');
  const name = plainCrsName(definition);
  if (isWgs84Name(name)) return { name: 'EPSG:4326', toWgs84: (x, y) => [x, y], fromWgs84: (x, y) => [x, y] };
  const builtIn = epsgDefinition(name);
  if (builtIn !== null) return byProj4(name, builtIn, null);
  const code = /^EPSG:(\d{4,6})$/.exec(name)?.[1];
  if (code !== undefined) {
    const { registeredSystem } = await import('./epsgRegister.js');
    const system = registeredSystem(Number(code)) ?? {
      refused: 'the register here does not have it; give its definition',
    };
    return byParts(name, system, name);
  }
  const text = definition.trim();
  if (text.startsWith('+')) {
    const { readProjString } = await import('./readProjString.js');
    const read = readProjString(text);
    return byParts(name, read, text, await likeWarning(name, read, text));
  }
  const { wktToProjJson } = await import('./wktToProjJson.js');
  const json = text.startsWith('{') ? parsed(text) : wktToProjJson(text);
  if (json === null)
    throw unsupported(describe(definition), 'it is neither EPSG code, proj string, WKT nor PROJJSON');
  return loadProjJson(json, null);
}

/** Loads a system by its PROJJSON. `name`: its code (`EPSG:32637`), whose system is preferred, or null. Rejects with `crs-unsupported`. */
export async function loadProjJson(json: PlainRecord, name: string | null): Promise<Crs> {
  const { epsgCode, readProjJson } = await import('./readProjJson.js');
  const code = epsgCode(json);
  const own = name ?? (code === null ? null : `EPSG:${code}`);
  const title = own ?? (typeof json['name'] === 'string' ? json['name'] : 'PROJJSON');
  const read = readProjJson(json);
  if (own !== null && (isWgs84Name(own) || epsgDefinition(own) !== null)) return loadCrs(own);
  if (code === null || json['type'] === 'BoundCRS') return byParts(title, read, title);
  const { registeredSystem } = await import('./epsgRegister.js');
  return byParts(title, registeredSystem(code) ?? read, title);
}

function parsed(text: string): PlainRecord | null {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : null;
  } catch {
    return null;
  }
}

function unsupported(received: string, why: string, cause?: unknown): WayzoneError {
  return new WayzoneError(
    'crs-unsupported',
    'crs',
    `expected an EPSG code or a definition that is known to be read right, received ${received}: ${why}; nothing is read`,
    { cause },
  );
}

async function byParts(
  name: string,
  system: ReadSystem,
  received: string,
  warning: string | null = null,
): Promise<Crs> {
  if ('refused' in system) throw unsupported(describe(received), `not supported: ${system.refused}`);
  return byProj4(name, definitionOf(system), warning ?? warningOf(name, system), system.datum.unitDegrees);
}

/**
 * The warning for a proj string whose shift differs from those of the registered systems with its projection, or for one without a shift if
 * some of these have one. Null if there is nothing to say.
 */
async function likeWarning(name: string, system: ReadSystem, text: string): Promise<string | null> {
  if ('refused' in system || /\bdatum=/.test(text)) return null;
  const { likeSystems } = await import('./epsgRegister.js');
  const like = await likeSystems(system);
  const far = like.filter(({ gapMeters }) => gapMeters > NOTED_METERS);
  if (!/\btowgs84=/.test(text)) {
    const [nearest, ...others] = far;
    if (nearest === undefined) return null;
    const codes = far.slice(0, 5).map(({ code }) => `EPSG:${code}`);
    const meters =
      others.length === 0
        ? `${Math.round(nearest.gapMeters)} m`
        : `${Math.round(nearest.gapMeters)} to ${Math.round(far.at(-1)!.gapMeters)} m`;
    return `${name} gives no shift of its datum to WGS84, and is read without one; ${codes.join(', ')}${far.length > 5 ? ' …' : ''} with the same projection ${others.length === 0 ? 'has' : 'have'} a shift of about ${meters}: give the code that is meant`;
  }
  const [nearest] = like;
  if (nearest === undefined) return null;
  if (far.length < like.length)
    return nearest.errorMeters > NOTED_METERS ? knownWithin(name, nearest.errorMeters) : null;
  return `the shift of ${name} to WGS84 differs by about ${Math.round(nearest.gapMeters)} m from that of EPSG:${nearest.code}, which has the same projection; give EPSG:${nearest.code} if that is meant`;
}

function knownWithin(name: string, errorMeters: number): string {
  return `the shift of the datum of ${name} to WGS84 is known within about ${errorMeters} m only`;
}

/** The definition for proj4. If no shift is known, degrees are not changed, whatever the ellipsoid, as in PROJ. */
function definitionOf({ proj, datum }: RegisteredSystem): string {
  const { a, rf, meridian } = datum;
  const isSphere = proj.includes('+sphere');
  return [
    proj.replace(' +sphere', ''),
    `+a=${a}`,
    isSphere ? `+b=${a}` : `+rf=${rf}`,
    isSphere ? '+nadgrids=@null' : shiftWord(datum),
    ...(meridian === 0 ? [] : [`+pm=${meridian}`]),
  ].join(' ');
}

function warningOf(name: string, { datum: { errorMeters } }: RegisteredSystem): string | null {
  if (errorMeters <= NOTED_METERS) return null;
  return errorMeters === Number.POSITIVE_INFINITY
    ? `no shift to WGS84 is known here for the datum of ${name}; it is taken as WGS84, and positions may be off by some hundred metres`
    : knownWithin(name, errorMeters);
}

/** The converter of a definition. Axes and the unit of geographic coordinates are applied here, because proj4 ignores them. */
async function byProj4(
  name: string,
  definition: string,
  warning: string | null,
  unitDegrees = 1,
): Promise<Crs> {
  const { default: proj4 } = await import('proj4');
  const axis = / \+axis=(\w\w)u/.exec(definition)?.[1] ?? 'en';
  let converter: { forward(pair: number[]): number[]; inverse(pair: number[]): number[] };
  try {
    converter = proj4(definition.replace(/ \+axis=\w+/, ''));
  } catch (cause) {
    throw unsupported(name, 'proj4 refuses it', cause);
  }
  const convert = (way: 'forward' | 'inverse', x: number, y: number): readonly [number, number] => {
    try {
      const [a, b] = converter[way]([x, y]);
      return [a ?? Number.NaN, b ?? Number.NaN];
    } catch {
      // proj4 throws for positions outside the domain of some projections.
      return [Number.NaN, Number.NaN];
    }
  };
  const rotations = /\+towgs84=(\S+)/.exec(definition)?.[1]?.split(',').slice(3, 6) ?? [];
  const isTwisted = rotations.some((seconds) => Math.abs(Number(seconds)) > 5);
  const plain: Crs = {
    name,
    toWgs84: (x, y) => convert('inverse', x, y),
    fromWgs84: (lon, lat) => {
      const [x, y] = convert('forward', lon, lat);
      if (!isTwisted) return [x, y];
      // proj4 inverts the rotations of a shift to first order, 1 cm at 10 seconds of arc.
      const [u, v] = convert('inverse', x, y);
      return convert('forward', 2 * lon - u, 2 * lat - v);
    },
    ...(warning === null ? {} : { warning }),
  };
  if (axis === 'en' && unitDegrees === 1) return plain;
  const isTurned = axis.startsWith('n') || axis.startsWith('s');
  const east = (axis.includes('w') ? -1 : 1) * unitDegrees;
  const north = (axis.includes('s') ? -1 : 1) * unitDegrees;
  return {
    ...plain,
    toWgs84: (x, y) => convert('inverse', east * (isTurned ? y : x), north * (isTurned ? x : y)),
    fromWgs84: (lon, lat) => {
      const [x, y] = convert('forward', lon, lat);
      return isTurned ? [y / north, x / east] : [x / east, y / north];
    },
  };
}

/** Reads the option `crs` of an asynchronous function: a name is loaded, so that synchronous functions accept the result. */
export async function resolveCrs(crs: string | Crs | undefined): Promise<string | Crs> {
  return typeof crs === 'string' && !isWgs84Name(crs) ? loadCrs(crs) : (crs ?? 'EPSG:4326');
}
