/** Writes rows of every unit's track. */

import type { Track } from '../../core/fix.js';
import type { ReportRow } from '../../report/reportRow.js';
import type { Io } from '../io/io.js';
import type { RowOutput } from '../io/openRows.js';
import { reportIssues } from '../io/reportIssues.js';
import { writeRows } from '../io/writeRows.js';
import { forEachTrack, type UnitTrackFlags, type UnitTracks } from './unitTracks.js';

/** Writes the rows that `rowsOf` returns for each unit. Returns whether everything could be read. */
export async function writeUnitRows<Row extends ReportRow<string>>(
  files: UnitTracks,
  columns: readonly (keyof Row & string)[],
  flags: UnitTrackFlags & RowOutput,
  io: Io,
  rowsOf: (unitId: string, track: Track) => readonly Row[],
): Promise<boolean> {
  await writeRows<Row, keyof Row & string>(columns, flags, io, (rows) =>
    forEachTrack(files, flags, io, (unitId, track) => rows.write(rowsOf(unitId, track))),
  );
  return reportIssues(files.issues, io.stderr);
}
