/** Links to items of the report in the page's address: `#trip=bus 7/T-12/2026-03-02&point=3`, `#visit=…`, `#t=2026-03-02T05:00:00.000Z`. */

import type { PageData } from '../pageData.js';

/** Opens the item with the name `value`; returns whether the report has it. `rest`: the other keys of the address. */
type Opener = (value: string, rest: URLSearchParams) => boolean;

export interface Links {
  readonly on: (key: string, open: Opener) => void;
  /** Writes the selected item into the address. The time of the replay stays. */
  readonly set: (values: Readonly<Record<string, string>>) => void;
  /** Writes the time of the replay into the address; null removes it. */
  readonly setTime: (time: number | null) => void;
  /** Opens the item in the address, now and whenever the address changes. `onUnknown` is called if the report lacks it. */
  readonly start: (onUnknown: () => void) => void;
}

export function createLinks(): Links {
  const openers = new Map<string, Opener>();
  const own = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));
  const open = (onUnknown: () => void): void => {
    const values = own();
    for (const [key, opener] of openers) {
      const value = values.get(key);
      if (value !== null && !opener(value, values)) onUnknown();
    }
  };
  const write = (values: URLSearchParams): void => {
    const text = values.toString();
    // Only the part after # may change on a page opened from a file.
    if (text !== own().toString())
      history.replaceState(null, '', `${location.href.split('#')[0]}${text === '' ? '' : `#${text}`}`);
  };
  return {
    on: (key, opener) => void openers.set(key, opener),
    set(values) {
      const time = own().get('t');
      write(new URLSearchParams({ ...(time !== null && { t: time }), ...values }));
    },
    setTime(time) {
      const values = own();
      if (time === null) values.delete('t');
      else values.set('t', new Date(time).toISOString());
      write(values);
    },
    start(onUnknown) {
      open(onUnknown);
      addEventListener('hashchange', () => open(onUnknown));
    },
  };
}

/**
 * Names of items in the address. They come from the data, not from row numbers, so that a link never opens another item in another report.
 */
export function linkNames({ trips, visits, zones, units, conduct }: PageData): {
  readonly trip: (i: number) => string;
  readonly visit: (i: number) => string;
  readonly speeding: (i: number) => string;
} {
  const iso = (time: number): string => new Date(time).toISOString();
  return {
    trip: (i) => [trips[i]!.unitId, trips[i]!.id, trips[i]!.date].join('/'),
    visit(i) {
      const [unit, zone, enter] = visits[i]!;
      return [units[unit]!.id, zones[zone]?.id ?? '', iso(enter)].join('/');
    },
    speeding(i) {
      const [unit, , from] = conduct.speeding![i]!;
      return [units[unit]!.id, iso(from)].join('/');
    },
  };
}

/** The `#…` part of an address for these values. */
export function linkTo(values: Readonly<Record<string, string>>): string {
  return `#${new URLSearchParams(values).toString()}`;
}
