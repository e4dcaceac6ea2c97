/** `wayzone visits`: the visits of tracks to zones, as rows. */

import type { HoursOf } from '../../../core/zoneHours.js';
import { splitByHours } from '../../../hours/index.js';
import type { ReportRow } from '../../../report/reportRow.js';
import {
  MEASURED_PART_COLUMNS,
  MEASURED_VISIT_COLUMNS,
  measuredVisitRows,
  type NamedZone,
  VISIT_COLUMNS,
  VISIT_PART_COLUMNS,
  type VisitPartRow,
  visitPartRows,
  visitRows,
} from '../../../report/visitsTable.js';
import { findVisits, type MeasuredVisit, meterTrack } from '../../../tracks/index.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import { type HoursFlags, hoursOfZones } from '../../flags/hoursFlags.js';
import { settingsOf } from '../../flags/movementFlags.js';
import {
  fixOptions,
  gapOptions,
  type TrackFlags,
  trackReading,
  visitOptions,
  type ZoneFlags,
  zoneOptions,
} from '../../flags/options.js';
import { type Io, refuse, reportIssues } from '../../io/io.js';
import { type RowOutput, writeRows } from '../../io/openRows.js';
import { type Collected, collect, lacksTracks, lacksZones } from '../../shared/collect.js';
import { exchangedZones } from '../../shared/exchangedZones.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';
import { type UnitTrackFlags, type UnitTracks, writeUnitRows } from '../../shared/unitTracks.js';

export interface VisitsFlags extends ZoneFlags, TrackFlags, HoursFlags, RowOutput {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly workers: number;
  readonly measure?: boolean;
  readonly settings?: string;
}

export async function visits(flags: VisitsFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const isMeasured = flags.measure === true;
  const hoursOf = await hoursOfZones(flags);
  const files = await readFiles(flags, io);
  if (!files.isComplete) return refuse(files.issues, io, `${files.what}, so no visit is printed`);
  const { index, zones, tracks, issues } = files;
  if (hoursOf !== undefined) {
    return visitsByHours(
      { index, zones, issues, units: tracks.units, close: tracks.close },
      hoursOf,
      flags,
      io,
    );
  }
  const options: ReplayCommand = {
    index,
    visitOptions: visitOptions(flags),
    ...(isMeasured && { measure: settings }),
    trackOptions: fixOptions(flags),
    workers: flags.workers,
  };
  const columns: readonly string[] = isMeasured ? MEASURED_VISIT_COLUMNS : VISIT_COLUMNS;
  await writeRows<ReportRow<string>, string>(columns, flags, io, async (rows) => {
    for await (const unit of replayUnits(tracks, options, issues, io)) {
      const { unitId, visits: found } = unit;
      await rows.write(
        isMeasured
          ? measuredVisitRows({ unitId, visits: found as readonly MeasuredVisit[] }, zones)
          : visitRows(unit, zones),
      );
    }
  });
  return reportIssues(issues, io.stderr);
}

interface VisitFiles extends Pick<Collected, 'issues'> {
  readonly isComplete: true;
  readonly index: ZoneIndex;
  readonly tracks: Pick<Collected, 'units' | 'close'>;
  readonly zones: ReadonlyMap<string, NamedZone>;
}

/** The zones as an index, with the fields to print. Only the index holds the shapes. If zones are missing, no track is read. */
async function readFiles(
  flags: VisitsFlags,
  io: Io,
): Promise<
  VisitFiles | { readonly isComplete: false; readonly what: string; readonly issues: Collected['issues'] }
> {
  const reading = { ...trackReading(flags), flatZones: true };
  const collected = await collect({ zones: flags.zones, tracks: [] }, reading, io.stderr);
  if (lacksZones(collected))
    return { isComplete: false, what: 'a file of zones could not be read', issues: collected.issues };
  const tracks = await collect({ zones: [], tracks: flags.tracks }, reading, io.stderr);
  for (const issue of tracks.issues) collected.issues.push(issue);
  if (lacksTracks(tracks))
    return { isComplete: false, what: 'the tracks could not be read', issues: collected.issues };
  const index = indexOfZones(collected, zoneOptions(flags));
  const { issues } = collected;
  const units = exchangedZones(index, tracks.units, issues, flags);
  if (units === null) {
    tracks.close();
    return { isComplete: false, what: 'the zones and tracks do not fit together', issues };
  }
  const zones = new Map(collected.zones.map(({ id, name, type }) => [id, { id, name, type }]));
  return { isComplete: true, index, zones, tracks: { ...tracks, units }, issues };
}

interface PartFlags extends UnitTrackFlags, RowOutput {
  readonly measure?: boolean;
  readonly settings?: string;
}

/** Writes the cut visits; an open visit is cut up to its unit's last fix. Returns whether everything could be read. */
async function visitsByHours(
  files: UnitTracks,
  hoursOf: HoursOf,
  flags: PartFlags,
  io: Io,
): Promise<boolean> {
  const { index, zones } = files;
  const settings = await settingsOf(flags.settings);
  const options = visitOptions(flags);
  const gaps = gapOptions(flags);
  const columns: readonly string[] = flags.measure ? MEASURED_PART_COLUMNS : VISIT_PART_COLUMNS;
  return writeUnitRows<VisitPartRow>(
    files,
    columns as readonly (keyof VisitPartRow)[],
    flags,
    io,
    (unitId, track) => {
      const visits = findVisits(track, index, options);
      const until = track.length === 0 ? {} : { until: track.time[track.length - 1]! };
      const parts = splitByHours(visits, hoursOf, until);
      const meter = flags.measure ? meterTrack(track, settings, gaps) : null;
      return visitPartRows({ unitId, visits }, parts, meter, zones);
    },
  );
}
