/** `wayzone speeding`: times and places at which units exceeded their limits, as rows. */

import { WayzoneError } from '../../../core/errors.js';
import { SPEEDING_COLUMNS, type SpeedingRow, speedingRows } from '../../../report/mileageRows.js';
import { findSpeeding, type SpeedingOptions } from '../../../tracks/index.js';
import { hasLimits, type LimitFlags, limitOptions, settingsOf } from '../../flags/movementFlags.js';
import { gapOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { readUnitTracks, type UnitTrackFlags } from '../../shared/unitTracks.js';
import { writeUnitRows } from '../../shared/writeUnitRows.js';

export interface SpeedingFlags extends UnitTrackFlags, RowOutput, LimitFlags {
  readonly settings?: string;
  readonly limit?: number;
}

export async function speeding(flags: SpeedingFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const limits = await limitOptions(flags);
  if (!hasLimits(limits, settings)) {
    const wanted = '--limit, --zone-limits, or --settings with advanced_speedlimit';
    throw new WayzoneError('option-value', 'limit', `expected ${wanted}, received none of them`);
  }
  const files = await readUnitTracks(flags, io, 'speeding');
  if (files === null) return false;
  const { index, zones } = files;
  const options: SpeedingOptions = {
    ...limits,
    ...(flags.zones !== undefined && { index }),
    settings,
    ...gapOptions(flags),
  };
  return writeUnitRows<SpeedingRow>(files, SPEEDING_COLUMNS, flags, io, (unitId, track) =>
    speedingRows(unitId, findSpeeding(track, options), zones),
  );
}
