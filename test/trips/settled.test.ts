import { describe, expect, test } from 'vitest';
import { dayTrip, fixes } from './fairDays.js';
import { JUDGES } from './judges.js';
import type { SlowReport } from './oracle/slowModel.js';
import { at, evaluate, points, trip, violations, visits } from './shortTrips.js';

/** Rules of DESIGN that two implementations read differently, each with the sentence that decides. */
const statuses = ({ points: all }: SlowReport): string[] =>
  all.map(({ status, arrivalStatus }) => `${status} ${arrivalStatus ?? '-'}`);

describe.each(JUDGES)('settled rules, by %s', (_name, judge) => {
  test('an unseen arrival after a `no_data` point has the cost of a visit under way, so the earlier visit serves', () => {
    // "or that follows a `no_data` predecessor's ...; the cost treats it as under way".
    const day = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10'], {
      activation_type: { key: 'time_of_first_point' },
    });
    const report = judge(
      day,
      fixes('06:40 -1', '07:50 -1', '07:56 0', '08:05 0', '08:10 1', '10:35 8', '10:40 8'),
    );
    expect(statuses(report)).toEqual(['passed on_time', 'no_data -', 'passed uncertain']);
  });

  test('a stop in the buffer beside the zone is part of the stay', () => {
    // "left when it exceeds `exitBufferMeters`": [enter, exit) includes the time beside the zone.
    const day = dayTrip(['A 08:00±10', 'B']);
    const track = fixes(
      '07:50 -0.6',
      '07:51 0',
      '07:52 0.32',
      '08:02 0.32',
      '08:03 0',
      '08:04 0.6',
      '08:10 2',
    );
    const report = judge(day, track, {
      exitBufferMeters: 50,
      holeSeconds: 900,
      serviceSeconds: 480,
      policy: 'wait',
    });
    expect(report).toMatchObject({ activation: 'seen' });
    expect(report.points[0]!.departure).toBeGreaterThan(at('08:03'));
  });

  test('a point that may still be visited is pending, so a stop at a later point is out of turn', () => {
    // "unserved and not `no_data`": the status, which a pending point does not have.
    const day = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10']);
    const track = fixes(
      '07:50 -0.6',
      '07:55 0',
      '08:05 0',
      '08:10 1',
      '08:15 3 2',
      '08:22 8',
      '08:32 8',
      '08:40 9',
    );
    const report = judge(day, track, { policy: 'wait', now: at('09:30') });
    expect(report.points.map(({ status, outOfOrder }) => [status, outOfOrder])).toEqual([
      ['passed', false],
      ['pending', false],
      ['pending', true],
    ]);
  });

  test('a unit that could have left the first point on time in a hole, but not come there, is `not_started`', () => {
    // "the arrival is asked only where the hole does not begin in the zone".
    const day = dayTrip(['A 08:00±10 09:00±10', 'B'], { activation_type: { key: 'leaving_first_point' } });
    const report = judge(day, fixes('06:00 20', '08:00 20', '08:20 20', '08:30 10', '10:00 20', '23:59 20'));
    expect(report.status).toBe('not_started');
    // "and for over `leaveConfirmSeconds`": it stood there when it was last seen, and was back when it was seen again.
    const plain = dayTrip(['A - 09:00±10', 'B'], { activation_type: { key: 'leaving_first_point' } });
    const back = (time: string): string =>
      judge(plain, fixes('08:00 0', '08:50 0', `${time} 0.25`, '23:59 0.25'), { holeSeconds: 60 }).status;
    expect([back('08:52'), back('08:52:01')]).toEqual(['not_started', 'no_data']);
  });

  test('the finish of an arbitrary order does not end the time of the last served point', () => {
    // "a visit's own finish does not end it when the point is judged without that visit".
    const day = dayTrip(['A 08:00±10', 'B 09:00±10'], {
      passage_order_type: { key: 'arbitrary' },
      activation_type: { key: 'leaving_first_point' },
    });
    const track = fixes('08:20 0', '08:25 0', '08:32 4', '08:34 4', '08:35 5');
    expect(statuses(judge(day, track))).toEqual(['passed uncertain', 'passed uncertain']);
  });
});

test('a stay joined over a gap is split if an assumed start needs it', () => {
  // B before and after a hole in which the unit may have been at A.
  const day = trip(['A 08:00±30', 'B 09:00±60']);
  const given = {
    visits: visits('1 07:00 07:30 gap', '1 09:30 10:00'),
    gaps: [{ from: at('07:30'), to: at('09:30') }],
  };
  const report = evaluate(day, given);
  expect([report.status, report.activation, points(report), violations(report)]).toEqual([
    'finished',
    'assumed',
    ['no_data', 'passed 09:30 10:00'].map((text) => (text === 'no_data' ? 'no_data  ' : text)),
    [],
  ]);
});
