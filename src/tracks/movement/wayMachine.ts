/** The rules M10 to M14: what lies between the stays of a unit becomes trips, parkings that are joined, stops and unknown time. */

import type { Position } from '../../core/geometry.js';
import type { MovementRules } from '../movementRules.js';
import { Ruler } from '../stays/ruler.js';
import type { StayMachine } from '../stays/stayMachine.js';
import type { StaySink } from '../stays/stayRules.js';
import {
  CUT,
  FIXES,
  type FixRing,
  JUMPS,
  LAT,
  LON,
  MICROMETERS,
  MOVING,
  OFF_STEPS,
  REST_STEPS,
  rowOf,
  STAY_KPH,
  STRAIGHT,
  type StayState,
  TIME,
  UNMEASURED,
  WAY_KPH,
  WIDTH,
} from '../stays/stayState.js';
import {
  growPiece,
  isContradicted,
  isTrip,
  isTripUntil,
  type Mark,
  markAt,
  noStopped,
  noWay,
  type Piece,
  pieceFrom,
  type TripSums,
  tripSums,
  type UnknownReason,
  type WayState,
} from './wayState.js';

/** A trip ends no earlier: the rest at its end may be left out. */
function sureUntil({ rest, lastTime }: Piece): number {
  return rest === null ? lastTime : rest[TIME]!;
}

/** Receives trips, parkings, stops and unknown times, each kind in order of time. */
export interface WaySink {
  beginTrip(from: Mark): void;
  endTrip(from: Mark, to: Mark, sums: TripSums, maxKph: number): void;
  beginParking(from: Mark): void;
  endParking(from: Mark, to: Mark, maxKph: number, centre: Position): void;
  endStop(from: Mark, to: Mark, maxKph: number): void;
  endUnknown(from: Mark, to: Mark, reason: UnknownReason): void;
}

/** Takes the stays of parkings. `state` is the way of the unit whose fixes are read. */
export class WayMachine implements StaySink {
  readonly takesWays = true;
  state: WayState;
  readonly #rules: MovementRules;
  readonly #sink: WaySink;
  readonly #ruler = new Ruler();

  constructor(rules: MovementRules, sink: WaySink) {
    this.#rules = rules;
    this.#sink = sink;
    this.state = noWay();
  }

  get isWaiting(): boolean {
    return !this.state.isTrip;
  }

  start(recent: readonly number[], row: number): void {
    const { closed } = this.state;
    const mark = markAt(recent, row);
    this.finish();
    if (closed !== null) this.#unknown(closed, mark, 'gap');
    this.#startWay(mark, true);
  }

  step(recent: readonly number[], row: number): void {
    const { state } = this;
    if (state.isParked) {
      const { parking, stops } = state;
      if (recent[row + STAY_KPH]! > parking!.maxKph) parking!.maxKph = recent[row + STAY_KPH]!;
      if (stops.length > 0) state.stops = stops.filter(({ to }) => to[TIME]! > recent[row + TIME]!);
      return;
    }
    const piece = state.piece!;
    if (recent[row + WAY_KPH]! > state.maxKph) state.maxKph = recent[row + WAY_KPH]!;
    if (recent[row + CUT] === 1) {
      const before = (row === 0 ? recent.length : row) - WIDTH;
      this.#cut(piece, markAt(recent, before), markAt(recent, row));
      return;
    }
    growPiece(piece, recent, row, this.#rules, this.#ruler);
    state.changed ??= piece.changed;
    if (!state.isTrip) {
      if (isTrip(piece, this.#rules)) this.#beginTrip(piece);
    } else if (state.stops.length > 0) this.#tellStops(sureUntil(piece));
  }

  begin(recent: readonly number[], row: number, lon: number, lat: number): void {
    const { state } = this;
    // A sleep after silence begins with the rest before it.
    const at = state.rested ?? markAt(recent, row);
    const isJoined = state.piece !== null && this.#endWay(state.piece, at, lon, lat);
    state.piece = state.ahead = state.since = state.closed = state.rested = null;
    state.isOpen = false;
    state.isParked = true;
    if (isJoined) return;
    state.parking = { from: at, to: at, maxKph: -1, lon, lat, placeLon: lon, placeLat: lat };
    this.#sink.beginParking(at);
  }

  end(recent: readonly number[], row: number, placeLon: number, placeLat: number): void {
    const { state } = this;
    const mark = markAt(recent, row);
    const parking = state.parking!;
    parking.to = mark;
    parking.placeLon = placeLon;
    parking.placeLat = placeLat;
    state.isParked = false;
    this.#startWay(mark, false);
  }

  close(recent: readonly number[], row: number, isOpen: boolean): void {
    const { state } = this;
    const piece = state.piece!;
    if (!isOpen && !state.isTrip && isTrip(piece, this.#rules)) this.#beginTrip(piece);
    state.closed = markAt(recent, row);
    state.rested = piece.rest ?? state.closed;
    state.isOpen = isOpen;
    if (state.isTrip) {
      this.#endTrip(piece, state.rested);
      state.piece = pieceFrom(state.closed, false);
    }
    state.ahead = null;
  }

  /** Emits the items that are left after `close`: no stay follows. */
  finish(): void {
    const { state } = this;
    const { closed, since, isOpen, isJumped } = state;
    if (closed === null) return;
    this.#endParking();
    if (since !== null) this.#unknown(since, closed, isOpen ? 'open' : isJumped ? 'jump' : 'short');
    state.closed = state.rested = state.piece = state.since = null;
    state.isOpen = false;
    state.stops = [];
  }

  /** A stop began, ended, or had another speed. */
  readonly stopSink: StaySink = {
    takesWays: false,
    isWaiting: false,
    start: () => {},
    step: (recent, row) => {
      const { stop } = this.state;
      if (stop !== null && recent[row + STAY_KPH]! > stop.maxKph) stop.maxKph = recent[row + STAY_KPH]!;
    },
    begin: (recent, row) => {
      const mark = markAt(recent, row);
      this.state.stop = { from: mark, to: mark, maxKph: -1 };
    },
    end: (recent, row) => {
      const { state } = this;
      const { stop } = state;
      if (stop === null) return;
      stop.to = markAt(recent, row);
      state.stop = null;
      if (state.isTrip && stop.from[TIME]! <= state.piece!.first[TIME]!) return;
      state.stops.push(stop);
      if (state.isTrip) this.#tellStops(sureUntil(state.piece!));
    },
    close: () => {},
  };

  /** Begins the trip of a way once fixes are far from where it was long enough, and before a stay could take them back. */
  lookAhead(stays: StayMachine, found: StayState, ring: FixRing): void {
    const { state } = this;
    const { piece } = state;
    if (piece === null || state.isTrip || found.isStay || state.closed !== null) return;
    if (state.ahead === null || state.aheadNext < found.next) {
      state.ahead = { ...piece };
      state.aheadNext = found.next;
      state.longAt = -1;
    }
    const { recent, newest } = ring;
    for (let i = state.aheadNext; i <= newest; i++) {
      const row = rowOf(ring, i);
      state.aheadNext = i + 1;
      if (recent[row + CUT] === 1) {
        state.ahead = pieceFrom(markAt(recent, row), true);
        state.longAt = -1;
        continue;
      }
      growPiece(state.ahead, recent, row, this.#rules, this.#ruler);
      if (state.longAt < 0) {
        if (!isTrip(state.ahead, this.#rules)) continue;
        state.longAt = i;
        state.longLon = recent[row + LON]!;
        state.longLat = recent[row + LAT]!;
      } else if (this.#isApart(recent, row, 2 * stays.rules.radiusMeters)) {
        stays.settle(found, ring, state.longAt);
        return;
      }
    }
  }

  #isApart(recent: readonly number[], row: number, meters: number): boolean {
    const { longLon, longLat } = this.state;
    return this.#ruler.squared(longLon, longLat, recent[row + LON]!, recent[row + LAT]!) > meters * meters;
  }

  #startWay(mark: Mark, mayLead: boolean): void {
    const { state } = this;
    state.piece = pieceFrom(mark, mayLead);
    state.since = mark;
    state.isJumped = state.hasTrip = state.isTrip = false;
    state.maxKph = -1;
    state.changed = null;
    state.ahead = null;
  }

  #cut(piece: Piece, before: Mark, mark: Mark): void {
    const { state } = this;
    if (state.isTrip) this.#endTrip(piece, piece.rest ?? before);
    state.isJumped = true;
    state.piece = pieceFrom(mark, true);
  }

  #beginTrip(piece: Piece): void {
    const { state } = this;
    this.#endParking();
    const { first } = piece;
    this.#unknown(state.since!, first, state.isJumped ? 'jump' : 'short');
    state.isTrip = state.hasTrip = true;
    state.stopped = noStopped();
    state.stops = state.stops.filter(({ from }) => from[TIME]! > first[TIME]!);
    this.#sink.beginTrip(first);
  }

  #endTrip(piece: Piece, to: Mark): void {
    const { state } = this;
    const { counts, stopped } = state;
    this.#tellStops(to[TIME]!);
    state.stops = state.stops.filter(({ from }) => from[TIME]! > to[TIME]!);
    const sums = tripSums(piece.first, to, piece.changed, stopped, this.#rules);
    counts.trips++;
    counts.steps += sums.fixes;
    counts.restSteps += sums.restSteps;
    counts.offSteps += sums.offSteps;
    counts.unmeasured += sums.unmeasured;
    if (isContradicted(sums)) {
      const { quotient } = sums;
      const isFirst = counts.contradictedTrips++ === 0;
      counts.leastQuotient = isFirst ? quotient : Math.min(quotient, counts.leastQuotient);
      counts.mostQuotient = isFirst ? quotient : Math.max(quotient, counts.mostQuotient);
    }
    this.#sink.endTrip(piece.first, to, sums, piece.maxKph);
    state.isTrip = false;
    state.isJumped = false;
    state.since = to;
  }

  /** Emits the stops of the trip that end before a time. */
  #tellStops(time: number): void {
    const { state } = this;
    const { stops, stopped } = state;
    let told = 0;
    for (; told < stops.length && stops[told]!.to[TIME]! < time; told++) {
      const { from, to, maxKph } = stops[told]!;
      stopped.micrometers += to[MICROMETERS]! - from[MICROMETERS]!;
      stopped.straight += to[STRAIGHT]! - from[STRAIGHT]!;
      stopped.fixes += to[FIXES]! - from[FIXES]!;
      stopped.restSteps += to[REST_STEPS]! - from[REST_STEPS]!;
      stopped.offSteps += to[OFF_STEPS]! - from[OFF_STEPS]!;
      this.#sink.endStop(from, to, maxKph);
    }
    if (told > 0) state.stops = stops.slice(told);
  }

  #endParking(): void {
    const { state } = this;
    const { parking, counts } = state;
    if (parking === null) return;
    const { from, to, maxKph, lon, lat } = parking;
    counts.parkedFixes += to[FIXES]! - from[FIXES]! + 1;
    counts.movingFixes += to[MOVING]! - from[MOVING]!;
    counts.unmeasured += to[UNMEASURED]! - from[UNMEASURED]!;
    state.parking = null;
    this.#sink.endParking(from, to, maxKph, [lon, lat]);
  }

  /** Ends the way where a stay begins. Returns whether the stay is joined to the parking before. */
  #endWay(piece: Piece, at: Mark, lon: number, lat: number): boolean {
    const { state } = this;
    const { parking } = state;
    if (!state.isTrip && isTripUntil(piece, at, this.#rules)) this.#beginTrip(piece);
    if (state.isTrip) {
      this.#endTrip(piece, at);
      return false;
    }
    if (parking !== null && !state.hasTrip) {
      const { placeLon, placeLat, to } = parking;
      const isFar = this.#ruler.meters(placeLon, placeLat, lon, lat) >= this.#rules.minTripMeters;
      if (!isFar) {
        parking.maxKph = Math.max(parking.maxKph, state.maxKph);
        return true;
      }
      const whole: Piece = { ...piece, first: to, isFar, maxKph: state.maxKph, changed: state.changed };
      if (isTripUntil(whole, at, this.#rules)) {
        state.since = to;
        this.#beginTrip(whole);
        this.#endTrip(whole, at);
        return false;
      }
    }
    this.#endParking();
    this.#unknown(state.since!, at, state.isJumped ? 'jump' : 'short');
    return false;
  }

  #unknown(from: Mark, to: Mark, reason: UnknownReason): void {
    if (from[TIME]! >= to[TIME]!) return;
    this.state.counts.jumps += to[JUMPS]! - from[JUMPS]!;
    this.#sink.endUnknown(from, to, reason);
  }
}
