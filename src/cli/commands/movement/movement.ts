/** `wayzone movement`: the trips, parkings, stops and unknown times of tracks, as rows. */

import { MOVEMENT_COLUMNS, type MovementRow, movementRows } from '../../../report/movementRows.js';
import { type MovementFlags, settingsOf } from '../../flags/movementFlags.js';
import { fixOptions, type TrackFlags, trackReading } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { refuse } from '../../io/refuse.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeRows } from '../../io/writeRows.js';
import { collect, lacksTracks } from '../../shared/collect.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';

export interface CommandFlags extends TrackFlags, MovementFlags, RowOutput {
  readonly workers: number;
}

export async function movement(files: readonly string[], flags: CommandFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const collected = await collect({ zones: [], tracks: files }, trackReading(flags), io.stderr);
  const { issues } = collected;
  if (lacksTracks(collected)) return refuse(issues, io, 'the tracks could not be read, so no row is printed');
  const options: ReplayCommand = {
    movement: settings,
    movementOptions: { jump: flags.jump },
    trackOptions: fixOptions(flags),
    workers: flags.workers,
  };
  await writeRows<MovementRow, keyof MovementRow>(MOVEMENT_COLUMNS, flags, io, async (rows) => {
    for await (const { unitId, movement: found } of replayUnits(collected, options, issues, io)) {
      if (found === null) continue;
      await rows.write(movementRows(unitId, found));
      for (const issue of found.issues)
        issues.push({ ...issue, field: `${unitId} ${issue.field}`, file: '' });
    }
  });
  return reportIssues(issues, io.stderr);
}
