import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** The files of a folder and the files that each imports, including type imports and dynamic imports. */
function importsOf(folder: string): Map<string, string[]> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, folder, name));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const targets = ts
        .preProcessFile(readFileSync(file, 'utf8'))
        .importedFiles.map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '.ts')))
        .filter((target) => known.has(target));
      return [file, targets];
    }),
  );
}

/** Groups of more than one node that all reach each other (Tarjan 1972). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    let lowest = order.size;
    order.set(node, lowest);
    stack.push(node);
    for (const next of graph.get(node)!) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    if (lowest === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || graph.get(node)!.includes(node)) circles.push(group.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

describe('circular imports', () => {
  test.each(['src', 'host/src'])('%s has none', (folder) => {
    const graph = importsOf(folder);
    expect([...graph.values()].flat().length).toBeGreaterThan(50);
    expect(circlesOf(graph).map((group) => group.map((file) => relative(ROOT, file)))).toEqual([]);
  });

  test.each(['src', 'host/src'])('the folders of %s form none', (folder) => {
    const roomOf = (file: string): string => relative(join(ROOT, folder), file).split('/')[0]!;
    const rooms = new Map<string, string[]>();
    for (const [file, targets] of importsOf(folder)) {
      if (roomOf(file).endsWith('.ts')) continue;
      const others = targets.map(roomOf).filter((room) => room !== roomOf(file) && !room.endsWith('.ts'));
      rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), ...others]);
    }
    expect(rooms.size).toBeGreaterThan(10);
    expect(circlesOf(rooms)).toEqual([]);
  });

  test('the search finds circles of one, two and four files, and no others', () => {
    const graph = new Map([
      ['a', ['b', 'self']],
      ['b', ['c', 'x']],
      ['c', ['d']],
      ['d', ['e', 'b']],
      ['e', ['b']],
      ['self', ['self']],
      ['x', ['y', 'a2']],
      ['y', ['x']],
      ['a2', []],
    ]);
    expect(circlesOf(graph)).toEqual([['x', 'y'], ['b', 'c', 'd', 'e'], ['self']]);
  });
});
