/** Zones and routes that commands take from collected files. A zone that cannot be used becomes an issue of its file. */

import { WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { type Geozone, isDeleted, type ZoneOptions } from '../../core/wire.js';
import type { FileIssue } from '../../report/index.js';
import { type PreparedRoute, prepareRoute } from '../../tracks/index.js';
import { ZoneIndex } from '../../zones/zoneIndex.js';
import type { Collected } from './collect.js';

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

/** An error of a zone as an issue of its file. */
export function zoneIssue(
  fileOf: Collected['fileOf'],
  id: string,
  { code, field, message }: Pick<FileIssue, 'code' | 'field' | 'message'>,
  severity: FileIssue['severity'] = 'error',
): FileIssue {
  return { code, severity, field: zonePlace(id, field), message, file: fileOf.get(id) ?? '' };
}

/** The place in a file: the zone's id and the path within the zone. */
export function zonePlace(id: string, field: string): string {
  return `zone ${JSON.stringify(id)}${field === '' ? '' : ` ${field}`}`;
}

interface FileRoute {
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
