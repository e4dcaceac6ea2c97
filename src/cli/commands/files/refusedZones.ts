/** Zones that an output format cannot hold. Each becomes one error, in the order of the zones. */

import type { IssueCode } from '../../../core/errorCode.js';
import { WayzoneError } from '../../../core/errors.js';
import type { Issue } from '../../../core/fix.js';
import type { Geozone, ZoneOptions } from '../../../core/wire.js';
import { plainRing, withPairs } from '../../../interchange/common/zoneGeometry.js';
import { toFeatureCollection } from '../../../interchange/geojson/writeFeatureCollection.js';
import type { Crs } from '../../../interchange/index.js';
import type { FileFormat } from '../../io/fileFormat.js';
import { zonePlace } from '../../shared/indexOfZones.js';

export interface ContentOptions extends ZoneOptions {
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly crs?: Crs;
}

export class RefusedZones {
  readonly #format: FileFormat;
  readonly #options: ContentOptions;
  readonly #errors = new Map<Geozone, Issue>();

  constructor(format: FileFormat, options: ContentOptions) {
    this.#format = format;
    this.#options = options;
  }

  get count(): number {
    return this.#errors.size;
  }

  /** Writes the zone alone. Returns whether the format can hold it; if not, its error is kept. */
  tryWriting(zone: Geozone): boolean {
    const { key } = zone.type;
    if (this.#format === 'gpx' && key !== 'point' && key !== 'circle') {
      return this.#refuse(
        zone,
        'gpx-zone',
        'type.key',
        `expected point or circle (GPX has no lines with a width and no polygons), received ${key}`,
      );
    }
    const { crs, ...options } = this.#options;
    // Fast path: most zones are of types that every format can hold.
    if (crs === undefined && key === 'polygon' && plainRing(zone, options) !== null) return true;
    try {
      toFeatureCollection([withPairs(zone)], {
        ...options,
        ...(crs === undefined ? {} : { crs }),
        all: true,
      });
      return true;
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      return this.#refuse(zone, error.code, error.field.replace(/^zones\[0\]\.?/, ''), error.message);
    }
  }

  /** Takes the error of a writer. Throws it if the format can hold the zone. */
  readonly onError = (zone: Geozone, error: unknown): void => {
    if (this.tryWriting(zone)) throw error;
  };

  /** The errors of these zones, in the order of the zones. */
  issuesOf(zones: readonly Geozone[]): Issue[] {
    return this.count === 0 ? [] : zones.flatMap((zone) => this.#errors.get(zone) ?? []);
  }

  #refuse(zone: Geozone, code: IssueCode, field: string, message: string): false {
    const place = zonePlace(zone.id, field);
    this.#errors.set(zone, { code, severity: 'error', field: place, message: `${message}; left out` });
    return false;
  }
}
