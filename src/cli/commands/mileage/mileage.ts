/** `wayzone mileage`: what units did by zone and period, as rows. */

import { MILEAGE_COLUMNS, type MileageRow, mileageRows } from '../../../report/mileageRows.js';
import { meterTrack, splitByZone, sumByZone } from '../../../tracks/index.js';
import { settingsOf } from '../../flags/movementFlags.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { forEachTrack, readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';

export interface MileageFlags extends UnitTrackFlags, RowOutput {
  readonly zones: readonly string[];
  readonly by: 'all' | 'day' | 'month';
  readonly settings?: string;
  readonly maxGap: number;
}

export async function mileage(flags: MileageFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const files = await readUnitTracks(flags, io, 'mileage');
  if (files === null) return false;
  const { index, zones, issues } = files;
  const gaps = { maxGapSeconds: flags.maxGap, parkedMeters: flags.parked };
  const rows = await openRows<MileageRow, keyof MileageRow>(MILEAGE_COLUMNS, flags, io);
  try {
    await forEachTrack(files, flags, io, async (unitId, track) => {
      const runs = splitByZone(track, index, { ...gaps, settings });
      const meter = meterTrack(track, settings, gaps);
      const sums = sumByZone(runs, meter, { by: flags.by, timeZone: flags.timeZone ?? 'UTC' });
      await rows.write(mileageRows(unitId, sums, zones));
    });
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}
