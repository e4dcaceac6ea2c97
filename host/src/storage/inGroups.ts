/** Shares transactions among callers. */

/** While a call of `write` runs, the items of further callers wait, and the next call takes them all. Every caller gets the results of its items. */
export function inGroups<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (items: readonly Item[]) => Promise<readonly Result[]> {
  const queue: {
    readonly items: readonly Item[];
    readonly resolve: (results: readonly Result[]) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  let isWriting = false;

  const drain = async (): Promise<void> => {
    isWriting = true;
    while (queue.length > 0) {
      const group = queue.splice(0);
      try {
        const results = await write(group.flatMap(({ items }) => items));
        let at = 0;
        for (const { items, resolve } of group) {
          resolve(results.slice(at, at + items.length));
          at += items.length;
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  };
  return (items) =>
    new Promise((resolve, reject) => {
      if (items.length === 0) return resolve([]);
      queue.push({ items, resolve, reject });
      if (!isWriting) void drain();
    });
}
