/** `wayzone visits`: the visits of tracks to zones, as rows. */

import type { UnitReplay } from '../parallel/index.js';
import { VISIT_COLUMNS, visitsTable } from '../report/index.js';
import { collect } from './collect.js';
import { indexOf } from './indexOf.js';
import {
  type Format,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  visitOptions,
  type ZoneFlags,
  zoneOptions,
} from './options.js';
import { type ReplayCommand, replayUnits } from './replayUnits.js';
import type { Io } from './run.js';
import { tellIssues } from './tellIssues.js';
import { writeParquet } from './writeParquet.js';
import { writeRows } from './writeRows.js';

export interface VisitsFlags extends ZoneFlags, TrackFlags, VisitFlags {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly format: Format;
  readonly maxSpeed: number;
  readonly workers: number;
  readonly out?: string;
}

export async function visits(flags: VisitsFlags, io: Io): Promise<boolean> {
  const collected = await collect(flags, { ...trackReading(flags), flatZones: true });
  const index = indexOf(collected, zoneOptions(flags));
  const options: ReplayCommand = {
    zones: index,
    visitOptions: visitOptions(flags),
    trackOptions: { maxSpeedKph: flags.maxSpeed },
    workers: flags.workers,
  };
  const units: UnitReplay[] = [];
  for await (const unit of replayUnits(collected.units, options, collected.issues, io)) units.push(unit);
  const rows = visitsTable({ zones: collected.zones.map((zone) => ({ zone })), units });
  if (flags.out === undefined) writeRows(VISIT_COLUMNS, rows, flags.format, io);
  else await writeParquet(flags.out, VISIT_COLUMNS, rows);
  return tellIssues(collected.issues, io.stderr);
}
