/** `wayzone progress`: which parts of a route units drove, as rows. */

import { matchRoute, type RoutePart } from '../../../tracks/index.js';
import { type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { collect, lacksTracks, lacksZones } from '../../shared/collect.js';
import { routeOfFile } from '../../shared/routeOfFile.js';
import { unitTracks } from '../../shared/unitTracks.js';

export interface ProgressFlags extends TrackFlags, RowOutput {
  readonly route: string;
  readonly tracks: readonly string[];
  readonly width: number;
}

const COLUMNS = ['unit_id', 'from_meters', 'to_meters', 'status', 'passes', 'covered_share'] as const;

type PartRow = Readonly<Record<(typeof COLUMNS)[number], string | number>>;

export async function progress(flags: ProgressFlags, io: Io): Promise<boolean> {
  const reading = trackReading({ ...flags, axisOrder: 'lonlat', lineWidth: 'total' });
  const collected = await collect({ zones: [flags.route], tracks: flags.tracks }, reading);
  const isUnread = lacksTracks(collected);
  if (isUnread || lacksZones(collected)) {
    reportIssues(collected.issues, io.stderr);
    io.stderr.write(
      `wayzone: the ${isUnread ? 'tracks' : 'route'} could not be read, so no row is printed\n`,
    );
    return false;
  }
  const rows = await openRows<PartRow, keyof PartRow>(COLUMNS, flags, io);
  try {
    const { prepared } = routeOfFile(collected.zones, flags.route);
    for (const { unitId, track } of unitTracks(collected, flags)) {
      const { parts, coveredShare } = matchRoute(track, prepared, { widthMeters: flags.width });
      await rows.write(parts.map((part) => rowOf(unitId, part, coveredShare)));
    }
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(collected.issues, io.stderr);
}

function rowOf(unitId: string, { fromMeters, toMeters, status, passes }: RoutePart, share: number): PartRow {
  return {
    unit_id: unitId,
    from_meters: Math.round(fromMeters * 10) / 10,
    to_meters: Math.round(toMeters * 10) / 10,
    status,
    passes,
    covered_share: Math.round(share * 10_000) / 10_000,
  };
}
