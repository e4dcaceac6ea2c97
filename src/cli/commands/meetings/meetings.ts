/** `wayzone meetings`: times when units were near each other, as rows. */

import { isoTime } from '../../../report/isoTime.js';
import { findMeetings } from '../../../tracks/index.js';
import { type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { refuse } from '../../io/refuse.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeRows } from '../../io/writeRows.js';
import { collect, lacksTracks } from '../../shared/collect.js';
import { unitTracks } from '../../shared/unitTracks.js';

export interface MeetingsFlags extends TrackFlags, RowOutput {
  readonly tracks: readonly string[];
  readonly meters: number;
  readonly exitBuffer: number;
  readonly minSeconds: number;
}

const COLUMNS = [
  'unit_a',
  'unit_b',
  'from_utc',
  'to_utc',
  'duration_seconds',
  'min_meters',
  'min_utc',
  'end',
] as const;

type MeetingRow = Readonly<Record<(typeof COLUMNS)[number], string | number>>;

export async function meetings(flags: MeetingsFlags, io: Io): Promise<boolean> {
  const collected = await collect({ zones: [], tracks: flags.tracks }, trackReading(flags), io.stderr);
  if (lacksTracks(collected))
    return refuse(collected.issues, io, 'the tracks could not be read, so no meeting is printed');
  const tracks = [...unitTracks(collected, flags)];
  const { meters, exitBuffer: exitBufferMeters, minSeconds } = flags;
  await writeRows<MeetingRow, keyof MeetingRow>(COLUMNS, flags, io, async (rows) => {
    for (const [i, a] of tracks.entries()) {
      for (const b of tracks.slice(i + 1)) {
        const found = findMeetings(a.track, b.track, { meters, exitBufferMeters, minSeconds });
        await rows.write(
          found.map(({ from, to, minMeters, minTime, end }) => ({
            unit_a: a.unitId,
            unit_b: b.unitId,
            from_utc: isoTime(from),
            to_utc: isoTime(to),
            duration_seconds: (to - from) / 1000,
            min_meters: Math.round(minMeters * 100) / 100,
            min_utc: isoTime(minTime),
            end,
          })),
        );
      }
    }
  });
  return reportIssues(collected.issues, io.stderr);
}
