/** One run of a target with one input. */

import { checkError, Finding } from './oracle.js';
import type { Target } from './target.js';

/** Processor time that 64 KiB may take. */
export const MAX_MILLISECONDS = 1000;

/** Of outlines: a corridor to the pole has a hundred thousand vertices, whoever asks for it. */
export const MAX_OUTLINE_MILLISECONDS = 10_000;

/** What is wrong with the way in which the target took the input; null: nothing. */
export async function attempt(target: Target, input: Uint8Array, timed: boolean): Promise<string | null> {
  const start = timed ? process.cpuUsage() : null;
  try {
    await target.run(input, timed);
  } catch (error) {
    try {
      checkError(error);
    } catch (finding) {
      if (finding instanceof Finding) return finding.message;
      throw finding;
    }
  }
  if (start === null) return null;
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  return milliseconds > (target.milliseconds ?? MAX_MILLISECONDS)
    ? `${Math.round(milliseconds)} ms for ${input.length} bytes`
    : null;
}
