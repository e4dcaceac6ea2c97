/** `wayzone visits`: the visits of tracks to zones, as rows. */

import type { ReplayResult } from '../../../parallel/index.js';
import { type NamedZone, VISIT_COLUMNS, visitsTable } from '../../../report/visitsTable.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import {
  type Format,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  visitOptions,
  type ZoneFlags,
  zoneOptions,
} from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeParquet } from '../../io/writeParquet.js';
import { writeRows } from '../../io/writeRows.js';
import { type Collected, collect, lacksZones } from '../../shared/collect.js';
import { indexOf } from '../../shared/indexOf.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';

export interface VisitsFlags extends ZoneFlags, TrackFlags, VisitFlags {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly format: Format;
  readonly maxSpeed: number;
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
  const { index, zones, units: fixes, issues } = files;
  const options: ReplayCommand = {
    index,
    visitOptions: visitOptions(flags),
    trackOptions: { maxSpeedKph: flags.maxSpeed },
    workers: flags.workers,
  };
  const units: ReplayResult[] = [];
  for await (const unit of replayUnits(fixes, options, issues, io)) units.push(unit);
  const rows = visitsTable({ zones, units });
  if (flags.out === undefined) writeRows(VISIT_COLUMNS, rows, flags.format, io);
  else await writeParquet(flags.out, VISIT_COLUMNS, rows);
  return reportIssues(issues, io.stderr);
}

interface VisitFiles extends Pick<Collected, 'units' | 'issues'> {
  readonly isComplete: true;
  readonly index: ZoneIndex;
  readonly zones: readonly { readonly zone: NamedZone }[];
}

/** The zones as an index, and their printed fields. Only the index holds the shapes. No track is read if zones are missing. */
async function readFiles(
  flags: VisitsFlags,
): Promise<VisitFiles | { readonly isComplete: false; readonly issues: Collected['issues'] }> {
  const reading = { ...trackReading(flags), flatZones: true };
  const collected = await collect({ zones: flags.zones, tracks: [] }, reading);
  if (lacksZones(collected)) return { isComplete: false, issues: collected.issues };
  const { units, issues } = await collect({ zones: [], tracks: flags.tracks }, reading);
  for (const issue of issues) collected.issues.push(issue);
  const index = indexOf(collected, zoneOptions(flags));
  const zones = collected.zones.map(({ id, name, type }) => ({ zone: { id, name, type } }));
  return { isComplete: true, index, zones, units, issues: collected.issues };
}
