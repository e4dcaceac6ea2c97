/** `wayzone rides`: the rides of units between zones, as rows. */

import { RIDE_COLUMNS, type RideRow, rideRows } from '../../../report/mileageRows.js';
import { findRides, findVisits, meterTrack } from '../../../tracks/index.js';
import { settingsOf } from '../../flags/movementFlags.js';
import { type VisitFlags, visitOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { forEachTrack, readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';

export interface RidesFlags extends UnitTrackFlags, VisitFlags, RowOutput {
  readonly zones: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly minStay: number;
  readonly circles?: boolean;
  readonly settings?: string;
}

export async function rides(flags: RidesFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const files = await readUnitTracks(flags, io, 'ride');
  if (files === null) return false;
  const { index, zones, issues } = files;
  const options = visitOptions(flags);
  const { maxGapSeconds, maxGapMeters = Number.POSITIVE_INFINITY, parkedMeters } = options;
  const gaps = { maxGapSeconds, maxGapMeters, parkedMeters };
  const { from, to, minStay: minStaySeconds, circles: allowCircle = false } = flags;
  const rideOptions = { ...(from && { from }), ...(to && { to }), minStaySeconds, allowCircle };
  const rows = await openRows<RideRow, keyof RideRow>(RIDE_COLUMNS, flags, io);
  try {
    await forEachTrack(files, flags, io, async (unitId, track) => {
      const meter = meterTrack(track, settings, gaps);
      const found = findRides(findVisits(track, index, options), rideOptions);
      await rows.write(rideRows(unitId, found, meter, zones));
    });
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}
