/** Runs a task at intervals. */

/**
 * Calls `task` each `ms` milliseconds, except while its last run is unfinished: an unanswered one may hold a connection. Its errors are
 * ignored: the next run tries again.
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
