/** `wayzone rides`: the rides of units between zones, as rows. */

import { RIDE_COLUMNS, type RideRow, rideRows } from '../../../report/mileageRows.js';
import { findRides, findVisits, meterTrack } from '../../../tracks/index.js';
import { settingsOf } from '../../flags/movementFlags.js';
import { gapOptions, visitOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';
import { writeUnitRows } from '../../shared/writeUnitRows.js';

export interface RidesFlags extends UnitTrackFlags, RowOutput {
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
  const { index, zones } = files;
  const options = visitOptions(flags);
  const gaps = gapOptions(flags);
  const { from, to, minStay: minStaySeconds, circles: allowCircle = false } = flags;
  const rideOptions = { ...(from && { from }), ...(to && { to }), minStaySeconds, allowCircle };
  return writeUnitRows<RideRow>(files, RIDE_COLUMNS, flags, io, (unitId, track) => {
    const meter = meterTrack(track, settings, gaps);
    return rideRows(unitId, findRides(findVisits(track, index, options), rideOptions), meter, zones);
  });
}
