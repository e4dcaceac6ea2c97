/** The rule by which a step from fix to fix is a gap. */

import { lonStep } from '../core/angles.js';
import { SEEN } from './blindStep.js';

/**
 * Whether a step is blind, takes longer than `maxGapMs`, or spans exactly 180° of longitude, so that its way round is unknown. `blind` is the
 * entry of `Track.blind`.
 */
export function isGapStep(
  milliseconds: number,
  fromLon: number,
  toLon: number,
  maxGapMs: number,
  blind: number,
): boolean {
  return blind !== SEEN || milliseconds > maxGapMs || Math.abs(lonStep(fromLon, toLon)) === 180;
}
