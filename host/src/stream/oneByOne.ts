/** Runs the tasks of each key one after the other. */

/** Returns a function that starts a task when all earlier tasks of the same key have ended. Tasks of different keys run at the same time. */
export function oneByOne(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (key, task) => {
    const result = (last.get(key) ?? Promise.resolve()).then(task);
    const end = result.then(
      () => {},
      () => {},
    );
    last.set(key, end);
    void end.then(() => {
      if (last.get(key) === end) last.delete(key);
    });
    return result;
  };
}
