/** The wall clock of a time zone. */

/** Milliseconds between two possible changes of an offset: offsets change only at whole quarters of an hour. */
const QUARTER = 900_000;

export interface Clock {
  /** Time zone of the clock: UTC if the browser does not know the requested one. */
  readonly name: string;
  /** The time as `yyyy-MM-dd HH:mm:ss`; empty for null. */
  readonly text: (time: number | null) => string;
  /** The time on the wall clock, milliseconds as if it were UTC. */
  readonly wall: (time: number) => number;
  /** The epoch time, milliseconds, at which the wall clock shows `wall`. */
  readonly instant: (wall: number) => number;
}

const clocks = new Map<string, Clock>();

export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = timeZone === 'UTC' ? clockAt('UTC', () => 0) : zoneClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function zoneClock(timeZone: string): Clock {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return clockOf('UTC');
  }
  const offsets = new Map<number, number>();
  return clockAt(timeZone, (time) => {
    const start = Math.floor(time / QUARTER) * QUARTER;
    let offset = offsets.get(start);
    if (offset === undefined) {
      const parts = new Map(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
      const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
      offset =
        Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
        start;
      offsets.set(start, offset);
    }
    return offset;
  });
}

function clockAt(name: string, offsetAt: (time: number) => number): Clock {
  const wall = (time: number): number => time + offsetAt(time);
  return {
    name,
    wall,
    text: (time) => (time === null ? '' : new Date(wall(time)).toISOString().slice(0, 19).replace('T', ' ')),
    instant: (shown) => shown - offsetAt(shown - offsetAt(shown)),
  };
}
