/** Reads the member `crs` of GeoJSON 2008 (§3), which RFC 7946 removed. */

import { isRecord, own } from '../common/foreignFields.js';
import { isWgs84Name, plainCrsName } from '../crs/crs.js';

/** The coordinate system of a file: WGS84 (also without the member), null, another named system, or a member without a name. */
export type CrsMember =
  | { readonly kind: 'wgs84' }
  | { readonly kind: 'null' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly value: unknown };

/** The system named by the root object of a file. */
export function crsMember(root: unknown): CrsMember {
  const crs = isRecord(root) ? own(root, 'crs') : undefined;
  if (crs === undefined) return { kind: 'wgs84' };
  if (crs === null) return { kind: 'null' };
  const properties = isRecord(crs) ? own(crs, 'properties') : undefined;
  const name = isRecord(properties) ? own(properties, 'name') : undefined;
  if (typeof name !== 'string') return { kind: 'unreadable', value: crs };
  return isWgs84Name(name) ? { kind: 'wgs84' } : { kind: 'named', name: plainCrsName(name) };
}
