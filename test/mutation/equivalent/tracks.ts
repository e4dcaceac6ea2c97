import { at, type Reasons } from './reasons.js';

export const TRACKS: Reasons = {
  'changes the first guess, the order or the amount of work, but not the result': [
    ...at('tracks/route/deviationWalk', [
      'const isLeftFirst = left.meters >= right.meters;',
      /left\.meters > right/,
    ]),
    // Shortcuts: the general path gives the same.
    ...at('tracks/ledger/stepZones', ['for (let i = 0; i < count && isWhole; i++)', /^true$/]),
    ...at('tracks/speeding/speedLimits', ['least(unitKph: number): number {', /^\{\}$/]),
    ...at('tracks/meetings/pairDistance', ['if (Number.isNaN(this.#way))', /^true$/]),
    // A block more is measured before it is asked for.
    ...at('tracks/meter/stepColumns', [
      'for (let block = Math.floor(from / BLOCK); block * BLOCK < to',
      /<= to/,
    ]),
    // Equal limits are one.
    ...at('tracks/speeding/speedLimits', ['if (limit !== UNLIMITED && limit < lowest) lowest', /<= lowest/]),
    ...at(
      'tracks/meter/greatestSpeed',
      ['if (from.fraction > 0) {', />= 0/],
      ['if (to.fraction > 0) {', /^true$/],
    ),
    // Without it fewer fixes are decided at once.
    ...at('tracks/route/placeLattice', ['reached = lacks.flatMap((lack', /^true$/]),
    ...at('tracks/route/routeLine', ['if (Math.abs(off) < 1e-13) break;', /<= 1e-13/]),
    ...at(
      'hours/prepareHours',
      ['if (nextDay > LAST_DAY + REACH_DAYS) return null;', /-|>=/],
      ['open = close < end ?', /^true$|<=/],
      // A turning day a few days off is within the reach of a chunk.
      ['const days = [...rules.special.keys(), rules.firstDay', /- 1/],
      ['const turning = days[firstWhere(', /> nextDay|nextDay \+/],
      ['const isSteady = this.#isConstant', /[<>]=/],
      ['chunk = isSteady ? Math.max(', /turning \+/],
      // Chunks are kept only to save work.
      ['if (spans === undefined) {', /^true$/],
      ['if (this.#chunks.size >= MAX_CHUNKS)', /./],
      // A range outside the chunk, or without length, is cut to one that is empty or reversed, and joined to its neighbour.
      ['if (from < to && from < end && to > start)', /<=|>=/],
      ['if (spans.length > 0 && from <=', /^true$|>= 0/],
      // The minute is opened by the next range, or the week is not constant in any case.
      ['for (let minute = from; minute < to;', /<=/],
    ),
    ...at(
      'hours/fromOpeningHours',
      // The rest of the rule is refused by the next line.
      ['if (tokens === null || tokens.length === 0) return null;', /^false$/],
      ['while (at < tokens.length && isDayPart(', /^true$|<=/],
      ["if (first === 'PH' || last === undefined", /^false$/],
      ['if (at === tokens.length || !isDayPart(', /^false$/],
      // Tokens are times already.
      ['const match = /^', /./],
    ),
    ...at(
      'hours/readHours',
      ['for (const day of readHolidays(holidays)) if', /^true$/],
      // `readWallTime` refuses other values and longer texts with a time that is not midnight.
      ["const time = typeof value === 'string' && value.length === 10", /^true$|\|\|/],
    ),
    // No two times of the heap are equal.
    ...at(
      'tracks/waitingFixes',
      ['if (heap[parent]!.time < time) break;', /<= time/],
      ['if (last.time < heap[child]!.time) break;', /<= heap/],
    ),
    ...at('tracks/isPlausible', ['if (wayBound(', /< reach/]),
    ...at(
      'tracks/fixColumns',
      ['for (let i = 0; i < times.length; i++) {', /i <= times/],
      ['if (to - from > 1) order.subarray(', /to \+ from/],
    ),
  ],
  'a piece without a duration is left out': [
    // A border less than a nanosecond before the end of a step.
    ...at('tracks/ledger/stepZones', [
      'if (border - cuts.at(-1)! > same && 1 - border > same)',
      /&& true$|^true$/,
    ]),
    // From the very threshold downward there is an excess of no duration.
    ...at('tracks/speeding/speedingMachine', [
      'if (!(a > threshold || b > threshold)) return',
      /a >= threshold/,
    ]),
  ],
  'a field that is undefined is read as an absent one': [
    ...at('tracks/speeding/speedingOptions', ['...(index !== undefined && { index }),', /^true$/]),
  ],
  'in Math.max null counts as 0, and no speed is less': [
    ...at('tracks/ledger/sumByZone', ['if (a === null || b === null) return a ?? b;', /&&/]),
  ],
  'only a distance of exactly a micrometre': [
    ...at('tracks/route/routeParts', ['return lengthMeters - at < LEAST_METERS', /<= LEAST/]),
  ],
  'a case or a word that is never used': [
    ...at('tracks/ledger/stepZones', ['#stops: number[] = [];', /Stryker/]),
    ...at('tracks/speeding/speedLimits', ['readonly zoneIds: (string | null)[] = [];', /Stryker/]),
    // A single text is not a pair of fractions, and does not begin at 0.
    ...at(
      'tracks/visitStepper',
      ['const NONE: readonly number[] = [];', /Stryker/],
      ["const next = !inside.has(id) ? 'outside' :", /^""$/],
    ),
  ],
};
