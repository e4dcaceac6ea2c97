/** Outputs for events of runs on their routes, and their revisions by a later evaluation. */

import type { RouteEvent } from '../tracks/route/routeAnalysis.js';
import { describedItems } from './describedItems.js';
import { itemChanges } from './itemChanges.js';
import type { OfRun, RouteNews, UnitEvents } from './unitOutput.js';

/** A tracker's event as an output of its run. */
export function routeEvent(run: OfRun, event: RouteEvent): UnitEvents['routes'] {
  const { type, time, deviation, alongMeters } = event;
  if (type !== 'revised') return { kind: 'route', ...run, type, time, deviation, alongMeters };
  const was: RouteNews = { type: 'turned', time, deviation, alongMeters };
  return { type, kind: 'route', ...run, time, was, is: null };
}

/** The present news of one run, sorted by time. `events`: in the order of their numbers. */
export function describedRoute(events: Iterable<UnitEvents['routes']>): RouteNews[] {
  return describedItems(events, keyOf, ({ type, time, deviation, alongMeters }) => ({
    type,
    time,
    deviation,
    alongMeters,
  })).sort((a, b) => a.time - b.time || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/**
 * The events that turn the emitted news of a run into the present news. The first evaluation of a run gives ordinary events, no revisions.
 */
export function reviseRoute(
  run: OfRun,
  before: readonly RouteNews[],
  after: readonly RouteNews[],
): UnitEvents['routes'][] {
  const isPair = (was: RouteNews, is: RouteNews): boolean =>
    was.type === is.type && was.deviation !== null && was.deviation.from === is.deviation?.from;
  return itemChanges(before, after, { textOf, keyOf, isPair }).map(({ was, is }) =>
    was === null && before.length === 0
      ? { kind: 'route', ...run, ...is! }
      : { type: 'revised', kind: 'route', ...run, time: (is ?? was)!.time, was, is },
  );
}

/** A key with the whole absence for `returned`: a withdrawn one may end at the instant at which another one now ends. */
function keyOf({ type, time, deviation, alongMeters }: RouteNews): string {
  return `${type} ${time} ${alongMeters} ${type === 'returned' ? deviation?.from : ''}`;
}

/** The fields that do not depend on the order of arrival: of a `deviated`, all but the absence so far. */
function textOf(news: RouteNews): string {
  const { type, deviation } = news;
  const absence = type === 'returned' ? [deviation?.from, deviation?.to, deviation?.maxMeters] : [];
  return JSON.stringify([keyOf(news), ...absence]);
}
