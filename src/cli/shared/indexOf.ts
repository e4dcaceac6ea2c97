/** An index of collected zones. A zone that cannot be indexed becomes an issue of its file. */

import type { IssueCode } from '../../core/errorCode.js';
import { WayzoneError } from '../../core/errors.js';
import { type Geozone, isDeleted, type ZoneOptions } from '../../core/wire.js';
import { ZoneIndex } from '../../zones/zoneIndex.js';
import type { Collected } from './collect.js';
import { zonePlace } from './zonePlace.js';

/**
 * Indexes the valid zones that are not deleted; each other zone becomes an issue. `onZone` is called before a zone is added, and can refuse
 * it with a coded error.
 */
export function indexOf(
  { zones, issues, fileOf }: Collected,
  options: ZoneOptions,
  onZone: (zone: Geozone) => void = () => undefined,
): ZoneIndex<Geozone> {
  const kept: Geozone[] = [];
  for (const zone of zones) {
    const note = (code: IssueCode, severity: 'error' | 'warning', place: string, message: string): void => {
      const field = zonePlace(zone.id, place);
      issues.push({ code, severity, field, message, file: fileOf.get(zone.id) ?? '' });
    };
    if (isDeleted(zone)) {
      note('zone-deleted', 'warning', '', 'the zone is marked deleted and left out');
      continue;
    }
    try {
      onZone(zone);
      kept.push(zone);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      note(error.code, 'error', error.field, error.message);
    }
  }
  return new ZoneIndex<Geozone>(kept, {
    ...options,
    onIssue: ({ code, field, message }) => {
      const [, place, path = ''] = /^zones\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
      const zone = kept[Number(place)];
      const name = zone === undefined ? field : zonePlace(zone.id, path);
      const file = zone === undefined ? '' : (fileOf.get(zone.id) ?? '');
      issues.push({ code, severity: 'error', field: name, message, file });
    },
  });
}
