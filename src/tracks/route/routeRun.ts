/** One run along a route, fix by fix: the state that batch and stream share. */

import { lonStep } from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { nearestFrom } from '../../geodesy/nearEdges.js';
import { isGapStep, SEEN } from '../blindStep.js';
import { type Absence, type Deviation, DeviationWalk, noAbsence } from './deviationWalk.js';
import {
  addLayer,
  emptyLattice,
  type Lattice,
  type Layer,
  lastPlaceOf,
  placesAtEnd,
  settledLayer,
} from './placeLattice.js';
import type { RouteLine } from './routeLine.js';
import {
  addPlace,
  copyOfLegs,
  coveredShare,
  endChain,
  type LegState,
  type MatchedLeg,
  noLegs,
  partsOf,
  type RoutePart,
} from './routeParts.js';
import type { RouteRules } from './routeRules.js';

/** Report of a run so far, without the place of each fix. */
export interface RouteReport {
  /** In order of time. */
  readonly legs: readonly MatchedLeg[];
  /** A partition of the route. */
  readonly parts: readonly RoutePart[];
  /** Absences from the corridor, in order of time. */
  readonly deviations: readonly Deviation[];
  /** Share of the route's length that is covered, 0 to 1. */
  readonly coveredShare: number;
}

/** Plain data. */
export interface RouteRunState {
  hasFix: boolean;
  time: number;
  lon: number;
  lat: number;
  /** Whether the last fix is on the route. */
  isOn: boolean;
  /** The last fix on the route. */
  onTime: number;
  onLon: number;
  onLat: number;
  /** Milliseconds of holes since the last fix on the route, or since the start of the run. */
  holeMs: number;
  lattice: Lattice;
  legs: LegState;
  absence: Absence;
  /** Whether a stream has emitted `deviated` for the absence. */
  isTold: boolean;
  deviations: Deviation[];
  /** Turns that a stream has emitted and may revise. */
  turns: Turn[];
}

/** A backward leg begins. */
export interface Turn {
  readonly time: number;
  readonly alongMeters: number;
}

export function newRun(): RouteRunState {
  return {
    hasFix: false,
    time: 0,
    lon: 0,
    lat: 0,
    isOn: false,
    onTime: 0,
    onLon: 0,
    onLat: 0,
    holeMs: 0,
    lattice: emptyLattice(),
    legs: noLegs(),
    absence: noAbsence(),
    isTold: false,
    deviations: [],
    turns: [],
  };
}

/** Callbacks of a stream for news of a run; a batch ignores most of them. */
export interface RunSink {
  /** The place of a fix on the route is certain. */
  readonly decided: (time: number, alongMeters: number) => void;
  readonly turned: (time: number, alongMeters: number) => void;
  readonly deviation: (deviation: Deviation) => void;
}

export class RouteRun {
  readonly walk: DeviationWalk;
  readonly #line: RouteLine;
  readonly #rules: RouteRules;

  constructor(line: RouteLine, rules: RouteRules) {
    this.#line = line;
    this.#rules = rules;
    const { halfWidth, exitBufferMeters, minMs } = rules;
    this.walk = new DeviationWalk(line, { halfWidth, exitBufferMeters, minMs });
  }

  /** Adds the next fix. `blind` is the entry of `Track.blind` of the step to it. */
  add(state: RouteRunState, time: number, lon: number, lat: number, blind: number, sink: RunSink): void {
    const rules = this.#rules;
    if (rules.from !== null && time < rules.from) return;
    const isHole = state.hasFix && this.#isHole(state, time, lon, lat, blind);
    if (!state.hasFix) state.holeMs = rules.from === null ? 0 : time - rules.from;
    else if (isHole) state.holeMs += time - state.time;
    const count = this.#line.placesWithin(lon, lat, rules.halfWidth);
    this.#follow(state, time, lon, lat, count > 0, blind, sink);
    if (count > 0) {
      const isStep = state.isOn && !isHole;
      const unseenMs = state.isOn ? time - state.onTime : state.holeMs;
      const settled = count === 1 ? settledLayer(state.lattice) : null;
      if (settled === null) this.#addLayer(state, time, lon, lat, isStep, unseenMs, count, sink);
      else {
        const place = this.#line.along[0]!;
        const isNear = Math.abs(place - settled.along[0]!) <= rules.halfWidth;
        settled.time = time;
        // Nothing else depends on it, and a step of at most half the width is followed anyway.
        settled.meters = isNear ? 0 : geodesicDistance(state.onLon, state.onLat, lon, lat);
        settled.isStep = isStep;
        settled.unseenMs = unseenMs;
        settled.along[0] = place;
        settled.offsets[0] = this.#line.offsets[0]!;
        addPlace(state.legs, settled, place, rules, sink.turned);
        sink.decided(time, place);
      }
      state.onTime = time;
      state.onLon = lon;
      state.onLat = lat;
      state.holeMs = 0;
    }
    state.isOn = count > 0;
    state.hasFix = true;
    state.time = time;
    state.lon = lon;
    state.lat = lat;
  }

  #addLayer(
    state: RouteRunState,
    time: number,
    lon: number,
    lat: number,
    isStep: boolean,
    unseenMs: number,
    count: number,
    sink: RunSink,
  ): void {
    const { along, offsets } = this.#line;
    const isFirst = state.lattice.layers.length === 0;
    const layer: Layer = {
      time,
      meters: isFirst ? 0 : geodesicDistance(state.onLon, state.onLat, lon, lat),
      isStep,
      unseenMs,
      along: along.slice(0, count),
      offsets: offsets.slice(0, count),
      costs: [],
    };
    addLayer(state.lattice, layer, (decided, place) => {
      addPlace(state.legs, decided, place, this.#rules, sink.turned);
      sink.decided(decided.time, place);
    });
  }

  /** Takes back the fixes after `time`, which repeated the place of the fix at that time: the receiver was frozen. */
  takeBack(state: RouteRunState, time: number): void {
    state.time = time;
    if (state.isOn) state.onTime = time;
    const { lattice, legs } = state;
    while (lattice.layers.length > 1 && lattice.layers.at(-1)!.time > time) lattice.layers.pop();
    if (legs.chain !== null) legs.chain.lastTime = Math.min(legs.chain.lastTime, time);
  }

  /** The place of the last fix on the route, as if the track ended here. */
  lastPlace(state: RouteRunState): number {
    return lastPlaceOf(state.lattice);
  }

  /** The turns of the fixes whose place is not certain so far, as if the track ended here. */
  turnsAhead(state: RouteRunState): Turn[] {
    const turns: Turn[] = [];
    this.#finish(state, (time, alongMeters) => turns.push({ time, alongMeters }));
    return turns;
  }

  /** The report as if the track ended here. `places` takes the place of each fix that is not certain. */
  report(state: RouteRunState, places: (time: number, alongMeters: number) => void = () => {}): RouteReport {
    const rest = this.#finish(state, () => {}, places);
    const legs = [...state.legs.legs, ...rest.legs];
    const skips = [...state.legs.skips, ...rest.skips];
    const { lengthMeters } = this.#line;
    const parts = partsOf(lengthMeters, legs, skips, rest.greatest, this.#rules.halfWidth);
    const open = state.hasFix ? this.walk.absenceUntil(state.absence, state.time) : null;
    return {
      legs,
      parts,
      deviations: open === null ? [...state.deviations] : [...state.deviations, open],
      coveredShare: coveredShare(parts, lengthMeters),
    };
  }

  #finish(
    state: RouteRunState,
    turned: (time: number, alongMeters: number) => void,
    placed: (time: number, alongMeters: number) => void = () => {},
  ): LegState {
    const legs = copyOfLegs(state.legs);
    const { layers, isDecided } = state.lattice;
    const places = placesAtEnd(state.lattice);
    for (let k = isDecided ? 1 : 0; k < layers.length; k++) {
      placed(layers[k]!.time, places[k]!);
      addPlace(legs, layers[k]!, places[k]!, this.#rules, turned);
    }
    endChain(legs);
    return legs;
  }

  #follow(
    state: RouteRunState,
    time: number,
    lon: number,
    lat: number,
    isOn: boolean,
    blind: number,
    sink: RunSink,
  ): void {
    const { absence } = state;
    const { tree, nearestMeters, nearestEdge } = this.#line;
    const meters = isOn ? nearestMeters : nearestFrom(tree, absence.edge, lon, lat, this.#rules.halfWidth);
    const edge = isOn ? nearestEdge : tree.edge;
    if (!state.hasFix) {
      this.walk.begin(absence, time, meters, edge);
    } else if (isGapStep(time - state.time, state.lon, lon, this.#rules.maxGapMs, blind)) {
      const deviation = this.walk.absenceUntil(absence, state.time);
      if (deviation !== null) sink.deviation(deviation);
      this.walk.begin(absence, time, meters, edge);
    } else {
      this.walk.step(absence, state.time, state.lon, state.lat, time, lon, lat, meters, edge, sink.deviation);
    }
  }

  #isHole(state: RouteRunState, time: number, lon: number, lat: number, blind: number): boolean {
    if (blind !== SEEN || Math.abs(lonStep(state.lon, lon)) === 180) return true;
    if (time - state.time <= this.#rules.holeMs) return false;
    return geodesicDistance(state.lon, state.lat, lon, lat) > this.#rules.parkedMeters;
  }
}
