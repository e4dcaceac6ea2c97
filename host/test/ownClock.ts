import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/** Starts a clock of the test's own: limits of time pass by `passTime` alone, until `vi.useRealTimers`. */
export function ownClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}

/** Lets so many milliseconds pass on the own clock, once something waits for it. */
export async function passTime(ms: number): Promise<void> {
  while (vi.getTimerCount() === 0) await turn();
  vi.advanceTimersByTime(ms);
}
