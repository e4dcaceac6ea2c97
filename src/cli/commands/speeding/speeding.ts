/** `wayzone speeding`: where units exceeded their limits, as rows. */

import { SPEEDING_COLUMNS, type SpeedingRow, speedingRows } from '../../../report/mileageRows.js';
import { findSpeeding, type SpeedingOptions } from '../../../tracks/index.js';
import { type LimitFlags, limitOptions, settingsOf } from '../../flags/movementFlags.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { forEachTrack, readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';

export interface SpeedingFlags extends UnitTrackFlags, RowOutput, LimitFlags {
  readonly settings?: string;
  readonly maxGap: number;
}

export async function speeding(flags: SpeedingFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const limits = await limitOptions(flags);
  const files = await readUnitTracks(flags, io, 'speeding');
  if (files === null) return false;
  const { index, zones, issues } = files;
  const options: SpeedingOptions = {
    ...limits,
    ...(flags.zones !== undefined && { index }),
    settings,
    maxGapSeconds: flags.maxGap,
    parkedMeters: flags.parked,
  };
  const rows = await openRows<SpeedingRow, keyof SpeedingRow>(SPEEDING_COLUMNS, flags, io);
  try {
    await forEachTrack(files, flags, io, async (unitId, track) => {
      await rows.write(speedingRows(unitId, findSpeeding(track, options), zones));
    });
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}
