/** Cuts a route into parts, each driven, skipped or not reached yet. */

/** Places are equal up to the rounding of the foot on an edge. */
const NOISE_METERS = 1e-6;

/** A stretch of the route. */
export interface RoutePart {
  /** Metres along the route. */
  readonly fromMeters: number;
  /** Metres along the route. */
  readonly toMeters: number;
  /**
   * `covered`: a leg covers the part. `no_data`: the unit skipped the part, but could have driven it unseen. `missed`: the unit skipped the
   * part. `ahead`: the part is beyond the greatest place reached.
   */
  readonly status: 'covered' | 'no_data' | 'missed' | 'ahead';
  /** Number of legs over the part, in either direction. */
  readonly passes: number;
}

/** A shorter stretch is a rounding of places that are one, metres. */
const LEAST_METERS = 1e-6;

/** The place within the route; one that is an end of it but for rounding is that end. */
function atEnd(at: number, lengthMeters: number): number {
  if (at < LEAST_METERS) return 0;
  return lengthMeters - at < LEAST_METERS ? lengthMeters : at;
}

/** The partition of `[0, lengthMeters]`. `reached` is the greatest place; -1 without a fix on the route. */
export function partsOf(
  lengthMeters: number,
  legs: readonly MatchedLeg[],
  skips: readonly Skip[],
  reached: number,
  halfWidth: number,
): RoutePart[] {
  const ahead = atEnd(Math.max(reached, 0), lengthMeters);
  const parts: RoutePart[] = [];
  for (const { from, to, legCount, unseen } of cuts(lengthMeters, legs, skips, ahead)) {
    const status =
      legCount > 0 ? 'covered' : from > ahead - LEAST_METERS ? 'ahead' : unseen > 0 ? 'no_data' : 'missed';
    parts.push({ fromMeters: from, toMeters: to, status, passes: legCount });
  }
  const joined = join(parts);
  return join(joined.map((part, i) => withoutNoise(part, joined[i - 1], joined[i + 1], halfWidth)));
}

/** The share of the route that is covered. */
export function coveredShare(parts: readonly RoutePart[], lengthMeters: number): number {
  let meters = 0;
  for (const { status, fromMeters, toMeters } of parts) {
    if (status === 'covered') meters += toMeters - fromMeters;
  }
  return Math.min(1, meters / lengthMeters);
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly legCount: number;
  readonly unseen: number;
}

/** The stretches between neighbouring ends, with how many legs and skips run over each. */
function* cuts(
  lengthMeters: number,
  legs: readonly MatchedLeg[],
  skips: readonly Skip[],
  ahead: number,
): Generator<Cut> {
  const ends: { at: number; leg: number; unseen: number }[] = [];
  const add = (at: number, leg: number, unseen: number): void => {
    ends.push({ at: atEnd(at, lengthMeters), leg, unseen });
  };
  for (const { fromMeters, toMeters } of legs) {
    add(Math.min(fromMeters, toMeters), 1, 0);
    add(Math.max(fromMeters, toMeters), -1, 0);
  }
  for (const { fromMeters, toMeters, isUnseen } of skips) {
    add(fromMeters, 0, isUnseen ? 1 : 0);
    add(toMeters, 0, isUnseen ? -1 : 0);
  }
  add(ahead, 0, 0);
  add(lengthMeters, 0, 0);
  ends.sort((a, b) => a.at - b.at);
  let [from, legCount, unseen] = [0, 0, 0];
  for (const end of ends) {
    if (end.at - from > LEAST_METERS) {
      yield { from, to: end.at, legCount, unseen };
      from = end.at;
    }
    legCount += end.leg;
    unseen += end.unseen;
  }
}

/** An uncovered part of at most half the width beside a covered one counts as covered. */
function withoutNoise(
  part: RoutePart,
  before: RoutePart | undefined,
  after: RoutePart | undefined,
  halfWidth: number,
): RoutePart {
  if (part.status === 'covered' || part.toMeters - part.fromMeters > halfWidth) return part;
  const passes = [before, after].flatMap((other) => (other?.status === 'covered' ? [other.passes] : []));
  return passes.length === 0 ? part : { ...part, status: 'covered', passes: Math.min(...passes) };
}

/** Joins neighbours of one status and number of passes. */
function join(parts: readonly RoutePart[]): RoutePart[] {
  const joined: RoutePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.status === part.status && last.passes === part.passes) {
      joined[joined.length - 1] = { ...last, toMeters: part.toMeters };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

/** A drive along the route in one direction. */
export interface MatchedLeg {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  /** Metres along the route at `from`. */
  readonly fromMeters: number;
  /** Metres along the route at `to`. */
  readonly toMeters: number;
  /** `backward`: against the direction of the route. */
  readonly direction: 'forward' | 'backward';
}

/** A stretch between two fixes on the route whose way was not followed. Only unseen ones are kept. */
interface Skip {
  readonly fromMeters: number;
  readonly toMeters: number;
  /** Whether the unit could have driven it unseen. */
  readonly isUnseen: boolean;
}

interface LegRules {
  readonly halfWidth: number;
  readonly backMeters: number;
  /** Metres a millisecond: fastest unseen way. */
  readonly reach: number;
}

/** Followed steps in a row. Plain data. */
interface Chain {
  readonly firstTime: number;
  readonly firstMeters: number;
  lastTime: number;
  least: number;
  greatest: number;
  /** 1 forward, -1 backward, 0 while the unit has not moved `backMeters`. */
  direction: number;
  legTime: number;
  legMeters: number;
  farTime: number;
  farMeters: number;
}

/** Plain data. */
export interface LegState {
  chain: Chain | null;
  lastMeters: number;
  /** Greatest metres along; -1 before the first fix on the route. */
  greatest: number;
  legs: MatchedLeg[];
  skips: Skip[];
}

export function noLegs(): LegState {
  return { chain: null, lastMeters: 0, greatest: -1, legs: [], skips: [] };
}

/** A copy that may change while `state` stays; the lists begin empty. */
export function copyOfLegs(state: LegState): LegState {
  return { ...state, chain: state.chain && { ...state.chain }, legs: [], skips: [] };
}

/** Bounds of the way to a fix. */
interface WayTo {
  readonly time: number;
  readonly meters: number;
  readonly isStep: boolean;
  readonly unseenMs: number;
}

/** Adds a fix on the route. `turned` takes the time and place at which a backward leg begins. */
export function addPlace(
  state: LegState,
  way: WayTo,
  place: number,
  rules: LegRules,
  turned: (time: number, alongMeters: number) => void,
): void {
  const isFirst = state.greatest < 0;
  const step = isFirst ? place : place - state.lastMeters;
  const isFollowed = !isFirst && way.isStep && Math.abs(step) <= 2 * way.meters + rules.halfWidth;
  if (!isFollowed) {
    endChain(state);
    const fromMeters = isFirst ? 0 : state.lastMeters;
    // A skipped stretch that could not have been driven unseen is missed, like each stretch that no leg covers.
    const isUnseen = step <= rules.reach * way.unseenMs;
    if (step > 0 && isUnseen) state.skips.push({ fromMeters, toMeters: place, isUnseen });
    state.chain = {
      firstTime: way.time,
      firstMeters: place,
      lastTime: way.time,
      least: place,
      greatest: place,
      direction: 0,
      legTime: way.time,
      legMeters: place,
      farTime: way.time,
      farMeters: place,
    };
  } else {
    extend(state, state.chain!, way.time, place, rules.backMeters, turned);
  }
  state.lastMeters = place;
  state.greatest = Math.max(state.greatest, place);
}

function extend(
  state: LegState,
  chain: Chain,
  time: number,
  place: number,
  backMeters: number,
  turned: (time: number, alongMeters: number) => void,
): void {
  chain.lastTime = time;
  if (chain.direction === 0) {
    const isForward = isMove(place - chain.least, backMeters);
    if (isForward || isMove(chain.greatest - place, backMeters)) {
      chain.direction = isForward ? 1 : -1;
      [chain.farTime, chain.farMeters] = [time, place];
      if (!isForward) turned(chain.legTime, chain.legMeters);
    }
    chain.least = Math.min(chain.least, place);
    chain.greatest = Math.max(chain.greatest, place);
  } else if ((place - chain.farMeters) * chain.direction > 0) {
    [chain.farTime, chain.farMeters] = [time, place];
  } else if (isMove((chain.farMeters - place) * chain.direction, backMeters)) {
    endLeg(state, chain);
    [chain.legTime, chain.legMeters] = [chain.farTime, chain.farMeters];
    chain.direction = -chain.direction;
    [chain.farTime, chain.farMeters] = [time, place];
    if (chain.direction < 0) turned(chain.legTime, chain.legMeters);
  }
}

function isMove(meters: number, backMeters: number): boolean {
  return meters > 0 && meters >= backMeters;
}

/** Ends the current chain, if any. */
export function endChain(state: LegState): void {
  const { chain } = state;
  state.chain = null;
  if (chain === null) return;
  if (chain.direction !== 0) {
    endLeg(state, chain);
  } else if (chain.greatest - chain.least > NOISE_METERS) {
    const { firstTime: from, lastTime: to, least: fromMeters, greatest: toMeters } = chain;
    state.legs.push({ from, to, fromMeters, toMeters, direction: 'forward' });
  }
}

function endLeg(state: LegState, chain: Chain): void {
  if (Math.abs(chain.farMeters - chain.legMeters) <= NOISE_METERS) return;
  state.legs.push({
    from: chain.legTime,
    to: chain.farTime,
    fromMeters: chain.legMeters,
    toMeters: chain.farMeters,
    direction: chain.direction > 0 ? 'forward' : 'backward',
  });
}
