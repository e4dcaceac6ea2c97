/** Builds an index of collected zones. A zone that cannot be indexed becomes an issue of its file. */

import { WayzoneError } from '../../core/errors.js';
import { type Geozone, isDeleted, type ZoneOptions } from '../../core/wire.js';
import { ZoneIndex } from '../../zones/zoneIndex.js';
import type { Collected } from './collect.js';
import { zoneIssue } from './zoneIssue.js';

const DELETED = {
  code: 'zone-deleted',
  field: '',
  message: 'the zone is marked deleted and left out',
} as const;

/**
 * Indexes the valid zones that are not deleted; every other zone becomes an issue. `onZone` is called before a zone is added, and can
 * reject it with a coded error.
 */
export function indexOfZones(
  { zones, issues, fileOf }: Collected,
  options: ZoneOptions,
  onZone: (zone: Geozone) => void = () => undefined,
): ZoneIndex<Geozone> {
  const kept: Geozone[] = [];
  for (const zone of zones) {
    if (isDeleted(zone)) {
      issues.push(zoneIssue(fileOf, zone.id, DELETED, 'warning'));
      continue;
    }
    try {
      onZone(zone);
      kept.push(zone);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      issues.push(zoneIssue(fileOf, zone.id, error));
    }
  }
  return new ZoneIndex<Geozone>(kept, {
    ...options,
    onIssue: ({ code, field, message }) => {
      const [, place, path = ''] = /^zones\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
      const zone = kept[Number(place)];
      issues.push(
        zone === undefined
          ? { code, severity: 'error', field, message, file: '' }
          : zoneIssue(fileOf, zone.id, { code, field: path, message }),
      );
    },
  });
}
