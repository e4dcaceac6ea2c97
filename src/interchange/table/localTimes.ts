/** Converts wall times of rows to instants. The order of a unit's rows decides a repeated wall time. */

import { DAY_MS } from '../../core/durations.js';
import { type LocalClock, makeClock } from '../../core/localClock.js';
import type { TableDraft } from './tableDraft.js';
import { zoneOffset } from './unitWords.js';

const ZONE_IN_NAME =
  /(?:^|[^A-Za-z])(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)[-_ ]([A-Z][a-z]+(?:_[A-Z][a-z]+)?)/;

/** The two instants of a wall time, mostly equal. Null if the clocks skip it. */
type Instants = readonly [first: number, second: number] | null;

/** Returns the instants of wall times in a zone, given by IANA name or offset. Throws `tz-unknown`. */
export function zoneInstants(timeZone: string): (wallTime: number) => Instants {
  const fixed = zoneOffset(timeZone);
  if (fixed !== null) {
    return (wallTime) => [wallTime - fixed * 60_000, wallTime - fixed * 60_000];
  }
  const clock = makeClock(timeZone);
  return (wallTime) => instantsOf(clock, wallTime);
}

function instantsOf(clock: LocalClock, wallTime: number): Instants {
  const first = clock.epochOf(wallTime);
  if (clock.wallTimeOf(first) !== wallTime) return null;
  // The offset a day later is that after a change.
  const offset = clock.wallTimeOf(first + DAY_MS) - (first + DAY_MS);
  const second = wallTime - offset;
  return second > first && clock.wallTimeOf(second) === wallTime ? [first, second] : [first, first];
}

/** Resolves wall times in the order of the rows. */
export class LocalTimes {
  /** Number of repeated wall times. */
  doubled = 0;
  readonly #instants: (wallTime: number) => Instants;
  readonly #isDescending: boolean;
  readonly #last = new Map<string, number>();

  /** `isDescending`: the newest row comes first. */
  constructor(timeZone: string, isDescending: boolean) {
    this.#instants = zoneInstants(timeZone);
    this.#isDescending = isDescending;
  }

  /** The instant; null if the clocks skip the wall time. */
  resolve(wallTime: number, unit: string): number | null {
    const instants = this.#instants(wallTime);
    if (instants === null) return null;
    const [first, second] = instants;
    let time = first;
    if (first !== second) {
      this.doubled++;
      const last = this.#last.get(unit);
      if (this.#isDescending) time = last !== undefined && second > last ? first : second;
      else if (last !== undefined && first < last) time = second;
    }
    this.#last.set(unit, time);
    return time;
  }
}

/** The zone by the caller, the program or the file's name. Null, with a question if needed: unknown. */
export function zoneOfTimes({ known, time, open, notes }: TableDraft, isFixes: boolean): string | null {
  if (!isFixes) return null;
  const given = known.timeZone ?? open.timeZone;
  if (given !== null && given !== undefined) return given;
  if (!time.needsZone || time.offset !== null) return null;
  const named = known.fileName === undefined ? null : zoneInName(known.fileName);
  if (named !== null) {
    notes.say(`times are of the zone ${named}, which the name of the file says`, `--time-zone ${named}`);
    return named;
  }
  notes.ask('time-zone-missing', 'the times have no zone', '--time-zone UTC');
  return null;
}

function zoneInName(name: string): string | null {
  const match = ZONE_IN_NAME.exec(name);
  if (match === null) return null;
  for (const city of [match[2]!, match[2]!.split('_')[0]!]) {
    const zone = `${match[1]}/${city}`;
    try {
      new Intl.DateTimeFormat('en-US', { timeZone: zone });
      return zone;
    } catch {
      // Some other word in the name.
    }
  }
  return null;
}
