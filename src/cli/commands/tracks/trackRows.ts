/** The work of commands that print rows of units: movement, rides, mileage, speeding, meetings, and progress along a route. */

import { WayzoneError } from '../../../core/errors.js';
import {
  MILEAGE_COLUMNS,
  type MileageRow,
  MOVEMENT_COLUMNS,
  type MovementRow,
  mileageRows,
  movementRows,
  RIDE_COLUMNS,
  type RideRow,
  rideRows,
  SPEEDING_COLUMNS,
  type SpeedingRow,
  speedingRows,
} from '../../../report/mileageRows.js';
import { isoTime } from '../../../report/reportRow.js';
import {
  findMeetings,
  findRides,
  findSpeeding,
  findVisits,
  matchRoute,
  meterTrack,
  type RoutePart,
  type SpeedingOptions,
  splitByZone,
  sumByZone,
} from '../../../tracks/index.js';
import {
  hasLimits,
  type LimitFlags,
  limitOptions,
  type MovementFlags,
  settingsOf,
} from '../../flags/movementFlags.js';
import { fixOptions, gapOptions, type TrackFlags, trackReading, visitOptions } from '../../flags/options.js';
import { type Io, refuse, reportIssues } from '../../io/io.js';
import { type RowOutput, writeRows } from '../../io/openRows.js';
import { collect, lacksTracks, lacksZones } from '../../shared/collect.js';
import { routeOfFile } from '../../shared/indexOfZones.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';
import { readUnitTracks, type UnitTrackFlags, unitTracks, writeUnitRows } from '../../shared/unitTracks.js';

const PROGRESS_COLUMNS = [
  'unit_id',
  'from_meters',
  'to_meters',
  'status',
  'passes',
  'covered_share',
] as const;

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

export interface RidesFlags extends UnitTrackFlags, RowOutput {
  readonly zones: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly minStay: number;
  readonly circles?: boolean;
  readonly settings?: string;
}

export async function rides(flags: RidesFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const files = await readUnitTracks(flags, io, 'ride');
  if (files === null) return false;
  const { index, zones } = files;
  const options = visitOptions(flags);
  const gaps = gapOptions(flags);
  const { from, to, minStay: minStaySeconds, circles: allowCircle = false } = flags;
  const rideOptions = { ...(from && { from }), ...(to && { to }), minStaySeconds, allowCircle };
  return writeUnitRows<RideRow>(files, RIDE_COLUMNS, flags, io, (unitId, track) => {
    const meter = meterTrack(track, settings, gaps);
    return rideRows(unitId, findRides(findVisits(track, index, options), rideOptions), meter, zones);
  });
}

export interface MileageFlags extends UnitTrackFlags, RowOutput {
  readonly zones: readonly string[];
  readonly by: 'all' | 'day' | 'month';
  readonly settings?: string;
}

export async function mileage(flags: MileageFlags, io: Io): Promise<boolean> {
  const settings = await settingsOf(flags.settings);
  const files = await readUnitTracks(flags, io, 'mileage');
  if (files === null) return false;
  const { index, zones } = files;
  const gaps = gapOptions(flags);
  return writeUnitRows<MileageRow>(files, MILEAGE_COLUMNS, flags, io, (unitId, track) => {
    const runs = splitByZone(track, index, { ...gaps, settings });
    const meter = meterTrack(track, settings, gaps);
    return mileageRows(
      unitId,
      sumByZone(runs, meter, { by: flags.by, timeZone: flags.timeZone ?? 'UTC' }),
      zones,
    );
  });
}

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

export interface MeetingsFlags extends TrackFlags, RowOutput {
  readonly tracks: readonly string[];
  readonly meters: number;
  readonly exitBuffer: number;
  readonly minSeconds: number;
}

const MEETING_COLUMNS = [
  'unit_a',
  'unit_b',
  'from_utc',
  'to_utc',
  'duration_seconds',
  'min_meters',
  'min_utc',
  'end',
] as const;

type MeetingRow = Readonly<Record<(typeof MEETING_COLUMNS)[number], string | number>>;

export async function meetings(flags: MeetingsFlags, io: Io): Promise<boolean> {
  const collected = await collect({ zones: [], tracks: flags.tracks }, trackReading(flags), io.stderr);
  if (lacksTracks(collected))
    return refuse(collected.issues, io, 'the tracks could not be read, so no meeting is printed');
  const tracks = [...unitTracks(collected, flags)];
  const { meters, exitBuffer: exitBufferMeters, minSeconds } = flags;
  await writeRows<MeetingRow, keyof MeetingRow>(MEETING_COLUMNS, flags, io, async (rows) => {
    for (const [i, a] of tracks.entries()) {
      for (const b of tracks.slice(i + 1)) {
        const found = findMeetings(a.track, b.track, { meters, exitBufferMeters, minSeconds });
        await rows.write(
          found.map(({ from, to, minMeters, minTime, end }) => ({
            unit_a: a.unitId,
            unit_b: b.unitId,
            from_utc: isoTime(from),
            to_utc: isoTime(to),
            duration_seconds: (to - from) / 1000,
            min_meters: Math.round(minMeters * 100) / 100,
            min_utc: isoTime(minTime),
            end,
          })),
        );
      }
    }
  });
  return reportIssues(collected.issues, io.stderr);
}

export interface ProgressFlags extends TrackFlags, RowOutput {
  readonly route: string;
  readonly tracks: readonly string[];
  readonly width: number;
}

type PartRow = Readonly<Record<(typeof PROGRESS_COLUMNS)[number], string | number>>;

export async function progress(flags: ProgressFlags, io: Io): Promise<boolean> {
  const collected = await collect(
    { zones: [flags.route], tracks: flags.tracks },
    trackReading(flags),
    io.stderr,
  );
  const isUnread = lacksTracks(collected);
  if (isUnread || lacksZones(collected)) {
    const what = isUnread ? 'tracks' : 'route';
    return refuse(collected.issues, io, `the ${what} could not be read, so no row is printed`);
  }
  await writeRows<PartRow, keyof PartRow>(PROGRESS_COLUMNS, flags, io, async (rows) => {
    const { prepared } = routeOfFile(collected.zones, flags.route);
    for (const { unitId, track } of unitTracks(collected, flags)) {
      const { parts, coveredShare } = matchRoute(track, prepared, { widthMeters: flags.width });
      await rows.write(parts.map((part) => rowOf(unitId, part, coveredShare)));
    }
  });
  return reportIssues(collected.issues, io.stderr);
}

function rowOf(unitId: string, { fromMeters, toMeters, status, passes }: RoutePart, share: number): PartRow {
  return {
    unit_id: unitId,
    from_meters: Math.round(fromMeters * 10) / 10,
    to_meters: Math.round(toMeters * 10) / 10,
    status,
    passes,
    covered_share: Math.round(share * 10_000) / 10_000,
  };
}
