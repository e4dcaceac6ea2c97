/** Writes a report as sentences for a dispatcher. */

import { inputError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { type LocalClock, makeClock } from '../../core/localClock.js';
import type { PointReport, TimeStatus, TripReport } from '../terms/tripReport.js';
import { EXPLAIN_ENGLISH } from './explainEnglish.js';
import { EXPLAIN_RUSSIAN } from './explainRussian.js';
import type { HoleFacts, PointFacts, RunFacts, Speaker, TimeFacts } from './runFacts.js';

/** A report in sentences. */
export interface TripExplanation {
  /** The sentence about the whole run. */
  readonly trip: string;
  /** One sentence for each point, in the order of the trip's list. */
  readonly points: readonly string[];
}

/**
 * Writes a report as sentences, one for the trip and one for each point. The sentences contain bounds, `uncertain`, `no_data`, `assumed`,
 * overdue and predicted times, violations and hand-overs.
 *
 * Times are `HH:mm` in the report's time zone. On another day than the run's date the day is added. In an hour that occurs twice the UTC offset
 * is added. For a point without data the sentence names the holes between its neighbours.
 *
 * `language` is `en` or `ru`, also with a region (`ru-RU`).
 *
 * Errors: `language-unknown` (`language`), `report-type` (`report`), `tz-unknown`, `input-unreadable`. Cost: O(points), and 0.1 ms for asking
 * `Intl` for the zone.
 *
 * @example
 * import { evaluateTrip, explainTrip } from 'wayzone/trips';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const now = Date.UTC(2026, 2, 2, 7, 5);
 * const report = evaluateTrip(trip, '2026-03-02', { visits: [] }, { timeZone: 'Europe/Berlin', now });
 * explainTrip(report, 'en').points[0]; // 'Shop is still to be visited (planned 08:00); it is 4 min overdue.'
 * explainTrip(report, 'ru').points[0]; // 'Shop: ещё не посещена (план 08:00); опоздание уже 4 мин.'
 */
export function explainTrip(report: TripReport, language: string): TripExplanation {
  const speaker = speakerOf(language);
  return guarded('report', () => {
    if (typeof report !== 'object' || report === null || !Array.isArray(report.points)) {
      throw inputError('report-type', 'report', 'a report of evaluateTrip', report);
    }
    const words: Words = { clock: makeClock(report.timeZone), dayText: speaker.day };
    const around = pointsAround(report);
    const facts = report.points.map((point, i) => pointFacts(report, point, i, around, words));
    return {
      trip: speaker.trip(runFacts(report, facts, words)),
      points: facts.map((point) => speaker.point(point)),
    };
  });
}

/** How times are written. */
interface Words {
  readonly clock: LocalClock;
  readonly dayText: Speaker['day'];
}

function speakerOf(language: string): Speaker {
  if (typeof language === 'string' && /^en\b/i.test(language)) return EXPLAIN_ENGLISH;
  if (typeof language === 'string' && /^ru\b/i.test(language)) return EXPLAIN_RUSSIAN;
  throw inputError('language-unknown', 'language', 'en or ru', language);
}

function runFacts(report: TripReport, facts: readonly PointFacts[], words: Words): RunFacts {
  const { status, activation, totals, activatedAt, finishedAt, window, points, violations } = report;
  const text = (time: number | null): string | null => (time === null ? null : wallText(report, words, time));
  return {
    status,
    activation,
    totals,
    planned: text(points[0]?.plannedArrival ?? points[0]?.plannedDeparture ?? null),
    activatedAt: text(activatedAt),
    finishedAt: text(finishedAt),
    windowEnd: wallText(report, words, window.to),
    unseen: status === 'no_data' ? holesIn(report, words, window.from, window.to) : [],
    points: points.length,
    violations: violations.length,
    overdue: facts.filter(({ overdueSeconds }) => overdueSeconds !== null).length,
    lateExpected: facts.filter(({ isLateExpected }) => isLateExpected).length,
    handOvers: (report.handOvers ?? []).map(({ at, from, to }) => ({
      at: wallText(report, words, at),
      from,
      to,
    })),
  };
}

/** The facts of other points and of events that the facts of a point need. */
interface Around {
  /** By point, for a strict trip: the nearest served point before it and the one after it. */
  readonly before: readonly (PointReport | undefined)[];
  readonly after: readonly (PointReport | undefined)[];
  /** By point: the points that were served in its stop. */
  readonly stops: readonly (readonly PointReport[])[];
  /** Indices of points whose last forecast event is `late_expected`. */
  readonly lateExpected: ReadonlySet<number | null>;
}

function pointsAround({ points, events, passageOrder }: TripReport): Around {
  const lateExpected = new Set<number | null>();
  for (const { type, pointIndex } of events) {
    if (type === 'late_expected') lateExpected.add(pointIndex);
    else if (type === 'late_averted') lateExpected.delete(pointIndex);
  }
  const isStrict = passageOrder === 'strict';
  const before = new Array<PointReport | undefined>(points.length).fill(undefined);
  const after = [...before];
  let served: PointReport | undefined;
  const pass = (i: number, list: (PointReport | undefined)[]): void => {
    list[i] = served;
    if (isStrict && points[i]!.arrivalBounds !== null) served = points[i];
  };
  for (let i = 0; i < points.length; i++) pass(i, before);
  served = undefined;
  for (let i = points.length - 1; i >= 0; i--) pass(i, after);
  return { before, after, stops: stopsOf(points), lateExpected };
}

/** By point: the neighbours that the unit served in one stop, with the point itself (T24). */
function stopsOf(points: readonly PointReport[]): PointReport[][] {
  const stops: PointReport[][] = [];
  points.forEach((point, i) => {
    const last = stops.at(-1);
    if (last !== undefined && isOneStop(points[i - 1]!, point)) last.push(point);
    stops.push(last !== undefined && last.at(-1) === point ? last : [point]);
  });
  return stops;
}

/** Whether of two neighbours the second was served in the stop of the first one, so that its arrival has the bounds of its whole visit. */
function isOneStop({ visit: first }: PointReport, { visit, arrival, arrivalBounds }: PointReport): boolean {
  if (first === null || visit === null || Math.abs(visit.enter - first.enter) > ONE_STOP_MS) return false;
  const overlap =
    visit.enter < (first.exit ?? Number.POSITIVE_INFINITY) &&
    first.enter < (visit.exit ?? Number.POSITIVE_INFINITY);
  return overlap && arrivalBounds![1] > arrival! && arrivalBounds![1] >= (visit.exit ?? visit.enter);
}

/** Visits of two zones that begin so near each other are one stop (T24). */
const ONE_STOP_MS = 60_000;

function pointFacts(
  report: TripReport,
  point: PointReport,
  i: number,
  around: Around,
  words: Words,
): PointFacts {
  const { arrival, arrivalBounds, departure, departureBounds, predictedArrival = null } = point;
  const text = (time: number | null): string | null => (time === null ? null : wallText(report, words, time));
  const timeFacts = (
    time: number,
    bounds: readonly [number, number] | null,
    planned: number | null,
    status: TimeStatus | null,
    seconds: number | null,
  ): TimeFacts => {
    const [from, to] = (bounds ?? [time, time]).map((bound) => wallText(report, words, bound));
    const isUnseen =
      bounds !== null && report.holes.some((hole) => hole.from < bounds[1] && hole.to > bounds[0]);
    return { at: from === to ? [from!] : [from!, to!], planned: text(planned), status, seconds, isUnseen };
  };
  const opens = report.window.from;
  const wasThere = arrival !== null && arrival < opens && (departure === null || departure >= opens);
  return {
    name: point.name,
    index: point.index,
    status: point.status,
    outOfOrder: point.outOfOrder,
    overdueSeconds: point.overdueSeconds,
    planned: text(point.plannedArrival ?? point.plannedDeparture),
    arrival:
      arrival === null || wasThere
        ? null
        : timeFacts(
            arrival,
            arrivalBounds,
            point.plannedArrival,
            point.arrivalStatus,
            point.arrivalDeviationSeconds,
          ),
    wasThereAt: wasThere ? wallText(report, words, opens) : null,
    leftEarly: wasThere && point.arrivalStatus === 'early' ? point.arrivalDeviationSeconds : null,
    lateFor: departure === null && point.departureStatus === 'late' ? text(point.plannedDeparture) : null,
    plannedArrival: text(point.plannedArrival),
    isNotStarted: report.status === 'not_started',
    departure:
      departure === null
        ? null
        : timeFacts(
            departure,
            departureBounds,
            point.plannedDeparture,
            point.departureStatus,
            point.departureDeviationSeconds,
          ),
    oneStopWith: around.stops[i]!.filter((other) => other !== point),
    isThere: point.visit !== null && point.visit.exit === null,
    isHandedOver: point.visit?.end === 'handed-over',
    predicted: text(predictedArrival),
    isLateExpected: point.status === 'pending' && around.lateExpected.has(i),
    unseen: point.status === 'no_data' ? unseenAt(report, i, around, words) : [],
  };
}

/** The holes between the departure from the served point before and the arrival at the one after (T11). */
function unseenAt(report: TripReport, index: number, around: Around, words: Words): readonly HoleFacts[] {
  const { window, activation, activatedAt, passageOrder } = report;
  // In any order what was not seen is left out of the finish.
  const finishedAt = passageOrder === 'strict' ? report.finishedAt : null;
  const before = around.before[index];
  const after = around.after[index];
  const start =
    index === 0 || activation !== 'seen' ? window.from : Math.max(window.from, activatedAt ?? window.from);
  const from = before?.departureBounds?.[0] ?? before?.arrivalBounds?.[1] ?? start;
  const isAssumed = index === 0 && activation === 'assumed';
  const to = (isAssumed ? activatedAt : null) ?? after?.arrivalBounds?.[1] ?? finishedAt ?? window.to;
  const found = holesIn(report, words, from, to);
  // A first point without a start may have been visited in a later hole.
  return found.length > 0 ? found : holesIn(report, words, window.from, window.to);
}

/** The holes of the report that overlap a period. */
function holesIn(report: TripReport, words: Words, from: number, to: number): HoleFacts[] {
  return report.holes.flatMap((hole) => {
    if (hole.from >= to || hole.to <= from) return [];
    return [
      { from: wallText(report, words, hole.from), to: wallText(report, words, hole.to), reason: hole.reason },
    ];
  });
}

/** `HH:mm`, after the day if it is not the run's. In an hour that comes twice the UTC offset follows. */
function wallText({ date }: TripReport, { clock, dayText }: Words, time: number): string {
  const wall = clock.wallTimeOf(time);
  const text = new Date(wall).toISOString();
  const hour =
    text.slice(0, 10) === date
      ? text.slice(11, 16)
      : `${dayText(text.slice(5, 7), text.slice(8, 10))} ${text.slice(11, 16)}`;
  return isDoubled(clock, time, wall) ? `${hour} (UTC${offsetText(wall - time)})` : hour;
}

/** Whether the clocks show a wall time twice. */
function isDoubled(clock: LocalClock, time: number, wall: number): boolean {
  if (clock.epochOf(wall) !== time) return true;
  const later = time + HALF_DAY;
  const second = wall - (clock.wallTimeOf(later) - later);
  return second !== time && clock.wallTimeOf(second) === wall;
}

/** No zone has changed its clocks twice within it. */
const HALF_DAY = 43_200_000;

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
