/** Sentences about a trip in Russian. Events are nouns, so that names need neither case nor gender. */

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

export const EXPLAIN_RUSSIAN: Speaker = { point, trip, day: (month, day) => `${day}.${month}` };

const amount = (seconds: number): string => amountText(seconds, ['с', 'мин', 'ч']);

function point(facts: PointFacts): string {
  const { overdueSeconds, predicted, isLateExpected } = facts;
  const name = nameOf(facts);
  const planned = facts.planned === null ? '' : ` (план ${facts.planned})`;
  const turn = facts.outOfOrder ? '; было и посещение не по порядку' : '';
  if (facts.isNotStarted && facts.status === 'missed')
    return `${name}: не засчитывается, так как рейс не начат${planned}.`;
  const found = rowSentence(facts.status, 'ru', { name, planned, turn });
  if (found.text !== null) return found.text;
  switch (found.status) {
    case 'pending': {
      const late = overdueSeconds === null ? '' : `; опоздание уже ${amount(overdueSeconds)}`;
      const comes = predicted === null ? '' : `; прибытие ожидается в ${predicted}`;
      return `${name}: ещё не посещена${planned}${late}${comes}${isLateExpected ? ', с опозданием' : ''}${turn.replace('было и', 'было')}.`;
    }
    case 'skipped':
      return `${name}: ${facts.outOfOrder ? 'посещена только не по порядку' : 'пропущена, следующая точка посещена без неё'}${planned}.`;
    case 'no_data': {
      const missing = facts.unseen.length === 0 ? '' : `: ${unseenText(facts.unseen)}`;
      return `${name}: посещение не видно${missing}; точка могла быть пройдена${planned}${turn}.`;
    }
    case 'inside':
    case 'passed':
      return `${name}: ${came(facts)}${left(facts)}${oneStop(facts)}${turn}.`;
  }
}

const REASONS: Readonly<Record<HoleFacts['reason'], string>> = {
  gap: '',
  jammed: ' (помехи)',
  frozen: ' (координаты застыли)',
  not_started: ' (координат ещё нет)',
  silent: ' (объект молчит)',
};

function unseenText(holes: readonly HoleFacts[]): string {
  const one = ({ from, to, reason }: HoleFacts): string => `между ${from} и ${to}${REASONS[reason]}`;
  return `${holesText(holes, one, (count) => `и ещё ${count} раз`)} не хватает данных`;
}

const nameOf = ({ name, index }: Pick<PointFacts, 'name' | 'index'>): string => name || `Точка ${index + 1}`;

function oneStop({ oneStopWith }: PointFacts): string {
  return oneStopWith.length === 0
    ? ''
    : `; это была одна стоянка с точкой ${oneStopWith.map(nameOf).join(', ')}`;
}

function came({ arrival, wasThereAt, leftEarly, plannedArrival }: PointFacts): string {
  if (arrival !== null) return `прибытие ${timeText(arrival)}`;
  const planText = plannedArrival === null ? '' : ` (план ${plannedArrival})`;
  const early = `${leftEarly === null ? '' : ` и уехал за ${amount(leftEarly)} до планового прибытия`}${planText}`;
  return `объект был на месте уже при открытии окна рейса в ${wasThereAt}${early}`;
}

function left({ departure, isThere, isHandedOver, lateFor }: PointFacts): string {
  if (departure !== null && isHandedOver) return `, там рейс передан другому объекту ${timeText(departure)}`;
  if (departure !== null) return `, отправление ${timeText(departure)}`;
  if (isThere && lateFor !== null) return `, объект ещё там, позже планового отправления (план ${lateFor})`;
  return isThere ? ', объект ещё там' : '; время отправления не видно';
}

function timeText({ at: [from, to], planned, status, seconds, isUnseen }: TimeFacts): string {
  const time = to === undefined ? `в ${from}` : `между ${from} и ${to}${isUnseen ? ', точнее не видно' : ''}`;
  const plan = planned === null ? '' : ` (план ${planned})`;
  switch (status) {
    case 'on_time':
      return `${time}, вовремя${plan}`;
    case 'uncertain':
      return to === undefined
        ? `${time}; объект мог быть вовремя, но это не видно${plan}`
        : `${time}; вовремя ли, неизвестно${plan}`;
    case null:
      return `${time}${plan}`;
    default: {
      const least = to === undefined ? '' : 'не менее чем ';
      const off = status === 'late' ? `опоздание ${least}на ` : `раньше плана ${least}на `;
      return `${time}, ${off}${amount(seconds ?? 0)}${plan}`;
    }
  }
}

function trip(facts: RunFacts): string {
  return [run(facts), ...facts.handOvers.map(tookOver)].join(' ');
}

function tookOver({ at, from, to }: HandOverFacts): string {
  return `В ${at} рейс передан объекту ${to}${from === null ? '' : ` (до этого ${from})`}.`;
}

function run(facts: RunFacts): string {
  const { status, planned } = facts;
  if (status === 'scheduled') {
    return `Рейс не начат${planned === null ? '' : `; первая точка по плану в ${planned}`}${ahead(facts)}.`;
  }
  if (status === 'cancelled' && facts.activatedAt === null) return 'Рейс отменён до начала.';
  if (status === 'not_started') return 'Рейс не начат: его начало не замечено.';
  if (status === 'no_data' && facts.activatedAt === null)
    return `Рейс нельзя оценить: ${unseenText(facts.unseen).trim()}.`;
  return `Рейс ${began(facts)} и ${ended(facts)}: ${countsOf(facts).join(', ')}${ahead(facts)}.`;
}

function began({ activation, activatedAt }: RunFacts): string {
  if (activation === 'assumed') return `начат, вероятно, до ${activatedAt} (начало не видно)`;
  return activation === 'planned' ? `начат по плану в ${activatedAt}` : `начат в ${activatedAt}`;
}

function ended({ status, finishedAt, windowEnd }: RunFacts): string {
  if (status === 'active') return 'выполняется';
  if (status === 'cancelled') return 'отменён';
  if (status === 'aborted') return `не завершён к ${windowEnd}`;
  if (status === 'no_data') return 'не может быть оценён, не хватает данных';
  return `завершён в ${finishedAt}`;
}

function countsOf({ totals, points, violations }: RunFacts): string[] {
  const parts: [number, string][] = [
    [totals.onTime, `вовремя ${totals.onTime}`],
    [totals.uncertain, `неясно, вовремя ли: ${totals.uncertain}`],
    [totals.noData, `без данных ${totals.noData}`],
    [totals.skipped, `пропущено ${totals.skipped}`],
    [totals.missed, `не посещено ${totals.missed}`],
    [totals.excused, `не нужно ${totals.excused}`],
  ];
  return [
    `пройдено точек ${totals.passed} из ${points}`,
    ...parts.filter(([count]) => count > 0).map(([, text]) => text),
    violations === 0 ? 'нарушений нет' : `нарушений ${violations}`,
  ];
}

function ahead({ overdue, lateExpected }: RunFacts): string {
  const parts = [
    ...(overdue > 0 ? [`просрочено точек: ${overdue}`] : []),
    ...(lateExpected > 0 ? [`ожидается с опозданием: ${lateExpected}`] : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
}
