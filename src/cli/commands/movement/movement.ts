/** `wayzone movement`: the trips, parkings and stops of tracks, as rows. */

import { MOVEMENT_COLUMNS, type MovementRow, movementRows } from '../../../report/movementRows.js';
import { type MovementFlags, settingsOf } from '../../flags/movementFlags.js';
import { fixOptions, type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { collect, lacksTracks } from '../../shared/collect.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';

export interface CommandFlags extends TrackFlags, MovementFlags, RowOutput {
  readonly workers: number;
}

export async function movement(files: readonly string[], flags: CommandFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const reading = trackReading({ ...flags, axisOrder: 'lonlat', lineWidth: 'total' });
  const collected = await collect({ zones: [], tracks: files }, reading);
  const { issues } = collected;
  if (lacksTracks(collected)) {
    reportIssues(issues, io.stderr);
    io.stderr.write('wayzone: the tracks could not be read, so no row is printed\n');
    return false;
  }
  const options: ReplayCommand = {
    movement: settings,
    movementOptions: { jump: flags.jump },
    trackOptions: fixOptions(flags),
    workers: flags.workers,
  };
  const rows = await openRows<MovementRow, keyof MovementRow>(MOVEMENT_COLUMNS, flags, io);
  try {
    for await (const { unitId, movement: found } of replayUnits(collected, options, issues, io)) {
      if (found === null) continue;
      await rows.write(movementRows(unitId, found));
      for (const issue of found.issues ?? [])
        issues.push({ ...issue, field: `${unitId} ${issue.field}`, file: '' });
    }
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}
