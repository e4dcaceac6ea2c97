/** Compares a report with the lines of a verdict. */

import type { TripReport } from '../../../src/trips/index.js';
import type { Clock } from './dayPlan.js';

const MINUTE = 60_000;
const TIME = String.raw`(?:\+\d )?\d\d:\d\d\*?`;
const QUIET: readonly string[] = ['point_entered', 'point_left', 'trip_activated', 'trip_finished'];

type Says = (found: string[]) => void;

/** The lines of the verdict that do not hold, each with what the report says. */
export function objections(report: TripReport, lines: readonly string[], clock: Clock): string[] {
  const found: string[] = [];
  const names = report.points.map(({ name }) => name);
  const is = (time: number | null, text: string): boolean =>
    time !== null && Math.abs(time - clock(text)) <= MINUTE;
  const written = (time: number | null): string =>
    time === null ? '-' : new Date(time).toISOString().slice(8, 19);
  const check = (holds: boolean, line: string, said: string): void => {
    if (!holds) found.push(`${line} — the report says ${said}`);
  };

  const trip =
    (line: string): Says =>
    (): void => {
      const [status, ...more] = line.split('; ');
      check(report.status === status, line, report.status);
      for (const part of more) {
        const began = new RegExp(`^began (${TIME}) (seen|planned|assumed)$`).exec(part);
        const ended = new RegExp(`^finished (${TIME})$`).exec(part);
        if (!began && !ended) throw new Error(`no part of a verdict: ${part}`);
        if (began)
          check(
            is(report.activatedAt, began[1]!) && report.activation === began[2],
            part,
            `${report.activation} ${written(report.activatedAt)}`,
          );
        if (ended) check(is(report.finishedAt, ended[1]!), part, written(report.finishedAt));
      }
    };

  const point = (line: string): void => {
    const [name, rest] = line.split(': ');
    const index = names.indexOf(name!);
    if (index < 0 || rest === undefined) throw new Error(`no line of a verdict: ${line}`);
    const said = report.points[index]!;
    const [status, ...parts] = rest.split(', ');
    check(said.status === status, line, said.status);
    for (const part of parts) {
      const time = new RegExp(`^(arrived|left) (${TIME})(?: (on_time|early|late|uncertain))?$`).exec(part);
      const judged = /^(arrival|departure) (on_time|early|late|uncertain|null)$/.exec(part);
      const overdue = /^overdue (\d+) min$/.exec(part);
      if (time) {
        const isArrival = time[1] === 'arrived';
        const actual = isArrival ? said.arrival : said.departure;
        const verdict = isArrival ? said.arrivalStatus : said.departureStatus;
        check(
          is(actual, time[2]!) && (time[3] === undefined || verdict === time[3]),
          `${name}: ${part}`,
          `${written(actual)} ${verdict}`,
        );
      } else if (judged) {
        const verdict = String(judged[1] === 'arrival' ? said.arrivalStatus : said.departureStatus);
        check(verdict === judged[2], `${name}: ${part}`, verdict);
      } else if (overdue)
        check(
          Math.abs((said.overdueSeconds ?? -1e9) / 60 - Number(overdue[1])) <= 1,
          `${name}: ${part}`,
          String(said.overdueSeconds),
        );
      else if (part === 'out of order') check(said.outOfOrder, `${name}: ${part}`, 'in order');
      else throw new Error(`no part of a verdict: ${part}`);
    }
    if (!parts.some((part) => part.startsWith('overdue')))
      check(said.overdueSeconds === null, `${name}: not overdue`, `${said.overdueSeconds} s`);
  };

  trip(lines[0]!)(found);
  const lists = new Map(
    lines
      .filter((line) => /^(violations|alarms): /.test(line))
      .map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2).split('; ')]),
  );
  for (const line of lines.slice(1)) if (!/^(violations|alarms): /.test(line)) point(line);

  const violations = report.violations.map(({ type, pointIndex, which, seconds }) =>
    [type, names[pointIndex], which, seconds === null ? null : `${Math.round(seconds / 60)} min`]
      .filter((part) => part !== null)
      .join(' '),
  );
  const asked = lists.get('violations') ?? [];
  check(
    isSame(violations, asked),
    `violations: ${asked.join('; ') || 'none'}`,
    violations.join('; ') || 'none',
  );

  const alarms = report.events.filter(({ type }) => !QUIET.includes(type));
  const due = lists.get('alarms') ?? [];
  const holds =
    alarms.length === due.length &&
    due.every((text, k) => {
      const parts = new RegExp(`^(${TIME}) (\\w+)(?: (\\w+))?$`).exec(text);
      if (!parts) throw new Error(`no alarm: ${text}`);
      const alarm = alarms[k]!;
      const name = alarm.pointIndex === null ? undefined : names[alarm.pointIndex];
      return is(alarm.time, parts[1]!) && alarm.type === parts[2] && name === parts[3];
    });
  const told = alarms.map(
    ({ time, type, pointIndex }) =>
      `${written(time)} ${type} ${pointIndex === null ? '' : names[pointIndex]}`,
  );
  check(holds, `alarms: ${due.join('; ') || 'none'}`, told.join('; ') || 'none');
  return found;
}

/** Equal texts, where minutes may differ by one. */
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length &&
  a.every((text, k) => {
    const [one, other] = [text, b[k]!].map((part) => Number(/(-?\d+) min$/.exec(part)?.[1] ?? 0));
    return text.replace(/-?\d+ min$/, '') === b[k]!.replace(/-?\d+ min$/, '') && Math.abs(one! - other!) <= 1;
  });
