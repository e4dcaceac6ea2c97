/** Writes tracks as GeoJSON features with times: a LineString with `coordinateProperties.times`, in the form of togeojson. */

import type { Fix, FixFlagName, FixNumberName, RawTrack } from '../../core/fix.js';
import { guarded, readPositions } from '../../core/input.js';
import { FIX_FLAGS, FIX_NUMBERS } from '../common/fixBatches.js';
import { fixTime, readRawTrack } from '../common/readDocument.js';
import type { ForeignTrack } from '../common/readOptions.js';
import { type Crs, pairIn } from '../crs/crs.js';

/** A track as a GeoJSON feature. */
export interface TrackFeature {
  /** Always `Feature`. */
  readonly type: 'Feature';
  /** Positions in the order of the track, with a third number if each fix has an altitude. A track of one fix is a Point. */
  readonly geometry:
    | { readonly type: 'LineString'; readonly coordinates: readonly (readonly number[])[] }
    | { readonly type: 'Point'; readonly coordinates: readonly number[] };
  /**
   * `unitId`, `name`, the properties of the track, and `coordinateProperties`: a list for each field of the fixes, with `times` in ISO
   * 8601.
   */
  readonly properties: { readonly [key: string]: unknown };
}

const FIELDS: readonly (FixNumberName | FixFlagName)[] = [
  ...FIX_NUMBERS.map(({ name }) => name),
  ...FIX_FLAGS,
];

/** The positions of fixes, with a third number if each has an altitude. Throws the errors of positions. */
export function trackPositions(fixes: readonly Fix[], field: string, crs: Crs | null): number[][] {
  const pairs = readPositions(
    fixes.map(({ lon, lat }) => [lon, lat]),
    `${field}.fixes`,
  ).map((pair) => [...(crs === null ? pair : pairIn(crs, pair))]);
  if (hasAltitudes(fixes)) for (const [i, pair] of pairs.entries()) pair.push(fixes[i]!.altitudeMeters!);
  return pairs;
}

function hasAltitudes(fixes: readonly Fix[]): boolean {
  return fixes.every(({ altitudeMeters }) => Number.isFinite(altitudeMeters));
}

/** Fields, besides time and position, that any of the fixes has. */
export function fieldsOfFixes(fixes: readonly Fix[]): readonly (FixNumberName | FixFlagName)[] {
  const inPosition = hasAltitudes(fixes);
  return FIELDS.filter(
    (name) => !(inPosition && name === 'altitudeMeters') && fixes.some((fix) => hasValue(fix[name])),
  );
}

export function hasValue(value: number | boolean | undefined): boolean {
  return value !== undefined && !Number.isNaN(value);
}

/** The feature of a track; null for a track without fixes. Throws `fixes-type`, `time-range`, errors of positions. */
export function trackFeature(track: RawTrack, field: string, crs: Crs | null): TrackFeature | null {
  const { name, unitId, fixes, properties } = readRawTrack(track, field) as ForeignTrack;
  return guarded(field, () => {
    const positions = trackPositions(fixes, field, crs);
    const [first] = positions;
    if (first === undefined) return null;
    const times = fixes.map(({ time }, i) => fixTime(time, `${field}.fixes[${i}].time`));
    const names = fieldsOfFixes(fixes);
    const about = { ...properties, unitId, ...(name === unitId ? {} : { name }) };
    if (positions.length === 1) {
      const values = names.map((key) => [key, fixes[0]![key]] as const);
      const own = { ...about, time: times[0], ...Object.fromEntries(values) };
      return { type: 'Feature', geometry: { type: 'Point', coordinates: first }, properties: own };
    }
    const lists = names.map(
      (key) => [key, fixes.map((fix) => (hasValue(fix[key]) ? fix[key] : null))] as const,
    );
    const coordinateProperties = { times, ...Object.fromEntries(lists) };
    return {
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: positions },
      properties: { ...about, coordinateProperties },
    };
  });
}
