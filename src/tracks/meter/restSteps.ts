/** The steps of a track that lie in parkings and stops. */

import type { Track } from '../../core/fix.js';
import { MovementMachine, noMovement } from '../movement/movementMachine.js';
import type { Mark } from '../movement/piece.js';
import type { MovementRules } from '../movementRules.js';
import { FIXES } from '../stays/stayState.js';

/** Of each step of a checked track: 1 if it lies in a parking or stop, whatever its fixes report, else 0. */
export function restSteps(track: Track, rules: MovementRules): Uint8Array {
  const isRest = new Uint8Array(track.length);
  const add = (from: Mark, to: Mark): void => {
    isRest.fill(1, from[FIXES]! - 1, to[FIXES]! - 1);
  };
  const machine = new MovementMachine(rules, {
    beginTrip() {},
    endTrip() {},
    beginParking() {},
    endParking: add,
    endStop: add,
    endUnknown() {},
  });
  const state = noMovement();
  machine.run(state, track, 0, track.length);
  machine.end(state);
  return isRest;
}
