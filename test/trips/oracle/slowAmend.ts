/** T49: a run whose plan is amended under way. Read from the text; the amended run is then judged like any other. */

import type { Track } from '../../../src/core/fix.js';
import type { Trip } from '../../../src/core/trip.js';
import { ZoneIndex } from '../../../src/index.js';
import { findVisits, type Visit } from '../../../src/tracks/index.js';
import type { PointReport } from '../../../src/trips/index.js';
import type { Place, Run, Settled, SlowOptions, SlowReport, Stay } from './slowModel.js';
import { type HandedPart, visitsOfParts } from './slowParts.js';
import { countJoints, judgedRun, MAX_JOINTS } from './slowReport.js';
import { cut, shapesOf, slowRun, visitOptions } from './slowRun.js';
import type { Case } from './slowStatus.js';

/** One amendment. */
export interface SlowAmendment {
  readonly at: number;
  readonly trip: Trip;
  readonly from: readonly (number | null)[];
}

/** What else is known of a run: its excused points and hand-overs. */
export type Changed = (run: Run) => Run;
const unchanged: Changed = (run) => run;

/**
 * The run at the amendment by the old plan, and the amended run at `now`; null where one zone continues several, or not all sets of joints can be tried. `old` adds to the run what
 * changed before the amendment.
 */
export function amendedRun(
  trip: Trip,
  date: string,
  track: Track | readonly HandedPart[],
  options: SlowOptions,
  { at, trip: newTrip, from }: SlowAmendment,
  old: Changed = unchanged,
): Run | null {
  const before = old(slowRun(trip, date, track, { ...options, now: at }));
  if (countJoints(before) > MAX_JOINTS) return null;
  const { report, given } = judgedRun(before);
  const plain = slowRun(newTrip, date, track, options);
  const window = {
    from: before.window.from < at ? Math.min(before.window.from, plain.window.from) : plain.window.from,
    to: Math.max(plain.window.to, Math.min(before.window.to, at)),
  };
  const own = slowRun(newTrip, date, track, { ...options, now: options.now ?? window.to }, window);
  const linked = linkedZones(before, own, from);
  if (linked.some((zones) => zones.length > 1)) return null;
  const settled = from.map((i) => settledOf(given, report, i));
  const metersTo = (zone: number, place: Place, time = Number.POSITIVE_INFINITY): number => {
    const old = linked[zone]![0];
    if (time > at || old?.isSame) return own.metersTo(zone, place);
    return old === undefined ? Number.POSITIVE_INFINITY : before.metersTo(old.zone, place);
  };
  const points = own.points.map((point, j) => {
    const i = from[j];
    if (!settled[j] || i === null || i === undefined) return point;
    const { arrival, departure } = before.points[i]!;
    return { ...point, arrival, departure };
  });
  const started = given.activation !== null && given.activation.start <= at ? given.activation : null;
  const begun = started && { activation: started, isOwnFirst: from[0] === 0 };
  const served = new Set(
    given.assignment.flatMap((stay) => (stay !== null && stay.exit !== null ? stay.visits : [])).map(nameOf),
  );
  const visits = linked.map((zones, zone) =>
    visitsOf(own, zone, zones[0] ?? null, before, track, served, at),
  );
  const isServed = (zone: number, visit: Visit): boolean =>
    served.has(nameOf({ ...visit, zoneId: String(zone) }));
  return {
    ...own,
    points,
    leadFrom: Math.min(own.leadFrom, before.leadFrom),
    visits,
    settled,
    taken: linked.map(([old]) =>
      old ? before.visits[old.zone]!.filter((visit) => isServed(old.zone, visit)) : [],
    ),
    begun,
    metersTo,
    eras: { at, isChanged: (zone) => linked[zone]![0]?.isSame !== true },
  };
}

/** T49a: the visit that serves an old point and is over, with its report. */
function settledOf({ assignment }: Case, report: SlowReport, i: number | null): Settled | null {
  const stay = i === null ? null : (assignment[i] ?? null);
  if (i === null || stay === null || stay.exit === null) return null;
  const { events } = report;
  return {
    stay: { ...stay } as Stay,
    point: report.points[i]! as PointReport,
    events: events.filter(
      ({ type, pointIndex }) =>
        pointIndex === i && (type === 'arrival_overdue' || type === 'point_out_of_order'),
    ),
  };
}

interface Linked {
  readonly zone: number;
  readonly isSame: boolean;
}

/** By new zone: the old zones that it continues, by equal shape or by its points. */
function linkedZones(before: Run, own: Run, from: readonly (number | null)[]): Linked[][] {
  const shapeOf = (run: Run, zone: number): string =>
    JSON.stringify(shapesOf(run.trip, run.points, run.settings)[zone]);
  return own.visits.map((_, zone) => {
    const links = new Map<number, Linked>();
    before.visits.forEach((_visits, old) => {
      if (shapeOf(before, old) === shapeOf(own, zone)) links.set(old, { zone: old, isSame: true });
    });
    for (const point of own.points) {
      const i = from[point.index];
      if (point.zone !== zone || i === null || i === undefined) continue;
      const old = before.points[i]!.zone;
      if (!links.has(old)) links.set(old, { zone: old, isSame: false });
    }
    return [...links.values()];
  });
}

const nameOf = ({ zoneId, enter, exit }: Visit): string => `${zoneId} ${enter} ${exit}`;

/** The parts without the fixes before a time. */
function partsFrom(track: Track | readonly HandedPart[], time: number): HandedPart[] {
  const parts = 'length' in track && !('time' in track) ? track : [{ at: null, track: track as Track }];
  return parts.map((part) => {
    const first = [...part.track.time].filter((own) => own < time).length;
    return { ...part, track: cut(part.track, part.track.length, first) };
  });
}

/** T49b: the visits of a zone, by the old geometry before `at` and by the new one from then on, without those that serve settled points. */
function visitsOf(
  own: Run,
  zone: number,
  old: Linked | null,
  before: Run,
  track: Track | readonly HandedPart[],
  served: ReadonlySet<string>,
  at: number,
): Visit[] {
  const isFree = (visit: Visit): boolean => !served.has(nameOf({ ...visit, zoneId: String(old?.zone) }));
  if (old?.isSame) return own.visits[zone]!.filter(isFree);
  const past = (old === null ? [] : before.visits[old.zone]!).filter(isFree);
  const closed = past.filter(({ exit }) => exit !== null);
  const open = past.find(({ exit }) => exit === null) ?? null;
  const known = own.fixes!;
  const k = known.findLastIndex(({ time }) => time <= at);
  const shape = shapesOf(own.trip, own.points, own.settings)[zone]!;
  const index = new ZoneIndex([{ ...shape, id: String(zone) }] as never);
  const since = visitsOfParts(partsFrom(track, known[Math.max(0, k)]?.time ?? at), own.now, (rest) =>
    findVisits(rest, index, visitOptions(own.settings)),
  );
  const last = known[k];
  const isIn = last !== undefined && own.metersTo(zone, last.place) <= 0;
  const found: Visit[] = [...closed];
  if (open !== null && !isIn) found.push({ ...open, end: 'zone-changed', exit: at, exitBounds: [at, at] });
  since.forEach((visit, n) => {
    const exit = visit.exit === null ? null : Math.max(visit.exit, at);
    if (n === 0 && isIn && visit.enter === last.time) {
      const entry = open ?? { enter: at, enterBounds: [at, at] as const, fixCount: 1 };
      const isKept = open !== null && visit.end === 'gap';
      found.push({
        ...visit,
        exit: isKept ? visit.exit : exit,
        enter: entry.enter,
        enterBounds: entry.enterBounds,
        exitBounds:
          visit.end === 'gap' && visit.exitBounds && !isKept
            ? [Math.max(visit.exitBounds[0], at), visit.exitBounds[1]]
            : visit.exitBounds,
        fixCount: entry.fixCount + visit.fixCount - 1,
        seen: entry.fixCount + visit.fixCount > 1 ? 'inside' : 'crossed',
      });
      return;
    }
    if (visit.exit !== null && visit.exit < at) return;
    found.push({ ...visit, enter: Math.max(visit.enter, at) });
  });
  return found.sort((a, b) => a.enter - b.enter);
}
