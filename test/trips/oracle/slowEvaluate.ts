/**
 * DESIGN §5 once more, as plainly as it can be said: every assignment of visits to points is tried. UTC only, visits only, nothing
 * of the library's own code.
 */

import type { Trip, TripPointTime } from '../../../src/core/trip.js';
import type { Visit } from '../../../src/tracks/visit.js';
import type {
  PointReport,
  TimeStatus,
  TripEvent,
  TripEventType,
  TripOptions,
  TripReport,
  TripViolation,
} from '../../../src/trips/tripReport.js';

interface Stay {
  zone: string;
  enter: number;
  exit: number | null;
  /** When it left, if it is known that it did. */
  left: number | null;
  crossed: boolean;
  visit: Visit;
}

interface Serving {
  stay: Stay;
  arrival: number;
  departure: number | null;
}

type Assignment = (Serving | null)[];

interface Point {
  name: string;
  zone: string;
  arrival: number | null;
  departure: number | null;
  arrivalTolerance: number;
  departureTolerance: number;
}

const DAY = 86_400_000;

export function slowEvaluate(
  trip: Trip,
  date: string,
  { visits, gaps }: { visits: readonly Visit[]; gaps?: readonly { from: number; to: number }[] },
  options: TripOptions,
): TripReport {
  const midnight = Date.parse(date.slice(0, 10));
  const strict = trip.passage_order_type.key === 'strict';
  const wait = strict && options.policy === 'wait';
  const minStay = (options.minStaySeconds ?? 0) * 1000;
  const maxDeviation = (options.maxDeviationSeconds ?? Infinity) * 1000;
  const defaultDeviationMinutes = options.defaultDeviationMinutes ?? 0;
  const before = (options.windowBeforeSeconds ?? 3600) * 1000;
  const after = (options.windowAfterSeconds ?? 21600) * 1000;
  const leaveConfirm = (options.leaveConfirmSeconds ?? 120) * 1000;

  // Planned times are date + after_days + HH:mm.
  const due = (time: TripPointTime | null | undefined, from: number): number | null => {
    if (!time) return null;
    const [hours, minutes] = time.time.split(':').map(Number) as [number, number];
    return from + (time.after_days ?? 0) * DAY + hours * 3_600_000 + minutes * 60_000;
  };
  const tolerance = (time: TripPointTime | null | undefined): number =>
    (time?.deviation_minutes ?? defaultDeviationMinutes) * 60_000;
  const points = trip.points.map(
    (point): Point => ({
      name: point.name,
      zone: JSON.stringify([point.type.key, point.geometry, point.width ?? 100]),
      arrival: due(point.arrival, midnight),
      departure: due(point.departure, midnight),
      arrivalTolerance: tolerance(point.arrival),
      departureTolerance: tolerance(point.departure),
    }),
  );
  const opening = (from: number): number => {
    const starts = trip.points.flatMap(({ arrival, departure }) =>
      [arrival, departure].flatMap((time) => (time ? [due(time, from)! - tolerance(time)] : [])),
    );
    return starts.length === 0 ? from : Math.min(...starts) - before;
  };
  const from = opening(midnight);
  const ends = points.flatMap((point) => [
    ...(point.arrival === null ? [] : [point.arrival + point.arrivalTolerance]),
    ...(point.departure === null ? [] : [point.departure + point.departureTolerance]),
  ]);
  const lastDay = Math.max(
    0,
    ...trip.points.flatMap(({ arrival, departure }) => [
      arrival?.after_days ?? 0,
      departure?.after_days ?? 0,
    ]),
  );
  let to = Math.max(midnight + (lastDay + 1) * DAY, ...ends.map((end) => end + after));
  const later = trip.dates.map((other) => Date.parse(other.slice(0, 10))).filter((day) => day > midnight);
  if (later.length > 0) to = Math.min(to, opening(Math.min(...later)));
  const now = options.now ?? to;

  // What is known at `now`; the unit that is inside after a gap did not leave.
  const known = visits.filter((visit) => visit.enterBounds[1] <= now).sort((a, b) => a.enter - b.enter);
  const zoneOf = (visit: Visit): string => points[Number(visit.zoneId)]!.zone;
  let stays = known.map((visit): Stay => {
    const { enter, exit, exitBounds } = visit;
    const isOver = exit !== null && exitBounds !== null && (exitBounds[1] ?? exitBounds[0]) <= now;
    const goesOn = known.some(
      (other) => other !== visit && zoneOf(other) === zoneOf(visit) && other.enter === exitBounds?.[1],
    );
    const isGone = visit.end !== 'gap' || (exitBounds?.[1] !== null && !goesOn);
    return {
      zone: zoneOf(visit),
      enter,
      exit: isOver ? exit : null,
      left: isOver && isGone ? exit : null,
      crossed: visit.seen === 'crossed',
      visit: isOver ? visit : { ...visit, end: 'open', exit: null, exitBounds: null },
    };
  });

  const first = points[0]!;
  const activation =
    trip.activation_type?.key ??
    (first.arrival !== null || first.departure !== null ? 'time_of_first_point' : 'entrance_to_first_point');

  // An undone exit joins the two stays.
  if (activation === 'leaving_first_point') {
    for (let i = 0; i < stays.length; i++) {
      const stay = stays[i]!;
      if (stay.zone !== first.zone || stay.left === null) continue;
      const next = stays.find((other, k) => k > i && other.zone === stay.zone);
      if (!next || next.enter - stay.left >= leaveConfirm) continue;
      stays[i] = {
        ...stay,
        exit: next.exit,
        left: next.left,
        crossed: stay.crossed && next.crossed,
        visit: {
          ...stay.visit,
          seen: stay.crossed && next.crossed ? 'crossed' : 'inside',
          end: next.visit.end,
          exit: next.visit.exit,
          exitBounds: next.visit.exitBounds,
          fixCount: stay.visit.fixCount + next.visit.fixCount,
        },
      };
      stays = stays.filter((other) => other !== next);
      i--;
    }
  }

  // Which visits exist.
  const isYoung = (stay: Stay): boolean => stay.exit === null && now - stay.enter < minStay;
  stays = stays.filter((stay) => {
    if (stay.crossed && options.acceptCrossed === false) return false;
    if (stay.exit !== null) return stay.exit - stay.enter >= minStay;
    return !isYoung(stay) || now < to;
  });

  // Activation.
  const ofFirst = stays.filter((stay) => stay.zone === first.zone);
  let S: number | null = null;
  let activator: Stay | null = null;
  let startedInside = false;
  if (activation === 'time_of_first_point') {
    S = first.arrival ?? first.departure!;
  } else if (activation === 'entrance_to_first_point') {
    const inside = ofFirst.find((stay) => stay.enter < from && (stay.exit === null || stay.exit > from));
    const entered = ofFirst.find((stay) => stay.enter >= from && stay.enter < to);
    activator = inside ?? entered ?? null;
    S = inside ? from : (entered?.enter ?? null);
    startedInside = inside !== undefined;
  } else {
    activator =
      ofFirst
        .filter(({ left }) => left !== null && left >= from && left < to && now >= left + leaveConfirm)
        .sort((a, b) => a.left! - b.left!)[0] ?? null;
    S = activator?.left ?? null;
  }
  if (S !== null && now < S) {
    S = null;
    startedInside = false;
  }

  // Deviations; the arrival of a visit under way when the window opens has none.
  const deviations = (i: number, serving: Serving): { arrival: number | null; departure: number | null } => {
    const point = points[i]!;
    const { arrival, departure } = serving;
    return {
      arrival: point.arrival === null || arrival < from ? null : arrival - point.arrival,
      departure: point.departure === null || departure === null ? null : departure - point.departure,
    };
  };
  const off = (i: number, serving: Serving): number => {
    const { arrival, departure } = deviations(i, serving);
    return Math.abs(arrival ?? 0) + Math.abs(departure ?? 0);
  };
  const isNear = (i: number, serving: Serving): boolean => {
    const { arrival, departure } = deviations(i, serving);
    return Math.abs(arrival ?? 0) <= maxDeviation && Math.abs(departure ?? 0) <= maxDeviation;
  };

  // Which stay may serve which point.
  const may = (i: number, stay: Stay): boolean => {
    if (S === null || stay.zone !== points[i]!.zone || stay.enter >= to) return false;
    if (i > 0) return stay.exit === null || stay.exit > S;
    if (activator !== null) return stay === activator;
    return stay.exit === null || stay.exit > from || stay.enter >= from;
  };
  /** The servings of points i to i + count − 1 by one stay; null when it may not. */
  const split = (i: number, stay: Stay, count: number): Serving[] | null => {
    if (count > 1 && (!options.allowSharedVisit || stay.exit === null)) return null;
    const parts: Serving[] = [];
    for (let k = 0; k < count; k++) {
      if (i + k >= points.length || !may(i + k, stay)) return null;
      const cut = (m: number): number => stay.enter + Math.round((m * (stay.exit! - stay.enter)) / count);
      const part: Serving = {
        stay,
        arrival: k === 0 ? stay.enter : cut(k),
        departure: k === count - 1 ? stay.left : cut(k + 1),
      };
      if (!isNear(i + k, part)) return null;
      parts.push(part);
    }
    return parts;
  };

  const assignment = S === null ? points.map(() => null) : wait ? waiting() : best();

  function best(): Assignment {
    let winner: { assignment: Assignment; score: number[] } | null = null;
    const isForced = activator !== null && points.some((_, k) => split(0, activator!, k + 1) !== null);
    const attempt = (chosen: Assignment): void => {
      const i = chosen.length;
      if (i === points.length) {
        const served = chosen.filter((serving) => serving !== null).length;
        const total = chosen.reduce((sum, serving, p) => sum + (serving ? off(p, serving) : 0), 0);
        const score = [-served, total, ...chosen.map((serving) => serving?.arrival ?? Infinity)];
        if (winner === null || isLess(score, winner.score)) winner = { assignment: chosen, score };
        return;
      }
      for (const stay of stays) {
        if (chosen.some((serving) => serving?.stay === stay)) continue;
        for (let count = 1; i + count <= points.length; count++) {
          const parts = split(i, stay, count);
          if (parts === null) continue;
          const latest = Math.max(-Infinity, ...chosen.map((serving) => serving?.arrival ?? -Infinity));
          if (strict && parts[0]!.arrival < latest) continue;
          attempt([...chosen, ...parts]);
        }
      }
      if (i > 0 || !isForced) attempt([...chosen, null]);
    };
    attempt([]);
    return winner!.assignment;
  }

  function waiting(): Assignment {
    const chosen: Assignment = [];
    while (chosen.length < points.length) {
      const i = chosen.length;
      const earlier = chosen.at(-1);
      if (earlier === null) {
        chosen.push(null);
        continue;
      }
      const offers = stays
        .filter((stay) => !chosen.some((serving) => serving?.stay === stay))
        .filter((stay) => earlier === undefined || stay.enter >= earlier.arrival)
        .flatMap((stay) => {
          for (let count = points.length - i; count > 0; count--) {
            const parts = split(i, stay, count);
            if (parts) return [parts];
          }
          return [];
        })
        .sort((a, b) => (i === 0 ? off(0, a[0]!) - off(0, b[0]!) : 0) || a[0]!.arrival - b[0]!.arrival);
      chosen.push(...(offers[0] ?? [null]));
    }
    return chosen;
  }

  // Finish.
  const last = assignment.at(-1) ?? null;
  let finishedAt: number | null = null;
  if (S !== null && strict && last !== null && !isYoung(last.stay)) {
    if (options.finishOn !== 'departure') finishedAt = Math.max(S, last.arrival);
    else if (last.departure !== null && last.departure < to) finishedAt = Math.max(S, last.departure);
  }
  if (S !== null && !strict && assignment.every((serving) => serving !== null && !isYoung(serving.stay))) {
    finishedAt = Math.max(S, ...assignment.map((serving) => serving!.arrival));
  }
  const isWaitingForTime = S === null && activation === 'time_of_first_point';
  const isOver = finishedAt !== null || (now >= to && !isWaitingForTime);
  const isActive = S !== null && !isOver;

  // Out of turn.
  const wrongVisits: { time: number; pointIndex: number }[] = [];
  for (const stay of S !== null && strict ? stays : []) {
    if (assignment.some((serving) => serving?.stay === stay)) continue;
    if (stay.enter < S! || stay.enter >= to || (finishedAt !== null && stay.enter > finishedAt)) continue;
    const wrong = points.findIndex((point, i) => {
      if (point.zone !== stay.zone) return false;
      const isPassedOver =
        assignment[i] === null && assignment.some((serving, k) => k > i && serving !== null);
      const isAhead = assignment.some(
        (serving, k) => k < i && (serving === null ? wait : serving.arrival > stay.enter),
      );
      return isPassedOver || isAhead;
    });
    if (wrong >= 0) wrongVisits.push({ time: stay.enter, pointIndex: wrong });
  }

  // Whether a stretch of time lies wholly in gaps: none of it is left when they are taken out.
  const isInGaps = (start: number, end: number): boolean => {
    if (!gaps) return false;
    const edges = gaps.flatMap((gap) => [gap.from, Math.min(gap.to, now)]);
    const probes = [start, end, ...edges].flatMap((t) => [t - 0.25, t, t + 0.25]);
    const within = probes.filter((t) => t >= start && t <= end);
    return within.every((t) => gaps.some((gap) => t >= gap.from && t <= Math.min(gap.to, now)));
  };

  const timeStatus = (deviation: number | null, allowed: number): TimeStatus | null => {
    if (deviation === null) return null;
    if (allowed === 0) return deviation < 0 ? 'early' : deviation < 60_000 ? 'on_time' : 'late';
    return Math.abs(deviation) <= allowed ? 'on_time' : deviation < 0 ? 'early' : 'late';
  };

  const reports = points.map((point, index): PointReport => {
    const serving = assignment[index] ?? null;
    const deviation = serving ? deviations(index, serving) : { arrival: null, departure: null };
    const outOfOrder = wrongVisits.some(({ pointIndex }) => pointIndex === index);
    const isLaterServed = strict && assignment.some((other, k) => k > index && other !== null);
    let status: PointReport['status'];
    if (serving !== null) {
      const mustLeave = index === points.length - 1 && options.finishOn === 'departure';
      const holds = !isYoung(serving.stay) && !(mustLeave && serving.departure === null);
      status = isActive && serving.stay.exit === null && !holds ? 'inside' : 'passed';
    } else if (!isOver && !isLaterServed) {
      status = 'pending';
    } else if (outOfOrder) {
      status = 'skipped';
    } else {
      let [start, end] = [from, to];
      if (point.arrival !== null || point.departure !== null) {
        start =
          point.arrival !== null
            ? point.arrival - point.arrivalTolerance
            : point.departure! - point.departureTolerance;
        end =
          point.departure !== null
            ? point.departure + point.departureTolerance
            : point.arrival! + point.arrivalTolerance;
      } else if (strict) {
        const earlier = assignment.slice(0, index).findLast((other) => other !== null);
        const next = assignment.slice(index).find((other) => other !== null);
        if (earlier) start = earlier.departure ?? earlier.arrival;
        if (next) end = next.arrival;
      }
      status = isInGaps(Math.min(start, end), Math.max(start, end))
        ? 'no_data'
        : isLaterServed
          ? 'skipped'
          : 'missed';
    }
    if (serving !== null && serving.arrival < from) startedInside = true;
    return {
      index,
      name: point.name,
      status,
      plannedArrival: point.arrival,
      plannedDeparture: point.departure,
      arrival: serving?.arrival ?? null,
      departure: serving?.departure ?? null,
      arrivalDeviationSeconds: deviation.arrival === null ? null : deviation.arrival / 1000,
      departureDeviationSeconds: deviation.departure === null ? null : deviation.departure / 1000,
      arrivalStatus: timeStatus(deviation.arrival, point.arrivalTolerance),
      departureStatus: timeStatus(deviation.departure, point.departureTolerance),
      outOfOrder,
      visit: serving ? { ...serving.stay.visit, zoneId: String(index) } : null,
    };
  });

  const violations: TripViolation[] = [];
  for (const report of reports) {
    const pointIndex = report.index;
    const plain = (type: 'skipped' | 'missed' | 'out_of_order'): void => {
      violations.push({ type, pointIndex, which: null, seconds: null });
    };
    if (report.status === 'skipped') plain('skipped');
    if (report.status === 'missed') plain('missed');
    if (report.outOfOrder) plain('out_of_order');
    for (const type of ['early', 'late'] as const) {
      if (report.arrivalStatus === type)
        violations.push({ type, pointIndex, which: 'arrival', seconds: report.arrivalDeviationSeconds });
      if (report.departureStatus === type)
        violations.push({ type, pointIndex, which: 'departure', seconds: report.departureDeviationSeconds });
    }
  }

  let status: TripReport['status'];
  if (S === null) {
    status = isOver ? 'not_started' : 'scheduled';
  } else if (finishedAt !== null) status = violations.length > 0 ? 'finished_with_violations' : 'finished';
  else status = now >= to ? 'aborted' : 'active';

  const ORDER: TripEventType[] = [
    'point_left',
    'departure_early',
    'departure_late',
    'trip_activated',
    'point_skipped',
    'point_entered',
    'arrival_early',
    'arrival_late',
    'point_out_of_order',
    'trip_finished',
    'trip_aborted',
  ];
  const events: TripEvent[] = wrongVisits.map((wrong) => ({ type: 'point_out_of_order', ...wrong }));
  if (S !== null) events.push({ type: 'trip_activated', time: S, pointIndex: null });
  if (finishedAt !== null) events.push({ type: 'trip_finished', time: finishedAt, pointIndex: null });
  if (status === 'aborted') events.push({ type: 'trip_aborted', time: to, pointIndex: null });
  for (const { index: pointIndex, ...report } of reports) {
    if (report.arrival !== null) {
      events.push({ type: 'point_entered', time: report.arrival, pointIndex });
      if (report.arrivalStatus === 'early' || report.arrivalStatus === 'late')
        events.push({ type: `arrival_${report.arrivalStatus}`, time: report.arrival, pointIndex });
    }
    if (report.departure !== null) {
      events.push({ type: 'point_left', time: report.departure, pointIndex });
      if (report.departureStatus === 'early' || report.departureStatus === 'late')
        events.push({ type: `departure_${report.departureStatus}`, time: report.departure, pointIndex });
    }
    const successor = reports.find((other) => other.index > pointIndex && other.arrival !== null);
    if (report.status === 'skipped' && successor)
      events.push({ type: 'point_skipped', time: successor.arrival!, pointIndex });
  }
  events.sort(
    (a, b) =>
      a.time - b.time ||
      ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
      (a.pointIndex ?? 0) - (b.pointIndex ?? 0),
  );

  const count = (wanted: PointReport['status']): number =>
    reports.filter((report) => report.status === wanted).length;
  const served = reports.filter((report) => report.arrival !== null);
  return {
    tripId: trip.id,
    unitId: trip.unit.id,
    date: date.slice(0, 10),
    timeZone: 'UTC',
    window: { from, to },
    passageOrder: trip.passage_order_type.key,
    status,
    activatedAt: S,
    finishedAt,
    lastFixAt: null,
    startedInside,
    defaultWidthMeters: options.defaultWidthMeters ?? 100,
    defaultDeviationMinutes,
    points: reports,
    totals: {
      passed: served.length,
      skipped: count('skipped'),
      missed: count('missed'),
      noData: count('no_data'),
      onTime: served.filter(
        (report) =>
          (report.plannedArrival !== null || report.plannedDeparture !== null) &&
          (report.plannedArrival === null || report.arrivalStatus === 'on_time') &&
          (report.plannedDeparture === null || report.departureStatus === 'on_time'),
      ).length,
      share: served.length / points.length,
      distanceMeters: null,
    },
    violations,
    events,
  };
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
}
