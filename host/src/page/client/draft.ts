/** A zone while it is edited: its body for the host, its preview, and its problems. */

import type { Feature, LineString } from 'geojson';
import { type FieldError, type GeozoneInput, WayzoneError, type ZoneTypeKey, zoneOutline } from 'wayzone';
import { validateGeozone } from 'wayzone/schemas';
import { fill } from '../../../../src/report/client/shared/index.js';
import type { PageZone } from './app.js';
import { lineFeatures, outlineFeatures } from './outlineFeatures.js';
import type { Words } from './words.js';

export type Position = readonly [lon: number, lat: number];

export interface Draft {
  readonly name: string;
  readonly type: ZoneTypeKey;
  readonly geometry: readonly Position[];
  /** Metres; null: none. */
  readonly width: number | null;
  /** `#rrggbb`; null: none. */
  readonly color: string | null;
  readonly speed_limit: number | null;
}

export const NEW_WIDTH = 200;

export function draftOf(zone: PageZone | null): Draft {
  if (zone === null)
    return { name: '', type: 'polygon', geometry: [], width: NEW_WIDTH, color: null, speed_limit: null };
  const { name, type, geometry, width = null, color, speed_limit = null } = zone;
  return { name, type: type.key, geometry, width, color: color?.key ?? null, speed_limit };
}

/** The body to send. What the draft does not hold stays as it is in `base`. */
export function bodyOf(base: PageZone | null, draft: Draft): GeozoneInput & Pick<PageZone, 'speed_limit'> {
  const { name, type, geometry, width, color, speed_limit } = draft;
  return {
    ...base,
    name,
    type: { key: type },
    geometry,
    width: type === 'polygon' ? (base?.width ?? null) : width,
    color: color === null ? null : base?.color?.key === color ? base.color : { key: color },
    ...(speed_limit === null && base?.speed_limit === undefined ? {} : { speed_limit }),
  };
}

/** Every problem of the body; none: it may be saved. */
export function problemsOf(body: GeozoneInput): readonly FieldError[] {
  try {
    validateGeozone(body);
    return [];
  } catch (error) {
    if (error instanceof WayzoneError) return error.errors;
    throw error;
  }
}

export function problemText(words: Words, { reason, segments, field, message }: FieldError): string {
  if (reason === 'ring-self-intersects' && segments !== undefined)
    return fill(words.crosses, { a: segments[0] + 1, b: segments[1] + 1 });
  return `${field}: ${message}`;
}

/** The area and the border of the draft, and both segments of each crossing, marked `wrong`. */
export function draftFeatures(body: GeozoneInput, problems: readonly FieldError[]): Feature[] {
  const features: Feature[] = [];
  try {
    features.push(...outlineFeatures(zoneOutline(body) as never));
  } catch {
    // A shape that is not complete yet has its positions alone.
    features.push(...lineFeatures(body.geometry.map((pair) => [...pair])));
  }
  for (const { segments } of problems)
    for (const segment of segments ?? []) features.push(segmentOf(body.geometry, segment));
  return features;
}

function segmentOf(geometry: GeozoneInput['geometry'], i: number): Feature<LineString> {
  const ends = [geometry[i]!, geometry[(i + 1) % geometry.length]!];
  return {
    type: 'Feature',
    properties: { wrong: true },
    geometry: { type: 'LineString', coordinates: ends.map((pair) => [...pair]) },
  };
}
