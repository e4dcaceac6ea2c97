/** Opens the item in the page's address. */

import type { Finders } from './finders.js';
import { linkNames } from './links.js';
import type { Timeline } from './makeTimeline.js';
import type { Trips } from './makeTrips.js';
import { speedingStretch } from './movesOf.js';
import type { Page } from './page.js';
import { byId, element, type Tabs } from './shared/dom.js';
import type { Replay } from './startReplay.js';

export interface LinkedParts {
  readonly finders: Finders;
  readonly trips: Trips;
  readonly timeline: Timeline;
  readonly replay: Replay;
  /** Shows a row of a table. */
  readonly reveal: (panel: 'visits' | 'zones' | 'units' | 'speeding', i: number) => void;
  /** Shows a unit's parts of the route; null if the report has no route. */
  readonly showRoute: ((unit: number) => void) | null;
}

/**
 * Connects the page's address with the items of the report. Items are named by their own ids, so that links do not depend on the order of
 * rows.
 */
export function startLinks(
  page: Page,
  tabs: Tabs,
  { finders, reveal, showRoute, ...parts }: LinkedParts,
): void {
  const { data, words, links } = page;
  const { trips, timeline, replay } = parts;
  const names = linkNames(data);
  const numbers = <T>(items: readonly T[], nameOf: (i: number) => string): ((name: string) => number) => {
    let known: Map<string, number> | null = null;
    return (name) => {
      // Of several items with one name, the first is kept.
      known ??= new Map(items.map((_, i) => [nameOf(i), i] as const).reverse());
      return known.get(name) ?? -1;
    };
  };
  const on = (
    key: string,
    numberOf: (name: string) => number,
    open: (i: number, rest: URLSearchParams) => void,
  ): void =>
    links.on(key, (name, rest) => {
      const i = numberOf(name);
      if (i >= 0) open(i, rest);
      return i >= 0;
    });
  const timeOf = (rest: URLSearchParams): number | null => {
    const time = Date.parse(rest.get('t') ?? '');
    return Number.isNaN(time) ? null : time;
  };
  links.on('tab', (name) => {
    if (document.getElementById(`tab-${name}`) === null) return false;
    if (name !== 'timeline') tabs.choose(name);
    if (name === 'read') byId('panel-read').scrollIntoView({ block: 'nearest' });
    return true;
  });
  on('trip', numbers(data.trips, names.trip), (i, rest) => {
    const point = Number(rest.get('point') ?? 0);
    trips.open(i, point > 0 ? point - 1 : null);
  });
  on('visit', numbers(data.visits, names.visit), (i, rest) => {
    finders.visit(i);
    if (rest.get('tab') === 'timeline') timeline.reveal(data.visits[i]![0], timeOf(rest));
    else reveal('visits', i);
  });
  on('speeding', numbers(data.conduct.speeding ?? [], names.speeding), (i, rest) => {
    finders.stretch(speedingStretch(page, i));
    if (rest.get('tab') === 'timeline') timeline.reveal(data.conduct.speeding![i]![0], timeOf(rest));
    else reveal('speeding', i);
  });
  on(
    'unit',
    numbers(data.units, (i) => data.units[i]!.id),
    (i, rest) => {
      finders.unit(i);
      if (rest.get('tab') === 'route') showRoute?.(i);
      else if (rest.get('tab') === 'timeline') timeline.reveal(i, timeOf(rest));
      else reveal('units', i);
    },
  );
  on(
    'zone',
    numbers(data.zones, (i) => data.zones[i]!.id),
    (i) => {
      finders.zone(i);
      reveal('zones', i);
    },
  );
  links.on('t', (text) => replay.show(Date.parse(text)));
  const unknown = element('p', { className: 'unread', textContent: words.linkUnknown });
  unknown.setAttribute('role', 'alert');
  links.start(() => byId('problems').prepend(unknown));
}
