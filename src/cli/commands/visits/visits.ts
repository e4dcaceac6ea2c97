/** `wayzone visits`: the visits of tracks to zones, as rows. */

import { type NamedZone, VISIT_COLUMNS, type VisitRow, visitRows } from '../../../report/visitsTable.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import {
  type FixFlags,
  type Format,
  fixOptions,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  visitOptions,
  type ZoneFlags,
  zoneOptions,
} from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows } from '../../io/openRows.js';
import { reportIssues } from '../../io/reportIssues.js';
import { type Collected, collect, lacksZones } from '../../shared/collect.js';
import { indexOf } from '../../shared/indexOf.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';

export interface VisitsFlags extends ZoneFlags, TrackFlags, FixFlags, VisitFlags {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly format: Format;
  readonly workers: number;
  readonly out?: string;
}

export async function visits(flags: VisitsFlags, io: Io): Promise<boolean> {
  const files = await readFiles(flags);
  if (!files.isComplete) {
    reportIssues(files.issues, io.stderr);
    io.stderr.write('wayzone: a file of zones could not be read, so no visit is printed\n');
    return false;
  }
  const { index, zones, tracks, issues } = files;
  const options: ReplayCommand = {
    index,
    visitOptions: visitOptions(flags),
    trackOptions: fixOptions(flags),
    workers: flags.workers,
  };
  const rows = await openRows<VisitRow, keyof VisitRow>(VISIT_COLUMNS, flags, io);
  try {
    for await (const unit of replayUnits(tracks, options, issues, io))
      await rows.write(visitRows(unit, zones));
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}

interface VisitFiles extends Pick<Collected, 'issues'> {
  readonly isComplete: true;
  readonly index: ZoneIndex;
  readonly tracks: Pick<Collected, 'units' | 'close'>;
  readonly zones: ReadonlyMap<string, NamedZone>;
}

/** The zones as an index, and their printed fields. Only the index holds the shapes. No track is read if zones are missing. */
async function readFiles(
  flags: VisitsFlags,
): Promise<VisitFiles | { readonly isComplete: false; readonly issues: Collected['issues'] }> {
  const reading = { ...trackReading(flags), flatZones: true };
  const collected = await collect({ zones: flags.zones, tracks: [] }, reading);
  if (lacksZones(collected)) return { isComplete: false, issues: collected.issues };
  const tracks = await collect({ zones: [], tracks: flags.tracks }, reading);
  for (const issue of tracks.issues) collected.issues.push(issue);
  const index = indexOf(collected, zoneOptions(flags));
  const zones = new Map(collected.zones.map(({ id, name, type }) => [id, { id, name, type }]));
  return { isComplete: true, index, zones, tracks, issues: collected.issues };
}
