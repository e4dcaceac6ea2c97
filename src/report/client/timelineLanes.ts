/** The day of a unit as an image: movement and speeding above, visits and closed hours below. */

import { isUnknown, MOVE_KINDS } from '../moveKinds.js';
import type { Finders } from './finders.js';
import { type MapMove, speedingStretch } from './movesOf.js';
import type { Page } from './page.js';
import { svg, tip } from './shared/dom.js';
import { duration, fill, wordOf } from './shared/formats.js';

interface Bar {
  readonly start: number;
  readonly end: number;
  readonly className: string;
  readonly color: string;
  readonly text: string;
  readonly open: () => void;
}

/** Draws the lanes of a unit over a period, `width` pixels wide. */
export type DrawLanes = (unit: number, period: readonly [number, number], width: number) => SVGElement;

/** Returns a function that draws the lanes of a unit. A click on a bar selects its item. */
export function timelineLanes(page: Page, moves: readonly MapMove[], finders: Finders): DrawLanes {
  const { data, words, clock } = page;
  const hours = (time: number): string => clock.text(time).slice(11, 16);
  const movesOfUnit = data.units.map((): MapMove[] => []);
  for (const move of moves) movesOfUnit[move.unit]!.push(move);
  const visitsOfUnit = data.units.map((): number[] => []);
  for (const [i, [unit]] of data.visits.entries()) visitsOfUnit[unit]!.push(i);
  const closedOfUnit = closedBars(page, hours, finders);
  const fastOfUnit = fastBars(page, finders);

  const moveBar = (move: MapMove): Bar => ({
    start: move.from,
    end: move.to,
    className: `move ${isUnknown(move.kind) ? 'unknown' : move.kind}`,
    color: '',
    text: `${wordOf(words, move.kind)} ${hours(move.from)} – ${hours(move.to)}, ${duration(move.to - move.from)}`,
    open: () => finders.move(move),
  });
  const visitBar = (i: number): Bar => {
    const [unit, zone, enter, exit] = data.visits[i]!;
    const { name, color } = data.zones[zone]!;
    return {
      start: enter,
      end: exit ?? data.units[unit]!.lastTime ?? enter,
      className: 'stayed',
      color,
      text: `${name} ${hours(enter)} – ${exit === null ? words.open : hours(exit)}`,
      open: () => finders.visit(i),
    };
  };
  return (unit, period, width) => {
    const own = movesOfUnit[unit]!;
    const count = (kind: MapMove['kind']): number => own.filter((move) => move.kind === kind).length;
    const label = fill(words.timelineOf, {
      unit: data.units[unit]!.id,
      trips: count('trip'),
      parkings: count('parking'),
      stops: count('stop'),
      unknown: own.filter(({ kind }) => isUnknown(kind)).length,
      visits: visitsOfUnit[unit]!.length,
    });
    const drawn = svg('svg', {
      width,
      height: 32,
      viewBox: `0 0 ${width} 32`,
      role: 'img',
      'aria-label': label,
    });
    // Unknown times are drawn above stops, these above parkings, and these above trips.
    const below = [...own].sort(
      (a, b) => MOVE_KINDS.indexOf(a.kind) - MOVE_KINDS.indexOf(b.kind) || a.from - b.from,
    );
    drawLane(drawn, below.map(moveBar), period, { width, top: 3, height: 10 });
    drawLane(drawn, fastOfUnit[unit]!, period, { width, top: 0, height: 3 });
    drawLane(drawn, visitsOfUnit[unit]!.map(visitBar), period, { width, top: 17, height: 12 });
    drawLane(drawn, closedOfUnit[unit]!, period, { width, top: 17, height: 12 });
    return drawn;
  };
}

/** By unit: the parts of visits in which the zone was closed. */
function closedBars({ data, words }: Page, hours: (time: number) => string, finders: Finders): Bar[][] {
  const bars = data.units.map((): Bar[] => []);
  for (const [visit, start, end] of data.conduct.closed ?? []) {
    const [unit, zone] = data.visits[visit]!;
    const text = `${data.zones[zone]!.name} ${hours(start)} – ${hours(end)}, ${words.keyClosed}`;
    const open = (): void => finders.visit(visit);
    bars[unit]!.push({ start, end, className: 'closed', color: '', text, open });
  }
  return bars;
}

/** By unit: its speeding. */
function fastBars(page: Page, finders: Finders): Bar[][] {
  const bars = page.data.units.map((): Bar[] => []);
  for (const [i, [unit, , start, end]] of (page.data.conduct.speeding ?? []).entries()) {
    bars[unit]!.push({
      start,
      end,
      className: 'fast',
      color: '',
      get text() {
        return speedingStretch(page, i).lines.join(', ');
      },
      open: () => finders.stretch(speedingStretch(page, i)),
    });
  }
  return bars;
}

/** Draws the bars that overlap the period. A bar on the same pixels as the one before is skipped. */
function drawLane(
  drawn: SVGElement,
  bars: readonly Bar[],
  [from, to]: readonly [number, number],
  { width, top, height }: { readonly width: number; readonly top: number; readonly height: number },
): void {
  const x = (time: number): number => ((time - from) / (to - from)) * width;
  let last = '';
  for (const one of bars) {
    const { start, end, className, color, open } = one;
    if (end < from || start > to) continue;
    const left = Math.max(0, x(start));
    const wide = Math.max(1.5, Math.min(width, x(end)) - left);
    const place = `${className}${color}${Math.round(left)} ${Math.round(wide)}`;
    if (place === last) continue;
    last = place;
    const shape = { x: left.toFixed(1), y: top, width: wide.toFixed(1), height, rx: 1.5, class: className };
    const bar = svg('rect', shape, tip(one.text));
    if (color !== '') bar.style.fill = color;
    bar.addEventListener('click', open);
    drawn.append(bar);
  }
}
