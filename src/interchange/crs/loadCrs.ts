/** Loads coordinate systems by proj4. The package proj4 is imported when first needed. */

import { describe, WayzoneError } from '../../core/errors.js';
import { type Crs, isWgs84Name, plainCrsName } from './crs.js';
import { epsgDefinition } from './epsgDefinition.js';

/**
 * Returns a coordinate system by its name or definition, for the option `crs` of readers and writers.
 *
 * Built-in EPSG codes: UTM on WGS84 (32601–32660, 32701–32760), Web Mercator (3857), World Mercator (3395); geographic coordinates and
 * Gauss-Krüger zones of 6° on Pulkovo 1942 (4284, 28402–28432; parameters of GOST R 51794-2008), Pulkovo 1995 (4200, 20004–20032) and GSK-2011
 * (7683, 20904–20932). For other systems pass a proj string (`+proj=…`) or WKT that proj4 accepts. x is always east and y north, even if the
 * EPSG register has another axis order.
 *
 * The built-in systems agree with PROJ within a millimetre (test/interchange/crs.test.ts). The datum shifts themselves are accurate to about a
 * metre.
 * Rejects with `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { loadCrs } from 'wayzone/interchange';
 * const crs = await loadCrs('EPSG:32637');
 * crs.toWgs84(500000, 0); // [39, 0]
 * ```
 */
export async function loadCrs(definition: string): Promise<Crs> {
  const unsupported = (cause?: unknown): WayzoneError =>
    new WayzoneError(
      'crs-unsupported',
      'crs',
      `expected a built-in EPSG code or a definition that proj4 accepts, received ${describe(definition)}`,
      { cause },
    );
  if (typeof definition !== 'string' || definition.length > 10_000) throw unsupported();
  const name = plainCrsName(definition);
  if (isWgs84Name(name)) return { name: 'EPSG:4326', toWgs84: (x, y) => [x, y], fromWgs84: (x, y) => [x, y] };
  const projection = epsgDefinition(name) ?? (/^\s*(?:\+|[A-Z]+\[)/.test(definition) ? definition : null);
  if (projection === null) throw unsupported();
  return byProj4(name, projection, unsupported);
}

/** Loads a system by its PROJJSON, which `name` (`EPSG:32637`) may name; a built-in definition of that name is preferred. Rejects with `crs-unsupported`. */
export async function loadProjJson(json: object, name: string | null): Promise<Crs> {
  if (name !== null && epsgDefinition(name) !== null) return loadCrs(name);
  const title = name ?? ('name' in json && typeof json.name === 'string' ? json.name : 'PROJJSON');
  const unsupported = (cause?: unknown): WayzoneError =>
    new WayzoneError(
      'crs-unsupported',
      'crs',
      `expected a built-in EPSG code or PROJJSON that proj4 accepts, received ${describe(title)}; nothing is read`,
      { cause },
    );
  return byProj4(title, json, unsupported);
}

async function byProj4(
  name: string,
  definition: string | object,
  unsupported: (cause?: unknown) => WayzoneError,
): Promise<Crs> {
  const { default: proj4 } = await import('proj4');
  let converter: { forward(pair: number[]): number[]; inverse(pair: number[]): number[] };
  try {
    converter = proj4(definition as string);
  } catch (cause) {
    throw unsupported(cause);
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
  return {
    name,
    toWgs84: (x, y) => convert('inverse', x, y),
    fromWgs84: (lon, lat) => convert('forward', lon, lat),
  };
}

/** Reads the option `crs` of an asynchronous function: a name is loaded, so that synchronous functions accept the result. */
export async function resolveCrs(crs: string | Crs | undefined): Promise<string | Crs> {
  return typeof crs === 'string' && !isWgs84Name(crs) ? loadCrs(crs) : (crs ?? 'EPSG:4326');
}
