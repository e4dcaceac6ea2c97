/** Legs along a route, and the stretches that were skipped, from fixes whose place is known. */

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
export interface Skip {
  readonly fromMeters: number;
  readonly toMeters: number;
  /** Whether the unit could have driven it unseen. */
  readonly isUnseen: boolean;
}

/** Places are equal up to the rounding of the foot on an edge. */
const NOISE_METERS = 1e-6;

export interface LegRules {
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
export interface WayTo {
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
