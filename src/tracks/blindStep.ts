/** The reasons of blind steps, as a track stores them, and the rule by which a step is a gap. */

import { lonStep } from '../core/angles.js';
import type { BlindReason, Track } from '../core/fix.js';

/** The entries of `Track.blind`. */
export const SEEN = 0;
export const JAMMED = 1;
export const FROZEN = 2;

/** An entry of `Track.blind`. */
export type BlindCode = typeof SEEN | typeof JAMMED | typeof FROZEN;

const WORDS: readonly (BlindReason | null)[] = [null, 'jammed', 'frozen'];

/** The entry of the step that ends at fix `i`. */
export function blindStep({ blind }: Pick<Track, 'blind'>, i: number): number {
  return blind?.[i] ?? SEEN;
}

/** The word of an entry of `Track.blind`; null for 0. */
export function blindWord(code: number): BlindReason | null {
  return WORDS[code] ?? null;
}

/** Why the step that ends at fix `i` is blind; null if it was seen. */
export function blindReason({ blind }: Pick<Track, 'blind'>, i: number): BlindReason | null {
  return blind === null ? null : blindWord(blind[i] as number);
}

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
