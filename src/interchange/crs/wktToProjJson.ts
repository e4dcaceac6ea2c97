/** Converts well-known text of coordinate systems (OGC 01-009, OGC 18-010, and ESRI's) to PROJJSON. */

import type { PlainRecord } from '../common/foreignFields.js';

interface Node {
  readonly key: string;
  readonly args: readonly (Node | string | number)[];
}

/** The system as PROJJSON. Null for a text that is not well-known text of a coordinate system. */
export function wktToProjJson(text: string): PlainRecord | null {
  const node = parseWkt(text);
  return node === null ? null : systemOf(node);
}

/** Largest number of levels of brackets. */
const MOST_LEVELS = 20;

function parseWkt(text: string): Node | null {
  const tokens = text.match(/"(?:[^"]|"")*"|[[\](),]|[^\s"[\](),]+/g) ?? [];
  let at = 0;
  const value = (level: number): Node | string | number | null => {
    const token = tokens[at++];
    if (token === undefined || level > MOST_LEVELS) return null;
    if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"');
    if (tokens[at] !== '[' && tokens[at] !== '(') {
      const number = Number(token);
      return Number.isFinite(number) ? number : token;
    }
    const args: (Node | string | number)[] = [];
    for (let mark: string | undefined = ','; mark === ','; mark = tokens[at++]) {
      // Skip the opening bracket or the comma.
      if (args.length === 0) at++;
      const item = value(level + 1);
      if (item === null) return null;
      args.push(item);
      if (tokens[at] !== ',' && tokens[at] !== ']' && tokens[at] !== ')') return null;
    }
    return { key: token.toUpperCase(), args };
  };
  const root = value(0);
  return typeof root === 'object' && at === tokens.length ? root : null;
}

function child(node: Node, ...keys: readonly string[]): Node | null {
  return children(node, ...keys)[0] ?? null;
}

function children(node: Node, ...keys: readonly string[]): Node[] {
  return node.args.filter((arg): arg is Node => typeof arg === 'object' && keys.includes(arg.key));
}

function nameOf(node: Node): string {
  return typeof node.args[0] === 'string' ? node.args[0] : '';
}

function numberAt(node: Node, i: number): number {
  const value = node.args[i];
  return typeof value === 'number' ? value : Number.NaN;
}

function idOf(node: Node): PlainRecord {
  const id = child(node, 'ID', 'AUTHORITY');
  return id === null ? {} : { id: { authority: id.args[0], code: Number(id.args[1]) } };
}

const UNITS = ['UNIT', 'ANGLEUNIT', 'LENGTHUNIT', 'SCALEUNIT'];

/** Factor of a node's unit to radians or metres; null if it has no unit. */
function factorOf(node: Node | null): number | null {
  const unit = node === null ? null : child(node, ...UNITS);
  return unit === null ? null : numberAt(unit, 1);
}

const DEGREE = Math.PI / 180;

function unit(factor: number): PlainRecord {
  return { type: 'Unit', name: '', conversion_factor: factor };
}

function systemOf(node: Node): PlainRecord | null {
  switch (node.key) {
    case 'COMPD_CS':
    case 'COMPOUNDCRS': {
      const [first] = node.args.filter((arg): arg is Node => typeof arg === 'object');
      return first === undefined ? null : systemOf(first);
    }
    case 'BOUNDCRS': {
      const source = child(node, 'SOURCECRS')?.args[0];
      const system = typeof source === 'object' ? systemOf(source) : null;
      const way = child(node, 'ABRIDGEDTRANSFORMATION');
      if (system === null || way === null) return null;
      const parameters = children(way, 'PARAMETER').map((parameter) => ({
        name: nameOf(parameter),
        value: numberAt(parameter, 1),
        ...idOf(parameter),
      }));
      const method = child(way, 'METHOD');
      return {
        type: 'BoundCRS',
        source_crs: system,
        target_crs: { name: 'WGS 84' },
        transformation: {
          method: { name: method === null ? '' : nameOf(method), ...(method === null ? {} : idOf(method)) },
          parameters,
        },
      };
    }
    case 'GEOGCS':
    case 'GEOGCRS':
    case 'GEOGRAPHICCRS':
    case 'GEODCRS':
    case 'GEODETICCRS':
      return geographic(node);
    case 'PROJCS':
    case 'PROJCRS':
    case 'PROJECTEDCRS':
      return projected(node);
    default:
      return null;
  }
}

function geographic(node: Node): PlainRecord | null {
  const datum = child(node, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE');
  const ellipsoid = datum === null ? null : child(datum, 'SPHEROID', 'ELLIPSOID');
  if (datum === null || ellipsoid === null) return null;
  const isWkt1 = node.key === 'GEOGCS';
  const meridian = child(node, 'PRIMEM', 'PRIMEMERIDIAN');
  const cs = factorOf(node) ?? factorOf(child(node, 'AXIS')) ?? DEGREE;
  const towgs84 = child(datum, 'TOWGS84');
  return {
    type: 'GeographicCRS',
    name: nameOf(node),
    datum: {
      name: nameOf(datum),
      ellipsoid: {
        semi_major_axis: { value: numberAt(ellipsoid, 1), unit: unit(factorOf(ellipsoid) ?? 1) },
        inverse_flattening: numberAt(ellipsoid, 2),
      },
      ...(meridian === null
        ? {}
        : {
            prime_meridian: {
              name: nameOf(meridian),
              longitude: {
                // Programs write the meridian of WKT 1 in degrees, whatever the unit of the system.
                value: numberAt(meridian, 1),
                unit: unit(isWkt1 ? DEGREE : (factorOf(meridian) ?? cs)),
              },
            },
          }),
      ...idOf(datum),
    },
    coordinate_system: { axis: axesOf(node, cs) },
    ...(towgs84 === null ? {} : { towgs84: towgs84.args }),
    ...extensionOf(node),
    ...extensionOf(datum),
    ...idOf(node),
  };
}

/** GDAL's PROJ definition inside WKT 1, which is more precise than the text around it. */
function extensionOf(node: Node): PlainRecord {
  const extension = child(node, 'EXTENSION');
  return extension === null ? {} : { extension: extension.args[1] };
}

function projected(node: Node): PlainRecord | null {
  const base = child(node, 'GEOGCS', 'BASEGEOGCRS', 'BASEGEODCRS');
  const system = base === null ? null : geographic(base);
  const conversion = child(node, 'CONVERSION') ?? node;
  const method = child(conversion, 'METHOD', 'PROJECTION');
  if (base === null || system === null || method === null) return null;
  const isWkt1 = node.key === 'PROJCS';
  const angle = isWkt1 ? (factorOf(base) ?? DEGREE) : DEGREE;
  const length = factorOf(node) ?? factorOf(child(node, 'AXIS')) ?? 1;
  const parameters = children(conversion, 'PARAMETER').map((parameter) => {
    const name = nameOf(parameter);
    const isLength = /easting|northing/i.test(name);
    return {
      name,
      value: numberAt(parameter, 1),
      unit: unit(factorOf(parameter) ?? (isLength ? length : /scale|type/i.test(name) ? 1 : angle)),
      ...idOf(parameter),
    };
  });
  return {
    type: 'ProjectedCRS',
    name: nameOf(node),
    base_crs: system,
    conversion: { method: { name: nameOf(method), ...idOf(method) }, parameters },
    coordinate_system: { axis: axesOf(node, length) },
    ...extensionOf(node),
    ...idOf(node),
  };
}

/** The axes; east and north if the text has none. */
function axesOf(node: Node, factor: number): PlainRecord[] {
  const axes = children(node, 'AXIS').slice(0, 2);
  const directions =
    axes.length === 2
      ? axes.map(({ args: [, name] }) => (typeof name === 'string' ? name.toLowerCase() : ''))
      : ['east', 'north'];
  return directions.map((direction, i) => ({
    direction,
    unit: unit(factorOf(axes[i] ?? null) ?? factor),
  }));
}
