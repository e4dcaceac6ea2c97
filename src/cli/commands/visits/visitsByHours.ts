/** `wayzone visits --hours`: visits cut where their zone opens and closes, as rows. */

import type { HoursOf } from '../../../core/zoneHours.js';
import { splitByHours } from '../../../hours/index.js';
import {
  MEASURED_PART_COLUMNS,
  VISIT_PART_COLUMNS,
  type VisitPartRow,
  visitPartRows,
} from '../../../report/visitPartRows.js';
import { findVisits, meterTrack } from '../../../tracks/index.js';
import { settingsOf } from '../../flags/movementFlags.js';
import { type FixFlags, type VisitFlags, visitOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { forEachTrack, type UnitTracks } from '../../shared/unitTracks.js';

interface PartFlags extends VisitFlags, FixFlags, RowOutput {
  readonly measure?: boolean;
  readonly settings?: string;
}

/** An open visit is cut up to the last fix of its unit. Whether all could be read. */
export async function visitsByHours(
  files: UnitTracks,
  hoursOf: HoursOf,
  flags: PartFlags,
  io: Io,
): Promise<boolean> {
  const { index, zones, issues } = files;
  const settings = await settingsOf(flags.settings);
  const options = visitOptions(flags);
  const { maxGapSeconds, maxGapMeters = Number.POSITIVE_INFINITY, parkedMeters } = options;
  const gaps = { maxGapSeconds, maxGapMeters, parkedMeters };
  const columns: readonly string[] = flags.measure ? MEASURED_PART_COLUMNS : VISIT_PART_COLUMNS;
  const rows = await openRows<VisitPartRow, string>(columns, flags, io);
  try {
    await forEachTrack(files, flags, io, async (unitId, track) => {
      const visits = findVisits(track, index, options);
      const until = track.length === 0 ? {} : { until: track.time[track.length - 1]! };
      const parts = splitByHours(visits, hoursOf, until);
      const meter = flags.measure ? meterTrack(track, settings, gaps) : null;
      await rows.write(visitPartRows({ unitId, visits }, parts, meter, zones));
    });
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}
