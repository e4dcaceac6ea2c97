/** The rule by which a step from fix to fix is a gap. */

import { lonStep } from '../core/angles.js';

/** Whether a step takes longer than `maxGapMs`, or spans exactly 180° of longitude, so that its way round is unknown. */
export function isGapStep(milliseconds: number, fromLon: number, toLon: number, maxGapMs: number): boolean {
  return milliseconds > maxGapMs || Math.abs(lonStep(fromLon, toLon)) === 180;
}
