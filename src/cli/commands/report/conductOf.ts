/** Speeding, rides, closed hours, route and meetings of units, for `wayzone report`. */

import type { HoursOf } from '../../../core/zoneHours.js';
import { splitByHours } from '../../../hours/index.js';
import type { Asked, ClosedPart, Conduct, ReportMeeting, ReportRoute } from '../../../report/reportInput.js';
import {
  findMeetings,
  findRides,
  findSpeeding,
  matchRoute,
  type SpeedingOptions,
  type Track,
  type TrackMeter,
  type UnitSettings,
  type Visit,
} from '../../../tracks/index.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import { hoursOfZones } from '../../flags/hoursFlags.js';
import { hasLimits, limitOptions } from '../../flags/movementFlags.js';
import type { OutputStream } from '../../io/io.js';
import type { ReadingOptions } from '../../io/readingOptions.js';
import { collect } from '../../shared/collect.js';
import { routeOfFile } from '../../shared/indexOfZones.js';
import type { ConductFlags } from './reportFlags.js';

/** Parts of the report that the flags request, with the files that they need. */
export interface Asking {
  readonly asked: Asked;
  readonly route: ReportRoute | null;
  readonly hoursOf: HoursOf | undefined;
  readonly limits: Omit<SpeedingOptions, 'index'>;
  readonly routeWidth: number;
  readonly meetingMeters: number | null;
}

/** Reads the files of the flags. Errors: those of the files, `route-type`. */
export async function readAsking(
  flags: ConductFlags,
  settings: UnitSettings,
  reading: ReadingOptions,
  stderr: OutputStream,
): Promise<Asking> {
  const limits = await limitOptions(flags);
  const { hours: file, timeZone, holidays } = flags;
  const hoursOf = await hoursOfZones({
    ...(file !== undefined && { hours: file, ...(timeZone !== undefined && { timeZone }) }),
    ...(holidays !== undefined && { holidays }),
  });
  const { route, meetingMeters = null } = flags;
  return {
    asked: {
      speeding: hasLimits(limits, settings),
      hours: hoursOf !== undefined,
      meetings: meetingMeters !== null,
    },
    route: route === undefined ? null : await readRoute(route, reading, stderr),
    hoursOf,
    limits,
    routeWidth: flags.routeWidth,
    meetingMeters,
  };
}

async function readRoute(file: string, reading: ReadingOptions, stderr: OutputStream): Promise<ReportRoute> {
  const { zones, close } = await collect({ zones: [file], tracks: [] }, reading, stderr);
  close();
  return routeOfFile(zones, file);
}

interface UnitParts {
  readonly track: Track;
  readonly visits: readonly Visit[];
  readonly meter: TrackMeter;
  readonly index: ZoneIndex;
  readonly settings: UnitSettings;
  readonly gaps: {
    readonly maxGapSeconds: number;
    readonly maxGapMeters: number;
    readonly parkedMeters: number;
  };
}

/** Speeding, rides, closed hours and route of one unit. Of an open visit, hours are cut up to the last fix. */
export function conductOf(
  { asked, route, hoursOf, limits, routeWidth }: Asking,
  { track, visits, meter, index, settings, gaps }: UnitParts,
): Conduct {
  const zones = limits.zoneLimits === undefined ? {} : { index };
  const until = track.length === 0 ? {} : { until: track.time[track.length - 1]! };
  const parts = hoursOf === undefined ? [] : splitByHours(visits, hoursOf, until);
  const { maxGapSeconds, parkedMeters } = gaps;
  return {
    speeding: asked.speeding ? findSpeeding(track, { ...limits, ...zones, ...gaps, settings }) : [],
    rides: findRides(visits).map((ride) => ({ ...ride, measure: meter.between(ride.from, ride.to) })),
    closed: parts.flatMap(({ visit, from, to, open }): ClosedPart[] => (open ? [] : [{ visit, from, to }])),
    route:
      route === null
        ? null
        : matchRoute(track, route.prepared, { widthMeters: routeWidth, maxGapSeconds, parkedMeters }),
  };
}

/** The meetings of all pairs of units. */
export function meetingsOf({ meetingMeters }: Asking, tracks: readonly Track[]): ReportMeeting[] {
  if (meetingMeters === null) return [];
  return tracks.flatMap((a, i) =>
    tracks.slice(i + 1).flatMap((b, j) =>
      findMeetings(a, b, { meters: meetingMeters }).map(
        (meeting): ReportMeeting => ({
          units: [i, i + 1 + j],
          meeting,
        }),
      ),
    ),
  );
}
