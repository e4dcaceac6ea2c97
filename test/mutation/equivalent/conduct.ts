import { at, type Reasons, ties } from './reasons.js';

/** Of the meter, the ledger, speeding, routes and meetings; `tracks.ts` has more of them. */
export const CONDUCT: Reasons = {
  'a wider or narrower filter before an exact answer, or another limit of it: more or fewer cases take the long way':
    [
      ...ties('tracks/meetings/pairBounds', ''),
      ...at(
        'tracks/meetings/pairBounds',
        // The margins of rounding are a tenth of a micrometre.
        ['if (!isInReach || (mostEast', /atMost \+/],
        ['Math.min(Math.abs(east), Math.abs(endEast)) * this.#floorEast >', /atLeast - /],
        ['Math.min(Math.abs(north), Math.abs(endNorth)) * this.#floorNorth >', /atLeast - /],
        ['const margin = bulge + ROUNDING', /-/],
        // Of two numbers of one sign a quotient is above 0, too.
        ['(east * endEast > 0', /east \/ endEast/],
        ['(north * endNorth > 0', /north \/ endNorth/],
        // The caller sets all fields.
        ['readonly a: MutableMove', /^\{\}$/],
        ['readonly b: MutableMove', /^\{\}$/],
        // Scales that are known, but computed anew.
        ['if (!(Math.abs(middle - this.#lat) < SAME_LAT', /^true$|^false$|\+/],
        // The exact distances before and after the guess decide; at an end of the interval the bounds have decided.
        ['!(bulge <= MAX_BULGE', /^true$/],
        ['(before <= 0 ||', /^false$/],
        ['(after >= 1 ||', /^false$/],
        ['return isSure && exit >= 0', /true/],
        ['for (let round = 0; round < 3;', /<=/],
        ['const off = (lat + latward', /./],
        ['const perEast = (this.#parallel', /./],
      ),
      ...ties('tracks/meetings/pairDistance', 'if (gap * METERS_PER_LAT_DEGREE > meters)', 'return 2 * POLAR_RADIUS', 'if (Math.max(this.startMeters', 'this.bulge < Number.POSITIVE', 'for (let k = 0; k < pieces.length', 'if (!(farthest < NEAR_METERS)', 'if (!(farthest < CLOSE_METERS))', 'return Math.min(to, Math.max(from, square > 0', 'const t = Math.abs(first'), // biome-ignore format: one line
      ...at(
        'tracks/meetings/pairDistance',
        ['return 2 * POLAR_RADIUS', /meters \/ \(1|1 - 1e-9/],
        ['if (t === 1) return this.endMeters', /^false$/],
        ['if (Number.isNaN(this.#bulge)) this.#bound()', /^true$/],
        ['if (Math.max(this.startMeters', /^false$/],
        ['this.bulge < Number.POSITIVE', /^true$/],
        // A greater change is a bound, too.
        ['const way = (from: number', /\/|\+/],
        ['const sum = (aMeters + bMeters)', /\/ \(1|1 - 1e-12/],
        ['if (!(farthest < NEAR_METERS)', /^true$/],
        ['const turnShare = ', /Math\.max/],
        ['const way = Math.min(sum', /Math\.max/],
        ['this.#way = Math.min(way', /Math\.max|\* 2/],
        // Without the chord, or with another guess, the step is sampled.
        ['leastExcess(from, to) {', /^\{\}$/],
        ['return lengthAt(chord, nearestOf(chord, from, to)) -', /\+ CHORD/],
        ['const bound = lengthAt(chord, nearest) -', /\+ CHORD/],
        ['const root = Math.sqrt(', /./],
        ['const [first, last] = [(-linear', /./],
        ['const t = Math.abs(first', /./],
        ['return { t, slope: (linear', /./],
        // A chord that does not change is as long everywhere.
        ['return Math.min(to, Math.max(from, square > 0', /^true$/],
      ),
      ...at(
        'tracks/meetings/pairMachine',
        ['if (!isLong && rules.maxGapMeters ===', /^false$/],
        // While a meeting lasts the units are not that far apart at the beginning of the step.
        ['if (open === null && areApart(', /^false$|^true$|^open !== null$/],
        ['if (open !== null && bounds.isBetween(', /^false$|^\{\}$/],
        ['if (!open.isTold) tellIfLong(', /^true$/],
        ['if (bounds.measure() && isJudged(', /^false$/],
        ['if (rules.apartMeters > rules.meters) {', /^true$|>=/],
        ['if (open === null) return least > meters', /^false$/],
        ['if (least < open.minMeters) return false', /^true$/],
        ['const isNear = Math.max(', /^false$/],
        ['if (isNear && endMost < meters) {', /^false$/],
        ['} else if (!isNear || least <= meters) {', /^true$/],
        ['if (!isNear && apartMeters > meters) return false', /^true$|^apartMeters/],
        ['if (exit < 0) return false', /^true$/],
        ['): boolean {', /^\{\}$/],
        ['const exit = bounds.exitWithin(', /end \+ start/],
        ['return true;', /^false$/],
        ['isNext = true;', /./],
        ['if (i > 0) a.splice(0, i)', /^true$/],
        ['if (k > 0) b.splice(0, k)', /^true$/],
      ),
      ...ties('tracks/meetings/pairMachine', 'if (i > 0) a.splice', 'if (k > 0) b.splice', 'if (open === null) return least', 'if (least < open.minMeters)', 'const isNear = Math.max', 'if (isNear && endMost', 'if (exit < 0) return', '} else if (!isNear || least', 'if (!isNear && apartMeters', 'for (let n = 0; n < intervals'), // biome-ignore format: one line
      ...at(
        'tracks/meetings/pairFix',
        // At its ends a step is where its fixes are.
        ['if (to === undefined || time === from.time)', /^time === from\.time$|^false$/],
        ['if (isNext) {', /^false$/],
        ['} else if (start === from.time || step === 0) {', /^false$|&&/],
        ['if (end === to.time || step === 0) {', /^false$|&&/],
      ),
    ],
  'changes only how much is kept or computed, and when': [
    ...at('tracks/meter/stepMeter', ['const isStill = lon === state.lon', /^false$/]),
    ...at(
      'tracks/meter/trackMeter',
      ['if (a.fraction > 0) steps.measure', /^true$|>=/],
      ['if (b.fraction > 0) steps.measure', /^true$|>=/],
    ),
    ...at('tracks/route/routeTracker', ['if (known !== undefined) return known', /^false$/]),
    // One decided place after another, by the general way.
    ...at('tracks/route/placeLattice', ['return isDecided && layers.length === 1', /^false$/]),
    ...at('tracks/route/routeRun', ['const settled = count === 1 ?', /^false$/]),
    // The long way gives the same place, distance, way or least cost.
    ...at('tracks/route/routeLine', ['const t = end >= 0 ?', /^false$/], ['if (t === 0) return along[i]', /^false$/], ['if (t === 1) return along[i', /^false$/], ['if (Math.abs(off) < 1e-13) break;', /^false$/]), // biome-ignore format: one line
    ...at('tracks/route/routeLine', ['this.#firstTwins === null', /^true$/], [': new LineTree(', /./], ['[...this.#firstTwins.keys()].filter(', /./], ['if (this.#firstTwins !== null) this', /^false$/]), // biome-ignore format: one line
    ...at('tracks/route/placeLattice', ['if (count * to.length <= FEW', /./]),
    ...at(
      'tracks/route/placeLattice',
      ['} else if (lattice.layers.length >= lattice', /^true$/],
      ['lattice.searchAt = Math.max(', /\//],
    ),
    ...at(
      'tracks/route/deviationWalk',
      ['function lengthAtMost(', /^\{\}$/],
      ['const [east, north] = [lonStep(from', /^\[\]$/],
      ['return MAX_RADIUS * DEGREES', /MAX_RADIUS \//],
      ['state.outSince === null &&', /^false$/],
      ['if (state.outSince === null) {', /./],
    ),
    ...at(
      'tracks/route/deviationWalk',
      ['#convexAtMost(step: Edge', /^\{\}$/],
      ['this.#convexBound(step, start, end) + rise <', /^false$/],
    ),
    ...at('tracks/route/deviationWalk', ['this.#convexAtMost(step, start, end) + rise <', /^false$/]),
    ...at('tracks/meter/stepColumns', ['if (!isByPosition || rules.maxGapMeters', /^true$/]),
    ...at('tracks/meter/greatestSpeed', ['if (from.fraction > 0) {', /^true$/]),
    ...at('tracks/meter/trackMeter', ['const [first, last] = [Math.ceil(a / BLOCK)', /a \* BLOCK/]),
    ...at(
      'tracks/ledger/stepZones',
      ['#ordinals: number[] = [];', /Stryker/],
      ['#starts: number[] = [];', /Stryker/],
    ),
    ...at('tracks/speeding/feedSpeeding', ['while (needed + 1 < unit.judgedCount', /< from$/]),
    ...at('tracks/speeding/judgeSpeeds', ['if (Math.abs(fix.lat - reference.lat) * LEAST', /./]),
    ...at(
      'tracks/speeding/judgeSpeeds',
      // A slow speed is never contradicted.
      ['if (!isDoubtful(speedKph[i]!)) continue', /^false$/],
      ['for (let i = 0; i < length; i++)', /<=/],
    ),
    ...at(
      'tracks/speeding/speedLimits',
      ['readonly bounds: number[] = [];', /Stryker/],
      ['readonly limits: number[] = [];', /Stryker/],
      // Below the least limit nothing is speeding; without the least one every step is divided.
      ['if (this.#limitOf !== null) return Number.NEGATIVE', /^true$/],
      ['return unitKph === UNLIMITED ? this.#leastOfZones', /^false$/],
      ['const least = guarded(field', /^\{\}$/],
      ['if (limit !== UNLIMITED && limit < lowest)', /^true$/],
    ),
    ...at(
      'tracks/speeding/speedingTracker',
      // The value is not asked for where it was given as 0 or less.
      ['const limit = Number(limitKph) > 0', />= 0/],
    ),
    ...at('tracks/ledger/stepZones', ['return this.#internals?.segments.version', /&&/], ['let isWhole = true;', /^false$/], ['for (let i = 0; i < count && isWhole', /./]), // biome-ignore format: one line
    ...at(
      'tracks/meter/greatestSpeed',
      ['const [first, last] = [Math.ceil(from / BLOCK)', /from \* BLOCK/],
      ['if (known !== null) {', /^false$/],
      ['this.#steps.measure(from, Math.min(', /\+ 1/],
    ),
    ...at('tracks/meter/stepColumns', ['if (!isLate && straight < 0.999', /0\.999 \/|^false$/]),
    ...at(
      'tracks/route/deviationWalk',
      ['if (lon === fromLon && lat === fromLat) return', /^false$/],
      ['} else if (length < start.meters', /<=|^false$|start\.meters - end/],
      ['if (end.meters <= halfWidth && this.#ruler', /^false$|true/],
    ),
    ...at(
      'tracks/route/deviationWalk',
      ['if (spread <= enough || halvings === 0) return', /^false$|^spread < |&&|\|\| false$|^false \|\|/],
      ['const spread = (left.meters', /\* 2/],
      ['if (this.#convexAtMost(step, left, right) + rise <=', /^false$|< enough/],
      ['if (this.#convexBound(step, left, right) + rise <=', /^false$|< enough/],
      ['const isLeftFirst =', /./],
      ['if (spread < meters) return true', /^false$|<=/],
      ['const enough = best +', /Math\.min/],
      // Of two bounds either is one.
      ['if (left.edge === right.edge) return', /^false$/],
      ['return Math.min(', /^Math\.max\(left|^Math\.max\(Math/],
      ['if (isLeftFirst) this.#search(', /^true$/],
      ['if (!isLeftFirst) this.#search(', /^true$/],
    ),
    ...at('tracks/route/placeLattice', ['offsets: [first.offsets[candidate]!],', /^\[\]$/]),
    ...at('tracks/route/routeLine', ['readonly #edges: number[] = [];', /Stryker/], ['readonly #ends: number[] = [];', /Stryker/]), // biome-ignore format: one line
  ],
  'both sides are equal only by rounding, or then both ways are one': [
    ...ties('tracks/route/prepareRoute', 'courseDegrees: degrees < 0'),
    ...ties('tracks/route/routeParts', 'if (at < LEAST_METERS)'),
    // A way to the west is as long as one to the east.
    ...at('tracks/route/routeLine', ['const meters = along[i]! + edgeLength(', /aLon - lonStep/]),
    // Two distances from one vertex.
    ...at('tracks/route/routeLine', ['if (places > 0 && place', /^\{\}$/], ['offsets[places - 1] = Math.min', /Math\.max|places \+ 1/]), // biome-ignore format: one line
    ...ties('tracks/route/placeLattice', 'return Math.abs(Math.abs(step)', 'for (; end < count && from', 'for (; start < end && from', 'if (costs[p]! + 2 *', 'while (size > this.#head'), // biome-ignore format: one line
    // The first way begins at 0. A skip of length 0 skips nothing.
    ...at('tracks/route/routeParts', ['const step = isFirst ?', /^false$/]),
    ...ties('tracks/route/routeParts', 'if (step > 0 && isUnseen)', 'const isUnseen =', 'const isFollowed ='),
    ...ties('tracks/speeding/judgeSpeeds', ''),
    ...ties('tracks/speeding/speedingMachine', 'if (!(a > threshold || b > threshold))', 'const low = a >=', 'const high = b >='), // biome-ignore format: one line
    ...ties('tracks/speeding/urbanMileage', ''),
    ...ties('tracks/speeding/speedLimits', 'if (limit !== UNLIMITED'),
    ...ties('tracks/ledger/stepZones', 'if (this.#stops[i]! - this.#starts', 'if (border - cuts', 'if (this.#starts[i]! <= middle'), // biome-ignore format: one line
    ...ties('tracks/meter/greatestSpeed', 'if (even > most)', 'let own = speedKph', 'if (first >= last)'),
    ...ties('tracks/route/routeLine', 'const t = end >= 0 ?', 'if (places > 0 && place', 'if (rest <= 0)', 'if (meters < this.nearestMeters)'), // biome-ignore format: one line
    ...ties('tracks/route/deviationWalk', ''),
    ...ties('tracks/route/routeParts', 'if (Math.abs(chain.farMeters', '} else if (chain.greatest - chain.least', 'if (chain.direction < 0)'), // biome-ignore format: one line
    ...ties(
      'tracks/route/placeLattice',
      'reached = lacks.flatMap((lack',
      'if (cost < nextCost)',
      'if (cost <= budget)',
    ),
  ],
  'a part without a duration, or a touch, is left out or joined with its neighbour': [
    ...at('tracks/ledger/stepZones', ['if (this.#stops[i]! - this.#starts', /\+/], ['if (border - cuts', /\|\||true|\+/]), // biome-ignore format: one line
    ...at('tracks/speeding/speedingMachine', ['if (!(a > threshold || b > threshold))', /true|^false$/]),
  ],
  'a value that is always set before it is read': [
    ...at('tracks/speeding/speedingMachine', ['open ??= { parts: []', /^true$/]),
    ...at('tracks/ledger/stepZones', ['readonly zones: (readonly number[])[] = [];', /Stryker/]),
    ...at('tracks/route/placeLattice', ['let [next, nextCost] = [-1,', /\+1/]),
    ...at('tracks/route/deviationWalk', ['return { outSince: null', /^\{\}$/]),
    // Words that only divide steps, while the sources are checked.
    ...at('tracks/speeding/speedingTracker', ['new SpeedLimits(limits as LimitSources, {', /./]),
    // An event that lasts reaches the last fix.
    ...at('tracks/speeding/speeding', ['return speedingOf(open, open.reachesEnd', /\|\|/]),
  ],
  'nothing is there that it could do': [
    ...at('tracks/meter/stepMeter', ["if (rules.mileage !== 'mileage_GPS')", /^""$/]),
    // No step ends with a speed that begins without one.
    ...at('tracks/meter/greatestSpeed', ['if (start === UNKNOWN) return UNKNOWN', /^false$/]),
    // A track has a first fix and a last one, or neither.
    ...at('tracks/meter/trackMeter', ['if (from === null || to === null', /^false$/]),
    // No track has times before 1970.
    ...at('tracks/route/routeRun', ['if (rules.from !== null && time', /^true$/]),
    // No place comes before the first one. A further way is never cheaper than the least.
    ...at('tracks/route/routeLine', ['if (places > 0 && place', /^true$|true &&/]),
    // Without a place within the budget rounding was greater than a tie.
    ...at('tracks/route/placeLattice', ['if (cost < nextCost)', /\[\]/]),
    ...at('tracks/route/placeLattice', ['if (last === undefined) return [];', /Stryker/]),
    // Positions have no mileage.
    ...at('tracks/meter/stepMeter', ["if (rules.mileage !== 'mileage_GPS')", /^true$/]),
    // Without an edge within reach the nearest one is beyond it.
    ...at('tracks/route/routeLine', ['return places === 0 && count > 0', /^true$/]),
    // Days of one month have one sum.
    ...at('tracks/ledger/sumByZone', ["if (by === 'day') return", /^true$/]),
    // The text is a day already.
    ...at('hours/readHours', ['return readDay(`${String(year)', /^``$/]),
    ...ties('tracks/meetings/pairDistance', 'const isMissed = '),
  ],
  'dividing by 1 or -1 is multiplying': [
    ...at(
      'tracks/route/routeParts',
      ['} else if ((place - chain.farMeters) * chain.direction > 0)', /\//],
      ['} else if (isMove((chain.farMeters - place) * chain.direction, backMeters))', /\//],
    ),
  ],
  'times of fixes rise, so both cases are one': [
    ...at(
      'tracks/meetings/pairMachine',
      ['if (a0.time < start && a1 !== undefined', /^true|<= start && a1|^a0\.time <= start$/],
      ['else if (b0.time < start && b1 !== undefined', /^true|<= start && b1|^b0\.time <= start$/],
    ),
    // In which order the units go on changes only how many fixes wait.
    ...at('tracks/meetings/findMeetings', ['const isA = k === trackB.length ||', /./]),
  ],
};
