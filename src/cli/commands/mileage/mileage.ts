/** `wayzone mileage`: distance and times of units by zone and period, as rows. */

import { MILEAGE_COLUMNS, type MileageRow, mileageRows } from '../../../report/mileageRows.js';
import { meterTrack, splitByZone, sumByZone } from '../../../tracks/index.js';
import { settingsOf } from '../../flags/movementFlags.js';
import { gapOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';
import { writeUnitRows } from '../../shared/writeUnitRows.js';

export interface MileageFlags extends UnitTrackFlags, RowOutput {
  readonly zones: readonly string[];
  readonly by: 'all' | 'day' | 'month';
  readonly settings?: string;
}

export async function mileage(flags: MileageFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const files = await readUnitTracks(flags, io, 'mileage');
  if (files === null) return false;
  const { index, zones } = files;
  const gaps = gapOptions(flags);
  return writeUnitRows<MileageRow>(files, MILEAGE_COLUMNS, flags, io, (unitId, track) => {
    const runs = splitByZone(track, index, { ...gaps, settings });
    const meter = meterTrack(track, settings, gaps);
    return mileageRows(
      unitId,
      sumByZone(runs, meter, { by: flags.by, timeZone: flags.timeZone ?? 'UTC' }),
      zones,
    );
  });
}
