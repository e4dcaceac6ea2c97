/** §5 "Totals" and "A violation". */

import { lengthMeters } from '../../../src/index.js';
import type { Outcome } from './slowAssign.js';
import { isGap } from './slowHoles.js';
import type { Judgement } from './slowJudge.js';
import type { Run } from './slowModel.js';
import type { SlowPointReport, SlowTotals, SlowViolation } from './slowReport.js';

export function totalsOf(run: Run, outcome: Outcome, { points, finishedAt }: Judgement): SlowTotals {
  const count = (status: SlowPointReport['status']): number =>
    points.filter((point) => point.status === status).length;
  const served = points.filter(({ visit }) => visit !== null);
  const timesOf = (point: SlowPointReport): SlowPointReport['arrivalStatus'][] => [
    ...(point.plannedArrival === null ? [] : [point.arrivalStatus]),
    ...(point.plannedDeparture === null ? [] : [point.departureStatus]),
  ];
  return {
    // "`passed` counts the served points".
    passed: served.length,
    skipped: count('skipped'),
    missed: count('missed'),
    noData: count('no_data'),
    // "`onTime` the served points with a plan whose every planned time is on time".
    onTime: served.filter((point) => {
      const times = timesOf(point);
      return times.length > 0 && times.every((status) => status === 'on_time');
    }).length,
    // "`uncertain` those with an uncertain one and none early or late".
    uncertain: served.filter((point) => {
      const times = timesOf(point);
      return times.includes('uncertain') && !times.includes('early') && !times.includes('late');
    }).length,
    share: served.length / points.length,
    distanceMeters: distanceOf(run, outcome, finishedAt),
  };
}

/**
 * "`distanceMeters` runs from the lesser of S and the entry that serves the first point (not before the window) to the finish (else
 * the window's end) without the gaps of section 4, null without S."
 */
function distanceOf(run: Run, { start, assignment }: Outcome, finishedAt: number | null): number | null {
  const { fixes } = run;
  if (start === null || fixes === null) return null;
  const first = assignment[0]?.arrival ?? Number.POSITIVE_INFINITY;
  const from = Math.max(run.window.from, Math.min(start.at, first));
  const to = finishedAt ?? run.window.to;
  let sum = 0;
  fixes.forEach((b, i) => {
    const a = fixes[i - 1];
    if (!a || isGap(run, a, b)) return;
    const [begin, end] = [Math.max(a.time, from), Math.min(b.time, to)];
    if (begin >= end) return;
    let step = b.lon - a.lon;
    if (step > 180) step -= 360;
    if (step < -180) step += 360;
    const at = (time: number): [number, number] => {
      const f = (time - a.time) / (b.time - a.time);
      return [a.lon + f * step, a.lat + f * (b.lat - a.lat)];
    };
    sum += lengthMeters([at(begin), at(end)]);
  });
  return sum;
}

/** "in order of point, then of type as listed; `no_data` and `uncertain` are none". */
export function violationsOf({ status, points }: Judgement, isStarted: boolean): SlowViolation[] {
  // "(`no_data`, without violation, if it could have been at ... the first point on time)"; "with no fix in the window ... `no_data`,
  // whatever the activation, without violations".
  if (status === 'no_data' && !isStarted) return [];
  // "`not_started`, with that one violation (`pointIndex` 0) and none of its points".
  if (status === 'not_started') {
    return [{ type: 'not_started', pointIndex: 0, which: null, seconds: null }];
  }
  return points.flatMap((point) => {
    const pointIndex = point.index;
    const list: SlowViolation[] = [];
    const plain = (type: SlowViolation['type']): void => {
      list.push({ type, pointIndex, which: null, seconds: null });
    };
    if (point.status === 'skipped') plain('skipped');
    if (point.status === 'missed') plain('missed');
    if (point.outOfOrder) plain('out_of_order');
    for (const type of ['early', 'late'] as const) {
      if (point.arrivalStatus === type) {
        list.push({ type, pointIndex, which: 'arrival', seconds: point.arrivalDeviationSeconds });
      }
      if (point.departureStatus === type) {
        list.push({ type, pointIndex, which: 'departure', seconds: point.departureDeviationSeconds });
      }
    }
    return list;
  });
}
