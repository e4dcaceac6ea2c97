/** A run of a trip: its times and statuses as texts, and its distance over time with planned windows, stays and the driven line. */

import { type Mood, POINT_STATUSES } from '../../../core/pointStatus.js';
import { MEASURE_SYSTEMS } from '../../measureSystem.js';
import type { PageTrip, PageTripPoint } from '../../pageTrip.js';
import type { ReportWords } from '../../reportWordsEnglish.js';
import { element, svg, svgText, tip } from './dom.js';
import { clockOf, fill, METER_STEPS, type Measures, ticks, timeTicks, wordOf } from './formats.js';

const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT] = [44, 12, 14, 22, 230] as const;

interface Axes {
  readonly x: (time: number) => number;
  readonly y: (meters: number) => number;
  readonly width: number;
}

/** The words and measures of a page with a graph. */
interface GraphPage {
  readonly words: ReportWords;
  readonly measures: Measures;
}

/** The graph of a run. For each point a bar is the planned window, a thick line the stay. */
export function tripGraph(page: GraphPage, trip: PageTrip, width: number): SVGElement {
  const { words } = page;
  const [from, to] = trip.span;
  const driven = trip.way.flatMap((line) => line.filter((_, k) => k % 2 === 1));
  const most = Math.max(1, ...driven, ...trip.points.map((point) => point.at));
  const axes: Axes = {
    x: (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT),
    y: (meters) => HEIGHT - BOTTOM - (meters / most) * (HEIGHT - TOP - BOTTOM - 8),
    width,
  };
  const drawn = svg('svg', {
    width,
    height: HEIGHT,
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: 'img',
    class: 'graph',
    'aria-label': fill(words.graphOf, { trip: trip.name }),
  });
  drawn.append(...rules(page, trip, axes, most));
  for (const [i, point] of trip.points.entries()) drawn.append(...pointMarks(words, trip, point, i, axes));
  for (const line of trip.way) {
    const places: string[] = [];
    for (let k = 0; k + 1 < line.length; k += 2) {
      places.push(`${axes.x(from + line[k]!).toFixed(1)},${axes.y(line[k + 1]!).toFixed(1)}`);
    }
    drawn.append(svg('polyline', { points: places.join(' '), class: 'way' }));
  }
  const events: readonly [number | null, string][] = [
    [trip.activatedAt, words.activated],
    [trip.finishedAt, words.finished],
  ];
  for (const [time, text] of events) {
    if (time === null || time < from || time > to) continue;
    const x = axes.x(time);
    const line = { x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM, class: 'event' };
    drawn.append(svg('line', line, tip(`${text} ${wallText(trip, time)}`)));
  }
  return drawn;
}

function rules(
  { words, measures }: GraphPage,
  trip: PageTrip,
  { x, y, width }: Axes,
  most: number,
): SVGElement[] {
  const clock = clockOf(trip.timeZone);
  const marks: SVGElement[] = [];
  const { wayMeters, lengthMeters } = MEASURE_SYSTEMS[measures.system];
  // Thousandths of a mile serve as round steps too, like metres.
  const unit = wayMeters / 1000;
  for (const value of ticks(0, most / unit, 4, METER_STEPS)) {
    // Thousandths of the unit of distances have a word only if they are the unit of lengths, as metres are.
    const isWay = unit !== lengthMeters || value >= 1000 || most >= 2000;
    const text = isWay ? `${value / 1000} ${words.km}` : `${value} ${words.meters}`;
    const place = y(value * unit);
    marks.push(svg('line', { x1: LEFT, x2: width - RIGHT, y1: place, y2: place, class: 'rule' }));
    marks.push(svgText(text, { x: LEFT - 6, y: place + 4, 'text-anchor': 'end' }));
  }
  for (const time of timeTicks(clock, trip.span, width, 90)) {
    marks.push(svg('line', { x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM, class: 'rule' }));
    marks.push(svgText(wallText(trip, time), { x: x(time), y: HEIGHT - 6, 'text-anchor': 'middle' }));
  }
  return marks;
}

function pointMarks(
  words: ReportWords,
  trip: PageTrip,
  point: PageTripPoint,
  i: number,
  { x, y, width }: Axes,
): SVGElement[] {
  const { window, arrival, departure, status, at, predictedArrival } = point;
  const mood = moodOf(status);
  const name = `${i + 1} ${point.name}, ${wordOf(words, status)}`;
  const start = window === null ? (arrival ?? predictedArrival) : window[0];
  if (start === null) return [];
  const marks: SVGElement[] = [];
  if (window !== null) {
    const wide = Math.max(4, x(window[1]) - x(start));
    const planned = `${wallText(trip, window[0])} – ${wallText(trip, window[1])}`;
    const left = x(start) - (wide === 4 ? 2 : 0);
    const shape = { x: left, y: y(at) - 6, width: wide, height: 12, rx: 3, class: `window ${mood}` };
    marks.push(svg('rect', shape, tip(`${name}, ${words.planned} ${planned}`)));
  }
  if (arrival !== null) {
    const end = departure ?? Math.min(trip.span[1], trip.finishedAt ?? trip.span[1]);
    const line = {
      x1: x(arrival) - 1,
      x2: Math.max(x(arrival) + 1, x(end)),
      y1: y(at),
      y2: y(at),
      class: `stay ${mood}`,
    };
    marks.push(svg('line', line, tip(`${name}, ${words.arrival} ${wallText(trip, arrival)}`)));
  }
  for (const [bounds, word] of [
    [point.arrivalBounds, words.arrival],
    [point.departureBounds, words.departure],
  ] as const) {
    if (bounds === null) continue;
    const [left, right] = bounds.map((time) => Math.max(LEFT, Math.min(width - RIGHT, x(time))));
    const line = { x1: left!, x2: right!, y1: y(at) + 8, y2: y(at) + 8, class: `bounds ${mood}` };
    marks.push(svg('line', line, tip(`${name}, ${word} ${seenText(words, trip, bounds[0], bounds)}`)));
  }
  if (predictedArrival !== null) {
    const dot = { cx: x(predictedArrival), cy: y(at), r: 4, class: `expected ${mood}` };
    const time = wallText(trip, predictedArrival);
    marks.push(svg('circle', dot, tip(`${name}, ${fill(words.expectedAt, { time })}`)));
  }
  const label = {
    x: Math.min(width - RIGHT - 8, Math.max(LEFT + 2, x(start))),
    y: y(at) - 9,
    class: 'label',
  };
  marks.push(svgText(String(i + 1), label));
  return marks;
}

export function graphKey(words: ReportWords): HTMLElement {
  const entries = [
    ['way', words.keyWay],
    ['window ok', words.keyWindow],
    ['stay ok', words.keyStay],
    ['bounds none', words.keyBounds],
    ['expected wait', words.keyExpected],
    ['event', words.keyEvent],
  ] as const;
  const keys = entries.map(([kind, text]) => {
    const mark = svg('svg', { width: 22, height: 12, 'aria-hidden': 'true', class: 'graph' });
    if (kind === 'event') mark.append(svg('line', { x1: 11, x2: 11, y1: 0, y2: 12, class: kind }));
    else if (kind === 'expected wait') mark.append(svg('circle', { cx: 11, cy: 6, r: 4, class: kind }));
    else if (kind === 'window ok') {
      mark.append(svg('rect', { x: 1, y: 1, width: 20, height: 10, rx: 3, class: kind }));
    } else mark.append(svg('line', { x1: 1, x2: 21, y1: 6, y2: 6, class: kind }));
    return element('span', {}, mark, ` ${text}`);
  });
  return element('p', { className: 'key note' }, ...keys);
}

/** Moods of the statuses of runs, times and activations. */
const OTHER_MOODS: Readonly<Record<string, Mood>> = {
  cancelled: 'none',
  scheduled: 'wait',
  active: 'now',
  finished: 'ok',
  finished_with_violations: 'warn',
  aborted: 'bad',
  not_started: 'bad',
  on_time: 'ok',
  early: 'warn',
  late: 'bad',
  out_of_order: 'warn',
  uncertain: 'none',
  assumed: 'none',
};

/** The mood of a status of a point, a run, a time or an activation. */
export function moodOf(status: string): Mood {
  const rows: Readonly<Record<string, { readonly mood: Mood }>> = POINT_STATUSES;
  return rows[status]?.mood ?? OTHER_MOODS[status] ?? 'none';
}

export function chip(words: ReportWords, status: string, more = ''): HTMLElement {
  const text = wordOf(words, status);
  return colouredChip(moodOf(status), more === '' ? text : `${text} ${more}`);
}

export function colouredChip(mood: string, textContent: string): HTMLElement {
  return element('span', { className: `chip ${mood}`, textContent });
}

/** `HH:mm` on the wall clock of the trip's zone, with the day if it is not the trip's date. */
export function wallText(trip: Pick<PageTrip, 'timeZone' | 'date'>, time: number | null): string {
  const text = clockOf(trip.timeZone).text(time).slice(0, 16);
  return text.slice(0, 10) === trip.date ? text.slice(11) : text.slice(5);
}

/** An observed time, or its two bounds. */
export function seenText(
  words: ReportWords,
  trip: Pick<PageTrip, 'timeZone' | 'date'>,
  time: number,
  bounds: readonly [number, number] | null,
): string {
  if (bounds === null) return wallText(trip, time);
  return fill(words.notSeen, { from: wallText(trip, bounds[0]), to: wallText(trip, bounds[1]) });
}

/** The deviation from the plan with its sign, in suitable units. */
export function offPlan(words: ReportWords, seconds: number): string {
  const sign = seconds < 0 ? '−' : '+';
  return sign + amount(words, Math.abs(seconds));
}

/** A duration in seconds, minutes, or hours and minutes. */
export function amount(words: ReportWords, seconds: number): string {
  if (seconds < 60) return fill(words.inSeconds, { seconds: Math.round(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(words.inMinutes, { minutes });
  return fill(words.inHours, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
