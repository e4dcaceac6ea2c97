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
import { type Collected, collect } from '../../shared/collect.js';
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
  const { index, zones, units: fixes, issues } = await readFiles(flags);
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

/** The zones as an index, and their printed fields. Only the index holds the shapes. */
async function readFiles(flags: VisitsFlags): Promise<
  Pick<Collected, 'units' | 'issues'> & {
    readonly index: ZoneIndex;
    readonly zones: readonly { readonly zone: NamedZone }[];
  }
> {
  const collected = await collect(flags, { ...trackReading(flags), flatZones: true });
  const index = indexOf(collected, zoneOptions(flags));
  const zones = collected.zones.map(({ id, name, type }) => ({ zone: { id, name, type } }));
  return { index, zones, units: collected.units, issues: collected.issues };
}
