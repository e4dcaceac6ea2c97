/** Runs a task at intervals. */

/**
 * Calls `task` every `ms` milliseconds. Skips a call while the last run is unfinished, because such a run may hold a connection. Ignores
 * errors of `task`: the next run tries again.
 */
export function every(ms: number, task: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false;
  return setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void task()
      .catch(() => {})
      .finally(() => {
        isRunning = false;
      });
  }, ms);
}
