/** Finds the route in a file. */

import { WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { type PreparedRoute, prepareRoute } from '../../tracks/index.js';
import type { Collected } from './collect.js';

export interface FileRoute {
  readonly name: string;
  readonly line: readonly Position[];
  readonly prepared: PreparedRoute;
}

/** The only line among the zones of a file. Error: `route-type` if there is no or more than one line. */
export function routeOfFile(zones: Collected['zones'], file: string): FileRoute {
  const [line, ...others] = zones.filter(({ type }) => type.key === 'line');
  if (line !== undefined && others.length === 0) {
    const { name, geometry } = line;
    return { name, line: geometry, prepared: prepareRoute(geometry) };
  }
  const count = line === undefined ? 0 : 1 + others.length;
  throw new WayzoneError('route-type', file, `expected one line in ${file}, received ${count}`);
}
