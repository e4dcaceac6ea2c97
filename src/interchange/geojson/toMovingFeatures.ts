/** Writes tracks as OGC Moving Features JSON (19-045r3, MF-JSON Prism). */

import type { RawTrack } from '../../core/fix.js';
import { guarded, itemsOf } from '../../core/input.js';
import { fixTime, readRawTrack } from '../common/readDocument.js';
import type { ForeignTrack } from '../common/readOptions.js';
import { hasValue, trackPositions } from './trackFeature.js';

/** A quantity over time. */
export interface TemporalProperty {
  /** `Measure`: a number with a unit. */
  readonly type: 'Measure';
  /** Unit, by UN/CEFACT Recommendation 20: `KMH` (km/h), `DD` (degrees), `MTR` (metres). */
  readonly form: string;
  /** Values at the times of the group. */
  readonly values: readonly number[];
  /** Interpolation between two times. */
  readonly interpolation: 'Linear' | 'Step';
}

/** A track of MF-JSON. */
export interface MovingFeature {
  /** Always `Feature`. */
  readonly type: 'Feature';
  /** `unitId`, `name` and the properties of the track. */
  readonly properties: { readonly [key: string]: unknown };
  /** Positions over time. */
  readonly temporalGeometry: {
    /** Always `MovingPoint`. */
    readonly type: 'MovingPoint';
    /** Times, ISO 8601 in UTC. */
    readonly datetimes: readonly string[];
    /** Position at each time, `[lon, lat]` or `[lon, lat, metres]`. */
    readonly coordinates: readonly (readonly number[])[];
    /** Always `Linear`. */
    readonly interpolation: 'Linear';
  };
  /** One group for each quantity of the fixes, with the times at which it is known. */
  readonly temporalProperties: readonly { readonly [key: string]: TemporalProperty | readonly string[] }[];
}

/** A reference system by its name. */
export interface NamedSystem {
  /** Always `Name`. */
  readonly type: 'Name';
  /** The properties of the system. */
  readonly properties: {
    /** Name of the system, a URN. */
    readonly name: string;
  };
}

/** Tracks as MF-JSON. */
export interface MovingFeatureCollection {
  /** Always `FeatureCollection`. */
  readonly type: 'FeatureCollection';
  /** Coordinate system: WGS84, longitude first. */
  readonly crs: NamedSystem;
  /** Time system: UTC. */
  readonly trs: NamedSystem;
  /** Features, in the order of the tracks. */
  readonly features: MovingFeature[];
}

const PROPERTIES = [
  ['speed', 'speedKph', 'KMH', 'Linear'],
  ['course', 'courseDegrees', 'DD', 'Step'],
  ['accuracy', 'accuracyMeters', 'MTR', 'Step'],
  ['satellites', 'satellites', 'C62', 'Step'],
  ['mileage', 'mileageMeters', 'MTR', 'Linear'],
] as const;

/**
 * Writes tracks as MF-JSON: positions over time, with speeds (km/h), courses, accuracies, satellites and mileages where fixes have them.
 * `fromGeoJson` reads the result. Fixes are sorted by time. If several fixes have the same time, the first is written, because times of MF-JSON
 * must increase. A track without fixes is left out. Throws `source-type`, `fixes-type`, `time-range`, errors of positions.
 *
 * @example
 * ```ts
 * import { toMovingFeatures } from 'wayzone/interchange';
 * const fixes = [{ time: 0, lon: 37.6, lat: 55.7, speedKph: 40 }, { time: 60_000, lon: 37.61, lat: 55.7, speedKph: 38 }];
 * const { features } = toMovingFeatures([{ name: 'van', unitId: 'van', fixes }]);
 * features[0].temporalGeometry.datetimes; // ['1970-01-01T00:00:00.000Z', '1970-01-01T00:01:00.000Z']
 * ```
 */
export function toMovingFeatures(tracks: Iterable<RawTrack>): MovingFeatureCollection {
  const features: MovingFeature[] = [];
  let index = 0;
  for (const track of itemsOf(tracks, 'tracks')) {
    const feature = movingFeature(track, `tracks[${index++}]`);
    if (feature !== null) features.push(feature);
  }
  return {
    type: 'FeatureCollection',
    crs: { type: 'Name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    trs: { type: 'Name', properties: { name: 'urn:ogc:data:time:iso8601' } },
    features,
  };
}

function movingFeature(track: RawTrack, field: string): MovingFeature | null {
  const { name, unitId, fixes: given, properties } = readRawTrack(track, field) as ForeignTrack;
  return guarded(field, () => {
    const sorted = [...given].sort((a, b) => a.time - b.time);
    const fixes = sorted.filter(({ time }, i) => i === 0 || time !== sorted[i - 1]!.time);
    if (fixes.length === 0) return null;
    const datetimes = fixes.map(({ time }) => fixTime(time, `${field}.fixes`));
    const temporalProperties = PROPERTIES.flatMap(([key, own, form, interpolation]) => {
      const known = fixes.flatMap((fix, i) => (hasValue(fix[own]) ? [i] : []));
      if (known.length === 0) return [];
      const values = known.map((i) => fixes[i]![own]!);
      const times = known.map((i) => datetimes[i]!);
      return [{ datetimes: times, [key]: { type: 'Measure', form, values, interpolation } as const }];
    });
    return {
      type: 'Feature',
      properties: { ...properties, unitId, name },
      temporalGeometry: {
        type: 'MovingPoint',
        datetimes,
        coordinates: trackPositions(fixes, field, null),
        interpolation: 'Linear',
      },
      temporalProperties,
    };
  });
}
