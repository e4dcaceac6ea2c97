import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, explainTrip, type TripOptions } from '../../src/trips/index.js';
import { amountText } from '../../src/trips/words/runFacts.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { readDays } from './days/readDays.js';
import { dayTrip, fixes } from './fairDays.js';
import { gapRun } from './gapRuns.js';
import { at, DATE } from './shortTrips.js';

const ABC = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10']);
const AT_A = ['07:35 -4', '07:45 -0.6', '07:55 0', '08:10 0', '08:20 0.6'];
const B_ON_TIME = ['08:50 2', '09:00 4', '09:20 4'];
const C_ON_TIME = ['09:30 5', '09:40 6', '09:50 6', '10:00 8', '10:20 8'];

function sentences(
  trip: Trip,
  day: readonly Fix[],
  language: string,
  options: Partial<TripOptions> = {},
): string[] {
  const report = evaluateTrip(trip, DATE, readTrack(day), { timeZone: 'UTC', ...options });
  const said = explainTrip(JSON.parse(JSON.stringify(report)), language);
  return [said.trip, ...said.points];
}

describe('a day in sentences', () => {
  test('as planned', () => {
    const day = fixes(...AT_A, ...B_ON_TIME, ...C_ON_TIME);
    expect(sentences(ABC, day, 'en')).toEqual([
      'The trip began at 07:50 and was finished at 09:58: 3 of 3 points passed, 3 on time, no violations.',
      'A was reached at 07:50, on time (planned 08:00), and left at 08:15.',
      'B was reached at 08:58, on time (planned 09:00), and left at 09:23.',
      'C was reached at 09:58, on time (planned 10:00), and the unit is still there.',
    ]);
    expect(sentences(ABC, day, 'ru-RU')).toEqual([
      'Рейс начат в 07:50 и завершён в 09:58: пройдено точек 3 из 3, вовремя 3, нарушений нет.',
      'A: прибытие в 07:50, вовремя (план 08:00), отправление в 08:15.',
      'B: прибытие в 08:58, вовремя (план 09:00), отправление в 09:23.',
      'C: прибытие в 09:58, вовремя (план 10:00), объект ещё там.',
    ]);
  });

  test('B was not seen between its neighbours, C was late', () => {
    const day = fixes(...AT_A, '08:21 0.7', '10:35 8', '11:00 8');
    expect(sentences(ABC, day, 'en').slice(2)).toEqual([
      'B was not seen: data are missing between 08:21 and 10:35; it could have been passed (planned 09:00).',
      'C was reached between 08:24 and 10:35, not seen; whether on time is not known (planned 10:00), and the unit is still there.',
    ]);
    expect(sentences(ABC, day, 'ru').slice(2)).toEqual([
      'B: посещение не видно: между 08:21 и 10:35 не хватает данных; точка могла быть пройдена (план 09:00).',
      'C: прибытие между 08:24 и 10:35, точнее не видно; вовремя ли, неизвестно (план 10:00), объект ещё там.',
    ]);
  });

  test('two orders of one customer were one stop', () => {
    const trip = dayTrip(['A 08:00±10', '@4 09:00±10', '@4 - 09:20±10', 'C 10:00±10']);
    const day = fixes(...AT_A, ...B_ON_TIME, ...C_ON_TIME);
    expect(sentences(trip, day, 'en').slice(2, 4)).toEqual([
      '@4 was reached at 08:58, on time (planned 09:00), and left between 08:58 and 09:23; it was one stop with @4.',
      '@4 was reached between 08:58 and 09:23, and left at 09:23, on time (planned 09:20); it was one stop with @4.',
    ]);
    expect(sentences(trip, day, 'ru').slice(2, 4)).toEqual([
      '@4: прибытие в 08:58, вовремя (план 09:00), отправление между 08:58 и 09:23; это была одна стоянка с точкой @4.',
      '@4: прибытие между 08:58 и 09:23, отправление в 09:23, вовремя (план 09:20); это была одна стоянка с точкой @4.',
    ]);
  });

  test('the start was not seen', () => {
    const day = fixes('08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME);
    expect(sentences(ABC, day, 'en').slice(0, 2)).toEqual([
      'The trip is assumed to have begun by 08:30, which was not seen, and was finished at 09:58: 2 of 3 points passed, 2 on time, 1 without data, no violations.',
      'A was not seen: data are missing between 06:50 and 08:30 (no position yet); it could have been passed (planned 08:00).',
    ]);
    expect(sentences(ABC, day, 'ru')[0]).toBe(
      'Рейс начат, вероятно, до 08:30 (начало не видно) и завершён в 09:58: пройдено точек 2 из 3, вовремя 2, без данных 1, нарушений нет.',
    );
  });

  test('live: overdue, predicted, expected late', () => {
    const day = fixes(...AT_A, '08:30 1', '09:00 1.1', '09:20 1.2');
    const options = { now: at('09:25'), predict: () => 3300 };
    expect(sentences(ABC, day, 'en', options)).toEqual([
      'The trip began at 07:50 and is under way: 1 of 3 points passed, 1 on time, no violations; 1 point is overdue, 2 points are expected late.',
      'A was reached at 07:50, on time (planned 08:00), and left at 08:15.',
      'B is still to be visited (planned 09:00); it is 15 min overdue; the unit is expected at 10:15, late.',
      'C is still to be visited (planned 10:00); the unit is expected at 10:15, late.',
    ]);
    expect(sentences(ABC, day, 'ru', options).filter((_, i) => i !== 1)).toEqual([
      'Рейс начат в 07:50 и выполняется: пройдено точек 1 из 3, вовремя 1, нарушений нет; просрочено точек: 1, ожидается с опозданием: 2.',
      'B: ещё не посещена (план 09:00); опоздание уже 15 мин; прибытие ожидается в 10:15, с опозданием.',
      'C: ещё не посещена (план 10:00); прибытие ожидается в 10:15, с опозданием.',
    ]);
  });

  test('not begun, not started, no data at all', () => {
    expect(sentences(ABC, [], 'en', { now: at('07:30') })[0]).toBe(
      'The trip has not begun; its first point is planned for 08:00.',
    );
    const whole = fixes('06:40 1', '08:40 1', ...B_ON_TIME);
    expect(sentences(ABC, whole, 'en')[0]).toBe(
      'The trip was not started: the unit was not seen to begin it.',
    );
    expect(sentences(ABC, whole, 'ru')[0]).toBe('Рейс не начат: его начало не замечено.');
    expect(sentences(ABC, [], 'en')[0]).toBe(
      'The trip cannot be judged: data are missing between 06:50 and 03-03 00:00 (no position yet).',
    );
    expect(sentences(ABC, [], 'ru')[0]).toBe(
      'Рейс нельзя оценить: между 06:50 и 03.03 00:00 (координат ещё нет) не хватает данных.',
    );
  });

  test('late, early, out of turn, skipped, missed, aborted', () => {
    const trip = dayTrip(['A 08:00±10', 'B 09:00±10 09:30±0', 'C 10:00±10', 'D 11:00±10']);
    const day = [
      ...AT_A,
      '08:30 4 3',
      '08:40 8',
      '08:50 8',
      '09:00 7',
      '09:10 5',
      '09:25 4',
      '09:27 4',
      '09:29 5',
    ];
    const rest = Array.from({ length: 100 }, (_, i) => {
      const minutes = 9 * 60 + 35 + 9 * i;
      return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')} 5.5`;
    }).filter((text) => text < '24');
    expect(sentences(trip, fixes(...day, ...rest), 'en').slice(0, 5)).toEqual([
      'The trip began at 07:50 and was not finished by 03-03 00:00: 2 of 4 points passed, 1 on time, 1 skipped, 1 missed, 4 violations.',
      'A was reached at 07:50, on time (planned 08:00), and left at 08:15.',
      'B was visited out of turn only (planned 09:00).',
      'C was reached at 08:39, 1 h 20 min early (planned 10:00), and left at 08:53.',
      'D was not visited (planned 11:00).',
    ]);
  });
});

describe('sentences say what was seen', () => {
  test('a visit that was over before its time, and one that is not over after it', () => {
    const early = fixes('06:00 0', '06:30 0', '07:00 0', '07:10 0', '07:12 1', '07:20 4', '07:30 4');
    const trip = dayTrip(['A 08:00±10 08:30±10', 'B']);
    expect(sentences(trip, early, 'en', { now: at('07:30') })[1]).toBe(
      'A was where the unit stood when the window opened at 06:50, which it left 49 min before it was to be there (planned 08:00), and left at 07:10, 1 h 19 min early (planned 08:30).',
    );
    const late = fixes('07:50 -0.6', '07:55 0', '09:00 0');
    expect(sentences(trip, late, 'en', { now: at('09:00') })[1]).toBe(
      'A was reached at 07:52, on time (planned 08:00), and the unit is still there, late (planned to leave 08:30).',
    );
    expect(sentences(trip, late, 'ru', { now: at('09:00') })[1]).toBe(
      'A: прибытие в 07:52, вовремя (план 08:00), объект ещё там, позже планового отправления (план 08:30).',
    );
  });

  test('points of a trip that was not started do not count', () => {
    const whole = fixes('06:40 1', '08:40 1', ...B_ON_TIME);
    expect(sentences(ABC, whole, 'en')[2]).toBe(
      'B does not count, as the trip was not started (planned 09:00).',
    );
    expect(sentences(ABC, whole, 'ru')[2]).toBe('B: не засчитывается, так как рейс не начат (план 09:00).');
  });

  test('T11: each hole that is quoted is one of the report, with its own ends', () => {
    for (let seed = 0; seed < 150; seed++) {
      const { trip, date, fixes: day, options } = gapRun(seeded(seed));
      const report = evaluateTrip(trip, date, readTrack(day), options as TripOptions);
      const { points } = explainTrip(report, 'en');
      const [whole] = explainTrip({ ...report, status: 'no_data', activatedAt: null }, 'en').trip.split(';');
      const known = report.holes.length === 0 ? '' : whole!;
      for (const [i, text] of points.entries()) {
        if (report.points[i]!.status !== 'no_data') continue;
        const quoted = [...text.matchAll(/between ([^,(]+?) and ([\d :-]+\d)/g)].slice(0, 1);
        if (report.holes.length <= 3)
          for (const [hole] of quoted) expect([seed, known]).toEqual([seed, expect.stringContaining(hole)]);
      }
    }
  });
});

test('every report gives a sentence for the trip and one per point', () => {
  for (let seed = 0; seed < 150; seed++) {
    const { trip, date, fixes: day, options } = gapRun(seeded(seed));
    const report = evaluateTrip(trip, date, readTrack(day), options as TripOptions);
    for (const language of ['en', 'ru']) {
      const said = explainTrip(report, language);
      expect(said.points).toHaveLength(report.points.length);
      for (const text of [said.trip, ...said.points]) {
        expect(text).toMatch(/^\S.*[^.]\.$/u);
        expect(text).not.toMatch(/undefined|null|NaN|\. | {2}|;;|,,/);
      }
      expect(said.points.map((text, i) => text.startsWith(report.points[i]!.name))).not.toContain(false);
    }
  }
});

test('rejects other languages and values that are not reports', () => {
  const report = evaluateTrip(ABC, DATE, { visits: [] }, { timeZone: 'UTC' });
  expect(errorOf(() => explainTrip(report, 'de'))).toMatchObject({
    code: 'language-unknown',
    field: 'language',
  });
  expect(errorOf(() => explainTrip(report, undefined as never)).code).toBe('language-unknown');
  for (const given of [null, 5, {}, { points: 3 }]) {
    expect(errorOf(() => explainTrip(given as never, 'en'))).toMatchObject({
      code: 'report-type',
      field: 'report',
    });
  }
  expect(errorOf(() => explainTrip({ ...report, timeZone: 'Mars/A' }, 'en')).code).toBe('tz-unknown');
  expect(errorOf(() => explainTrip({ ...report, points: [null] } as never, 'en')).code).toBe(
    'input-unreadable',
  );
});

describe('sentences of the hundred days', () => {
  const said = readDays().flatMap(({ name, plan: lines, script, verdicts }) => {
    const plan = readPlan(lines);
    const track = readTrack(fixesOfScript(script, plan.clock));
    return verdicts.map(({ at: time }) => {
      const now = time === null ? {} : { now: plan.clock(time) };
      const report = evaluateTrip(plan.trip, plan.date, track, { ...plan.options, ...now } as TripOptions);
      const [english, russian] = ['en', 'ru'].map((language) => explainTrip(report, language).points);
      return { name, report, english: english!, russian: russian! };
    });
  });

  test('each point without data names a hole', () => {
    for (const { name, report, english, russian } of said) {
      report.points.forEach(({ status }, i) => {
        if (status !== 'no_data') return;
        expect(english[i], name).toContain('data are missing between');
        expect(russian[i], name).toContain('не хватает данных');
      });
    }
  });

  test('each point says its planned arrival', () => {
    for (const { name, report, english, russian } of said) {
      report.points.forEach(({ plannedArrival, status }, i) => {
        if (plannedArrival === null || status === 'excused') return;
        expect(english[i], name).toContain('(planned');
        expect(russian[i], name).toContain('(план');
      });
    }
  });
});

test('whole hours have no minutes', () => {
  expect(amountText(3600, ['s', 'min', 'h'])).toBe('1 h');
  expect(amountText(3660, ['s', 'min', 'h'])).toBe('1 h 1 min');
});
