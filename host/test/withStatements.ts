import type { CompiledQuery } from 'kysely';
import type { Storage } from '../src/storage/storage.js';

/** The storage with another way to execute statements outside transactions. */
export function withStatements(
  storage: Storage,
  execute: (original: () => Promise<unknown>, text: string) => Promise<unknown>,
): Storage {
  const { db } = storage;
  const bound = <Target extends object>(target: Target, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  };
  const executor = new Proxy(db.getExecutor(), {
    get: (target, name) =>
      name === 'executeQuery'
        ? (query: CompiledQuery) => execute(() => target.executeQuery(query), query.sql)
        : bound(target, name),
  });
  return {
    ...storage,
    db: new Proxy(db, {
      get: (target, name) => (name === 'getExecutor' ? () => executor : bound(target, name)),
    }),
  };
}
