/** `wayzone progress`: which parts of a route units drove, as rows. */

import { WayzoneError } from '../../../core/errors.js';
import { matchRoute, type PreparedRoute, prepareRoute, type RoutePart } from '../../../tracks/index.js';
import { type FixFlags, type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { collect } from '../../shared/collect.js';
import { unitTracks } from '../../shared/unitTracks.js';

export interface ProgressFlags extends TrackFlags, FixFlags, RowOutput {
  readonly route: string;
  readonly tracks: readonly string[];
  readonly width: number;
}

const COLUMNS = ['unit_id', 'from_meters', 'to_meters', 'status', 'passes', 'covered_share'] as const;

type PartRow = Readonly<Record<(typeof COLUMNS)[number], string | number>>;

export async function progress(flags: ProgressFlags, io: Io): Promise<boolean> {
  const reading = trackReading({ ...flags, axisOrder: 'lonlat', lineWidth: 'total' });
  const collected = await collect({ zones: [flags.route], tracks: flags.tracks }, reading);
  const rows = await openRows<PartRow, keyof PartRow>(COLUMNS, flags, io);
  try {
    const route = routeOf(collected.zones, flags.route);
    for (const { unitId, track } of unitTracks(collected, flags)) {
      const { parts, coveredShare } = matchRoute(track, route, { widthMeters: flags.width });
      await rows.write(parts.map((part) => rowOf(unitId, part, coveredShare)));
    }
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(collected.issues, io.stderr);
}

/** The only line of a file. */
function routeOf(
  zones: readonly {
    readonly type: { readonly key: string };
    readonly geometry: readonly (readonly [number, number])[];
  }[],
  file: string,
): PreparedRoute {
  const lines = zones.filter(({ type }) => type.key === 'line');
  if (lines.length === 1) return prepareRoute(lines[0]!.geometry);
  throw new WayzoneError('route-type', file, `expected one line in ${file}, received ${lines.length}`);
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
