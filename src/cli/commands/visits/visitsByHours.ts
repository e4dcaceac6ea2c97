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
import { gapOptions, visitOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import type { UnitTrackFlags, UnitTracks } from '../../shared/unitTracks.js';
import { writeUnitRows } from '../../shared/writeUnitRows.js';

interface PartFlags extends UnitTrackFlags, RowOutput {
  readonly measure?: boolean;
  readonly settings?: string;
}

/** Writes the cut visits; an open visit is cut up to its unit's last fix. Returns whether everything could be read. */
export async function visitsByHours(
  files: UnitTracks,
  hoursOf: HoursOf,
  flags: PartFlags,
  io: Io,
): Promise<boolean> {
  const { index, zones } = files;
  const settings = await settingsOf(flags.settings);
  const options = visitOptions(flags);
  const gaps = gapOptions(flags);
  const columns: readonly string[] = flags.measure ? MEASURED_PART_COLUMNS : VISIT_PART_COLUMNS;
  return writeUnitRows<VisitPartRow>(
    files,
    columns as readonly (keyof VisitPartRow)[],
    flags,
    io,
    (unitId, track) => {
      const visits = findVisits(track, index, options);
      const until = track.length === 0 ? {} : { until: track.time[track.length - 1]! };
      const parts = splitByHours(visits, hoursOf, until);
      const meter = flags.measure ? meterTrack(track, settings, gaps) : null;
      return visitPartRows({ unitId, visits }, parts, meter, zones);
    },
  );
}
