/** Assembles the values of a column from the pages of its leaves (Dremel, DOI 10.14778/1920841.1920886, §4.2). */

import { damaged } from './byteReader.js';
import { converterOf } from './converterOf.js';
import { leavesOf, type SchemaNode } from './parquetFooter.js';
import type { ParquetPage } from './readChunk.js';

/** Values of a column, one per row. Null and undefined are missing values. */
export type ParquetValues = ArrayLike<unknown>;

/** The values of a column. `pages`: pages of each of its leaves. Throws `parquet-invalid`. */
export function assembleColumn(
  node: SchemaNode,
  pages: readonly (readonly ParquetPage[])[],
  rows: number,
): ParquetValues {
  const isFlat = node.leaf !== null && node.repetition !== 'repeated';
  return isFlat ? flatValues(node, pages[0]!, rows) : nestedValues(node, pages, rows);
}

/** Values of a column without lists or fields. */
function flatValues(node: SchemaNode, pages: readonly ParquetPage[], rows: number): ParquetValues {
  const [only] = pages;
  if (
    pages.length === 1 &&
    only?.values instanceof Float64Array &&
    only.numbers === null &&
    only.definitions === null
  ) {
    return only.values;
  }
  const values: unknown[] = [];
  const convert = pageConverter(node);
  for (const page of pages) {
    const own = convert(page);
    const { definitions } = page;
    if (definitions === null) for (let i = 0; i < own.length; i++) values.push(own[i]);
    else {
      let next = 0;
      for (const level of definitions) values.push(level === node.definitionLevel ? own[next++] : null);
    }
  }
  if (values.length !== rows)
    throw damaged(`${rows} values of column ${node.name}, received ${values.length}`);
  return values;
}

/** Returns a function that converts the values of a page; values of a dictionary are converted once. */
function pageConverter(node: SchemaNode): (page: ParquetPage) => ArrayLike<unknown> {
  const convert = converterOf(node.leaf!, node.meaning);
  let known: ParquetPage['values'] | null = null;
  let converted: unknown[] = [];
  return ({ values, numbers }) => {
    if (numbers === null) return Array.from(values, convert);
    if (values !== known) {
      known = values;
      converted = Array.from(values, convert);
    }
    return Array.from(numbers, (number) => converted[number]);
  };
}

/** Position in one leaf while rows are assembled. */
class LeafCursor {
  readonly #definitions: number[] = [];
  readonly #repetitions: number[] = [];
  readonly #values: unknown[] = [];
  #entry = 0;
  #value = 0;

  constructor(node: SchemaNode, pages: readonly ParquetPage[]) {
    const convert = pageConverter(node);
    for (const page of pages) {
      const { count, definitions, repetitions } = page;
      for (let i = 0; i < count; i++) {
        this.#definitions.push(definitions?.[i] ?? node.definitionLevel);
        this.#repetitions.push(repetitions?.[i] ?? 0);
      }
      const own = convert(page);
      for (let i = 0; i < own.length; i++) this.#values.push(own[i]);
    }
  }

  /** Level at which the next entry is present; -1 at the end. */
  get definition(): number {
    return this.#definitions[this.#entry] ?? -1;
  }

  /** Level at which the next entry continues a list; 0 begins a row; -1 at the end. */
  get repetition(): number {
    return this.#repetitions[this.#entry] ?? -1;
  }

  skip(): void {
    if (this.#entry++ >= this.#definitions.length) throw damaged('as many entries in each column of a group');
  }

  take(): unknown {
    this.skip();
    return this.#values[this.#value++];
  }
}

/** Values of a column of lists or fields: arrays and objects. `pages`: pages of each leaf. */
function nestedValues(
  node: SchemaNode,
  pages: readonly (readonly ParquetPage[])[],
  rows: number,
): ParquetValues {
  const cursors = new Map(
    leavesOf(node).map((leaf, i) => [leaf.leaf!.index, new LeafCursor(leaf, pages[i]!)]),
  );
  const reader = readerOf(node, cursors);
  const values = Array.from({ length: rows }, () => {
    for (const { repetition } of cursors.values())
      if (repetition !== 0) throw damaged('as many rows in each column');
    return reader.read();
  });
  for (const { repetition } of cursors.values())
    if (repetition !== -1) throw damaged('as many rows in each column');
  return values;
}

/** Reads the values of a node, with the cursors of the leaves below it. */
interface NodeReader {
  readonly cursors: readonly LeafCursor[];
  read(): unknown;
}

function readerOf(node: SchemaNode, cursors: ReadonlyMap<number, LeafCursor>): NodeReader {
  const content = contentReader(node, cursors);
  const [first] = content.cursors;
  const { definitionLevel, repetitionLevel, repetition } = node;
  if (first === undefined) throw damaged('columns in a group of columns');
  if (repetition === 'required') return content;
  const isAbsent = (): boolean => {
    if (first.definition >= definitionLevel) return false;
    for (const cursor of content.cursors) cursor.skip();
    return true;
  };
  if (repetition === 'optional') {
    return { cursors: content.cursors, read: () => (isAbsent() ? null : content.read()) };
  }
  return {
    cursors: content.cursors,
    read: () => {
      const items: unknown[] = [];
      if (isAbsent()) return items;
      // Each item takes an entry, so that the loop ends with the entries.
      do items.push(content.read());
      while (first.repetition === repetitionLevel);
      return items;
    },
  };
}

function contentReader(node: SchemaNode, cursors: ReadonlyMap<number, LeafCursor>): NodeReader {
  if (node.leaf !== null) {
    const cursor = cursors.get(node.leaf.index)!;
    return { cursors: [cursor], read: () => cursor.take() };
  }
  const fields = node.children.map((child) => [child.name, readerOf(child, cursors)] as const);
  const own = fields.flatMap(([, reader]) => reader.cursors);
  const [only] = node.children;
  const [entry] = fields;
  const { kind } = node.meaning;
  if (entry !== undefined && only?.repetition === 'repeated' && fields.length === 1) {
    const items = (): readonly unknown[] => entry[1].read() as readonly unknown[];
    if (kind === 'list') {
      const isWrapped =
        only.leaf === null &&
        only.children.length === 1 &&
        only.name !== 'array' &&
        only.name !== `${node.name}_tuple`;
      const name = only.children[0]?.name ?? '';
      return { cursors: own, read: () => (isWrapped ? items().map((item) => fieldOf(item, name)) : items()) };
    }
    if (kind === 'map' && only.children.length === 2) {
      const [key, value] = only.children.map(({ name }) => name) as [string, string];
      return {
        cursors: own,
        read: () => mapOf(items().map((item) => [fieldOf(item, key), fieldOf(item, value)])),
      };
    }
  }
  return {
    cursors: own,
    read: () => Object.fromEntries(fields.map(([name, reader]) => [name, reader.read()])),
  };
}

function fieldOf(item: unknown, name: string): unknown {
  return (item as Readonly<Record<string, unknown>>)[name];
}

/** An object if all keys are different texts, else the pairs. */
function mapOf(pairs: readonly (readonly [unknown, unknown])[]): unknown {
  const keys = new Set(pairs.map(([key]) => key));
  const isPlain = keys.size === pairs.length && pairs.every(([key]) => typeof key === 'string');
  return isPlain ? Object.fromEntries(pairs as readonly (readonly [string, unknown])[]) : pairs;
}
