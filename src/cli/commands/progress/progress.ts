/** `wayzone progress`: the parts of a route that units drove, as rows. */

import { matchRoute, type RoutePart } from '../../../tracks/index.js';
import { type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { refuse } from '../../io/refuse.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeRows } from '../../io/writeRows.js';
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
  const collected = await collect(
    { zones: [flags.route], tracks: flags.tracks },
    trackReading(flags),
    io.stderr,
  );
  const isUnread = lacksTracks(collected);
  if (isUnread || lacksZones(collected)) {
    const what = isUnread ? 'tracks' : 'route';
    return refuse(collected.issues, io, `the ${what} could not be read, so no row is printed`);
  }
  await writeRows<PartRow, keyof PartRow>(COLUMNS, flags, io, async (rows) => {
    const { prepared } = routeOfFile(collected.zones, flags.route);
    for (const { unitId, track } of unitTracks(collected, flags)) {
      const { parts, coveredShare } = matchRoute(track, prepared, { widthMeters: flags.width });
      await rows.write(parts.map((part) => rowOf(unitId, part, coveredShare)));
    }
  });
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
