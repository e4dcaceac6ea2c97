/** Runs a target once with one input. */

import { checkError, Finding } from './oracle.js';
import type { Target } from './target.js';

/** Processor time allowed for an input of 64 KiB. */
export const MAX_MILLISECONDS = 1000;

/** Processor time allowed for targets with outlines. A corridor to a pole has a hundred thousand vertices. */
export const MAX_OUTLINE_MILLISECONDS = 10_000;

/** The message of a Finding, or null if the target handled the input correctly. */
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
