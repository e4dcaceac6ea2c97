import type { Storage } from '../src/storage/storage.js';

type Execute = (work: never) => Promise<unknown>;

/** The storage with another way to execute transactions. */
export function withTransactions(
  storage: Storage,
  execute: (original: Execute, work: never) => Promise<unknown>,
): Storage {
  const { db } = storage;
  const original: Execute = (work) => db.transaction().execute(work);
  return {
    ...storage,
    db: new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') return () => ({ execute: (work: never) => execute(original, work) });
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
}
