/** Sentences about a trip in English. */

import {
  amountText,
  type HandOverFacts,
  type HoleFacts,
  holesText,
  type PointFacts,
  type RunFacts,
  rowSentence,
  type Speaker,
  type TimeFacts,
} from './runFacts.js';

export const EXPLAIN_ENGLISH: Speaker = { point, trip, day: (month, day) => `${month}-${day}` };

const amount = (seconds: number): string => amountText(seconds, ['s', 'min', 'h']);
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function point(facts: PointFacts): string {
  const { overdueSeconds, predicted, isLateExpected } = facts;
  const name = nameOf(facts);
  const planned = facts.planned === null ? '' : ` (planned ${facts.planned})`;
  const turn = facts.outOfOrder ? '; it was also visited out of turn' : '';
  if (facts.isNotStarted && facts.status === 'missed')
    return `${name} does not count, as the trip was not started${planned}.`;
  const found = rowSentence(facts.status, 'en', { name, planned, turn });
  if (found.text !== null) return found.text;
  switch (found.status) {
    case 'pending': {
      const late = overdueSeconds === null ? '' : `; it is ${amount(overdueSeconds)} overdue`;
      const comes = predicted === null ? '' : `; the unit is expected at ${predicted}`;
      return `${name} is still to be visited${planned}${late}${comes}${isLateExpected ? ', late' : ''}${turn.replace('also ', '')}.`;
    }
    case 'skipped':
      return `${name} was ${facts.outOfOrder ? 'visited out of turn only' : 'skipped: a later point was visited without it'}${planned}.`;
    case 'no_data': {
      const missing = facts.unseen.length === 0 ? '' : `: ${unseenText(facts.unseen)}`;
      return `${name} was not seen${missing}; it could have been passed${planned}${turn}.`;
    }
    case 'inside':
    case 'passed':
      return `${name} ${came(facts)}${left(facts)}${oneStop(facts)}${turn}.`;
  }
}

const REASONS: Readonly<Record<HoleFacts['reason'], string>> = {
  gap: '',
  jammed: ' (positions jammed)',
  frozen: ' (position frozen)',
  not_started: ' (no position yet)',
  silent: ' (silent since)',
};

function unseenText(holes: readonly HoleFacts[]): string {
  const one = ({ from, to, reason }: HoleFacts): string => `between ${from} and ${to}${REASONS[reason]}`;
  const missing = holes.length === 0 ? '' : ' ';
  return `data are missing${missing}${holesText(holes, one, (count) => `and ${count} times more`)}`;
}

const nameOf = ({ name, index }: Pick<PointFacts, 'name' | 'index'>): string => name || `Point ${index + 1}`;

function oneStop({ oneStopWith }: PointFacts): string {
  return oneStopWith.length === 0 ? '' : `; it was one stop with ${oneStopWith.map(nameOf).join(', ')}`;
}

function came({ arrival, wasThereAt, leftEarly, plannedArrival }: PointFacts): string {
  if (arrival !== null) return `was reached ${timeText(arrival)}`;
  const planText = plannedArrival === null ? '' : ` (planned ${plannedArrival})`;
  const early =
    leftEarly === null
      ? planText
      : `, which it left ${amount(leftEarly)} before it was to be there${planText}`;
  return `was where the unit stood when the window opened at ${wasThereAt}${early}`;
}

function left({ departure, isThere, isHandedOver, lateFor }: PointFacts): string {
  if (departure !== null && isHandedOver)
    return `, and the trip was handed over there ${timeText(departure)}`;
  if (departure !== null) return `, and left ${timeText(departure)}`;
  if (isThere && lateFor !== null) return `, and the unit is still there, late (planned to leave ${lateFor})`;
  return isThere ? ', and the unit is still there' : '; when it was left was not seen';
}

function timeText({ at: [from, to], planned, status, seconds, isUnseen }: TimeFacts): string {
  const time = to === undefined ? `at ${from}` : `between ${from} and ${to}${isUnseen ? ', not seen' : ''}`;
  const plan = planned === null ? '' : ` (planned ${planned})`;
  switch (status) {
    case 'on_time':
      return `${time}, on time${plan}`;
    case 'uncertain':
      return to === undefined
        ? `${time}; it may have been on time, unseen${plan}`
        : `${time}; whether on time is not known${plan}`;
    case null:
      return `${time}${plan}`;
    default:
      return `${time}, ${to === undefined ? '' : 'at least '}${amount(seconds ?? 0)} ${status}${plan}`;
  }
}

function trip(facts: RunFacts): string {
  return [run(facts), ...facts.handOvers.map(tookOver)].join(' ');
}

function tookOver({ at, from, to }: HandOverFacts): string {
  return `Unit ${to} took over${from === null ? '' : ` from ${from}`} at ${at}.`;
}

function run(facts: RunFacts): string {
  const { status, planned } = facts;
  if (status === 'scheduled') {
    return `The trip has not begun${planned === null ? '' : `; its first point is planned for ${planned}`}${ahead(facts)}.`;
  }
  if (status === 'cancelled' && facts.activatedAt === null) return 'The trip was cancelled before it began.';
  if (status === 'not_started') return 'The trip was not started: the unit was not seen to begin it.';
  if (status === 'no_data' && facts.activatedAt === null)
    return `The trip cannot be judged: ${unseenText(facts.unseen)}.`;
  return `The trip ${began(facts)} and ${ended(facts)}: ${countsOf(facts).join(', ')}${ahead(facts)}.`;
}

function began({ activation, activatedAt }: RunFacts): string {
  if (activation === 'assumed') return `is assumed to have begun by ${activatedAt}, which was not seen,`;
  return activation === 'planned' ? `began by plan at ${activatedAt}` : `began at ${activatedAt}`;
}

function ended({ status, finishedAt, windowEnd }: RunFacts): string {
  if (status === 'active') return 'is under way';
  if (status === 'cancelled') return 'was cancelled';
  if (status === 'aborted') return `was not finished by ${windowEnd}`;
  if (status === 'no_data') return 'cannot be judged, as data are missing';
  return `was finished at ${finishedAt}`;
}

function countsOf({ totals, points, violations }: RunFacts): string[] {
  const parts: [number, string][] = [
    [totals.onTime, `${totals.onTime} on time`],
    [totals.uncertain, `${totals.uncertain} uncertain`],
    [totals.noData, `${totals.noData} without data`],
    [totals.skipped, `${totals.skipped} skipped`],
    [totals.missed, `${totals.missed} missed`],
    [totals.excused, `${totals.excused} excused`],
  ];
  return [
    `${totals.passed} of ${counted(points, 'point', 'points')} passed`,
    ...parts.filter(([count]) => count > 0).map(([, text]) => text),
    violations === 0 ? 'no violations' : counted(violations, 'violation', 'violations'),
  ];
}

function ahead({ overdue, lateExpected }: RunFacts): string {
  const parts = [
    ...(overdue > 0 ? [`${counted(overdue, 'point is', 'points are')} overdue`] : []),
    ...(lateExpected > 0 ? [`${counted(lateExpected, 'point is', 'points are')} expected late`] : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
}
