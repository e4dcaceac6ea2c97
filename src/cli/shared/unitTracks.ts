/** The tracks of units from files, with the zones. */

import { WayzoneError } from '../../core/errors.js';
import type { Fix, FixTable, Track } from '../../core/fix.js';
import { fixesOf } from '../../interchange/common/fixBatches.js';
import type { FileIssue } from '../../report/index.js';
import type { ReportRow } from '../../report/reportRow.js';
import type { NamedZone } from '../../report/visitsTable.js';
import { readTrack } from '../../tracks/index.js';
import type { ZoneIndex } from '../../zones/zoneIndex.js';
import { fixOptions, type TrackFlags, trackReading, type ZoneFlags, zoneOptions } from '../flags/options.js';
import { type Io, type OutputStream, refuse, reportIssues, startProgress } from '../io/io.js';
import { type RowOutput, writeRows } from '../io/openRows.js';
import { fixesText } from '../io/terminal.js';
import { type Collected, collect, lacksTracks, lacksZones } from './collect.js';
import { exchangedZones } from './exchangedZones.js';
import { indexOfZones } from './indexOfZones.js';

export interface UnitTrackFlags extends ZoneFlags, TrackFlags {
  readonly zones?: readonly string[];
  readonly tracks: readonly string[];
}

/** Input of a command. Only the index holds the shapes. */
export interface UnitTracks extends Pick<Collected, 'units' | 'close' | 'issues'> {
  readonly index: ZoneIndex;
  readonly zones: ReadonlyMap<string, NamedZone>;
}

/**
 * Reads zones and tracks. Null, with a message, if a file of zones or all tracks could not be read, or if zones and tracks do not fit
 * together.
 */
export async function readUnitTracks(
  flags: UnitTrackFlags,
  io: Io,
  what: string,
): Promise<UnitTracks | null> {
  const reading = { ...trackReading(flags), flatZones: true };
  const collected = await collect({ zones: flags.zones ?? [], tracks: [] }, reading, io.stderr);
  if (lacksZones(collected)) {
    refuse(collected.issues, io, `a file of zones could not be read, so no ${what} is printed`);
    return null;
  }
  const tracks = await collect({ zones: [], tracks: flags.tracks }, reading, io.stderr);
  const { issues } = collected;
  for (const issue of tracks.issues) issues.push(issue);
  const index = indexOfZones(collected, zoneOptions(flags));
  const isUnread = lacksTracks(tracks);
  const units = isUnread ? null : exchangedZones(index, tracks.units, issues, flags);
  if (units === null) {
    tracks.close();
    const why = isUnread ? 'the tracks could not be read' : 'the zones and tracks do not fit together';
    refuse(issues, io, `${why}, so no ${what} is printed`);
    return null;
  }
  const zones = new Map(collected.zones.map(({ id, name, type }) => [id, { id, name, type }]));
  return { units, close: tracks.close, issues, index, zones };
}

/**
 * Calls `work` with each unit's track, with a progress bar. A unit that fails becomes an issue. Then closes the fixes, and reports the
 * left-out fixes on stderr.
 */
export async function forEachTrack(
  { units, close, issues }: Pick<UnitTracks, 'units' | 'close' | 'issues'>,
  flags: object,
  io: Io,
  work: (unitId: string, track: Track) => Promise<void>,
): Promise<void> {
  const progress = await startProgress(io.stderr, units.length, 'units {bar} {value}/{total}');
  const counts = new FixCounts();
  try {
    for (const { unitId, fixes } of units) {
      try {
        const track = readTrack(allFixes(fixes), fixOptions(flags));
        const rejected = Object.values(track.rejected).reduce((sum, count) => sum + count, 0);
        counts.add(track.length + rejected, track.length, track.rejected);
        await work(unitId, track);
      } catch (error) {
        if (!(error instanceof WayzoneError) || isOfAll(error)) throw error;
        issues.push(issueOf(unitId, error));
      }
      progress.step();
    }
    counts.report(io.stderr);
  } finally {
    progress.stop();
    close();
  }
}

/** One track per unit, in order of unit id. Then closes the fixes. */
export function* unitTracks(
  { units, close }: Pick<Collected, 'units' | 'close'>,
  flags: object,
): Generator<{ unitId: string; track: Track }> {
  try {
    for (const { unitId, fixes } of units)
      yield { unitId, track: readTrack(allFixes(fixes), fixOptions(flags)) };
  } finally {
    close();
  }
}

/** Whether the error concerns an option, and so all units. */
function isOfAll({ field }: WayzoneError): boolean {
  return field.startsWith('options') || field.startsWith('settings');
}

function issueOf(unitId: string, { code, field, message }: WayzoneError): FileIssue {
  const place = `unit ${JSON.stringify(unitId)} ${field}`;
  return { code, severity: 'error', field: place, message, file: '' };
}

export function* allFixes(tables: Iterable<FixTable>): Generator<Fix> {
  for (const table of tables) yield* fixesOf(table);
}

/** Number of fixes of all units that a command used, and left out by reason. */
export class FixCounts {
  read = 0;
  used = 0;
  readonly leftOut: Record<string, number> = {};

  /** Adds the fixes of one unit. */
  add(read: number, used: number, rejected: Track['rejected']): void {
    this.read += read;
    this.used += used;
    for (const [reason, count] of Object.entries(rejected))
      this.leftOut[reason] = (this.leftOut[reason] ?? 0) + count;
  }

  /** Writes how many fixes were left out, if any were. */
  report(stderr: OutputStream): void {
    if (this.read > this.used) stderr.write(`Fixes: ${fixesText(this)}\n`);
  }
}

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
