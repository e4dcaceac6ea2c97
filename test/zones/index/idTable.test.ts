import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashId, IdTable } from '../../../src/zones/index/rows/idTable.js';

/** Ids whose hashes end in the same twelve bits. */
const colliding: string[] = [];
for (let i = 0; colliding.length < 150; i++) if ((hashId(`id ${i}`) & 0xfff) === 5) colliding.push(`id ${i}`);

test('the hash of ids is FNV-1a, folded', () => {
  // FNV-1a of 32 bits of "", "a" and "foobar", as its authors publish them.
  for (const [text, hash] of [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ] as const)
    expect(hashId(text)).toBe((hash ^ (hash >>> 15)) >>> 0);
});

test.each([
  ['plain', Array.from({ length: 150 }, (_, i) => `z${i}`)],
  ['made to collide', colliding],
])('a table of ids that are %s answers as a map does', (_, ids) => {
  const steps = fc.array(fc.tuple(fc.nat(ids.length - 1), fc.integer({ min: 0, max: 3 })), {
    maxLength: 600,
  });
  fc.assert(
    fc.property(steps, fc.boolean(), (list, reserves) => {
      const rows: (string | null)[] = [];
      const table = new IdTable((ordinal) => rows[ordinal] ?? null);
      if (reserves) table.reserve(ids.length);
      const map = new Map<string, number>();
      for (const [which, step] of list) {
        const id = ids[which]!;
        const known = map.get(id);
        expect(table.find(id)).toBe(known ?? null);
        if (known === undefined) {
          map.set(id, rows.length);
          table.add(id, rows.push(id) - 1);
        } else if (step === 0) {
          rows[known] = null;
          map.delete(id);
        }
      }
      for (const id of ids) expect(table.find(id)).toBe(map.get(id) ?? null);
    }),
  );
});
