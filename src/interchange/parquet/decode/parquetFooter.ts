/** Reads the footer of a Parquet file: its schema as a tree of columns, and the byte ranges of the columns of its row groups. */

import {
  asStruct,
  ByteReader,
  damaged,
  listIn,
  numberIn,
  readStruct,
  structIn,
  type ThriftStruct,
  type ThriftValue,
  textIn,
} from './byteReader.js';

/** Largest number of levels of nested columns. */
const MAX_DEPTH = 64;
const MAX_FIXED_LENGTH = 1_048_576;
const REPETITIONS = ['required', 'optional', 'repeated'] as const;

/** Byte range of the pages of one column in one row group. */
interface ColumnChunk {
  readonly codec: number;
  /** Number of values, including nulls. */
  readonly values: number;
  /** Bytes [start, end) of the file. */
  readonly start: number;
  readonly end: number;
}

interface RowGroup {
  readonly rows: number;
  /** Chunks in the order of the leaves of the schema. */
  readonly chunks: readonly ColumnChunk[];
}

export interface ParquetFooter {
  readonly columns: readonly SchemaNode[];
  readonly groups: readonly RowGroup[];
  /** The file's own properties, by key. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Reads the metadata of a footer. `fileLength`: size of the file, bytes. Throws `parquet-invalid`. */
export function readFooter(bytes: Uint8Array, fileLength: number): ParquetFooter {
  const footer = readStruct(new ByteReader(bytes));
  const columns = readSchema(listIn(footer, 2));
  const leaves = columns.flatMap(leavesOf);
  const groups = listIn(footer, 4).map((group) => groupOf(asStruct(group), leaves, fileLength));
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  if (rows !== numberIn(footer, 3)) throw damaged('as many rows as the row groups have');
  const size = groups.reduce(
    (sum, { chunks }) => chunks.reduce((own, { start, end }) => own + end - start, sum),
    0,
  );
  if (size > fileLength) throw damaged('columns that do not overlap');
  const properties = new Map<string, string>();
  for (const item of listIn(footer, 5)) {
    const pair = asStruct(item);
    properties.set(textIn(pair, 1) ?? '', textIn(pair, 2) ?? '');
  }
  return { columns, groups, properties };
}

function groupOf(group: ThriftStruct, leaves: readonly SchemaNode[], fileLength: number): RowGroup {
  const rows = numberIn(group, 3) ?? -1;
  if (rows < 0) throw damaged('a number of rows');
  const chunks = listIn(group, 1).map((chunk, i) => {
    const own = asStruct(chunk);
    const meta = structIn(own, 3);
    if (meta === undefined || own.has(8)) throw damaged('columns that are not encrypted');
    return chunkOf(meta, leaves[i], fileLength);
  });
  if (chunks.length !== leaves.length) throw damaged('every column in every row group');
  return { rows, chunks };
}

function chunkOf(meta: ThriftStruct, node: SchemaNode | undefined, fileLength: number): ColumnChunk {
  const type = PHYSICAL_TYPES[numberIn(meta, 1) ?? -1];
  if (node?.leaf?.type !== type) throw damaged('columns of the types of the schema');
  const dictionary = numberIn(meta, 11) ?? 0;
  const data = numberIn(meta, 9) ?? 0;
  const start = dictionary > 0 ? Math.min(dictionary, data) : data;
  const end = start + (numberIn(meta, 7) ?? -1);
  const values = numberIn(meta, 5) ?? -1;
  if (!(start >= 0 && end >= start && end <= fileLength)) throw damaged('columns within the file');
  if (values < 0) throw damaged('a number of values');
  return { codec: numberIn(meta, 4) ?? -1, values, start, end };
}

const PHYSICAL_TYPES = [
  'BOOLEAN',
  'INT32',
  'INT64',
  'INT96',
  'FLOAT',
  'DOUBLE',
  'BYTE_ARRAY',
  'FIXED_LEN_BYTE_ARRAY',
] as const;

type PhysicalType = (typeof PHYSICAL_TYPES)[number];

/** Meaning of the values of a column. */
export type Meaning =
  | { readonly kind: 'plain' | 'text' | 'json' | 'date' | 'uuid' | 'float16' | 'interval' | 'unsigned' }
  | { readonly kind: 'list' | 'map' }
  | { readonly kind: 'decimal'; readonly scale: number }
  | { readonly kind: 'time'; readonly perSecond: number }
  /** `isInstant`: times are UTC; if false, they are local times of an unknown zone. */
  | { readonly kind: 'timestamp'; readonly perSecond: number; readonly isInstant: boolean }
  | { readonly kind: 'geometry'; readonly crs: string | null };

/** A column or a group of columns. */
export interface SchemaNode {
  readonly name: string;
  readonly meaning: Meaning;
  readonly repetition: 'required' | 'optional' | 'repeated';
  /** Level at which a value of this node is present, and level at which its list continues. */
  readonly definitionLevel: number;
  readonly repetitionLevel: number;
  readonly children: readonly SchemaNode[];
  /** Null for a group. */
  readonly leaf: Leaf | null;
}

export interface Leaf {
  readonly type: PhysicalType;
  /** Size of a value of FIXED_LEN_BYTE_ARRAY, bytes. */
  readonly length: number;
  /** Index of the leaf among all leaves, in the order of the schema. */
  readonly index: number;
}

/** The top-level columns of the schema elements of a footer. Throws `parquet-invalid`. */
function readSchema(elements: readonly ThriftValue[]): SchemaNode[] {
  let at = 1;
  let leaves = 0;
  const node = (depth: number, definition: number, repetitionLevel: number): SchemaNode => {
    if (at >= elements.length) throw damaged('all columns of the schema');
    if (depth > MAX_DEPTH) throw damaged(`at most ${MAX_DEPTH} levels of columns`);
    const element = asStruct(elements[at++]!);
    const repetition = REPETITIONS[numberIn(element, 3) ?? 0];
    if (repetition === undefined) throw damaged('a known repetition of a column');
    const own = {
      name: textIn(element, 4) ?? '',
      meaning: meaningOf(element),
      repetition,
      definitionLevel: definition + (repetition === 'required' ? 0 : 1),
      repetitionLevel: repetitionLevel + (repetition === 'repeated' ? 1 : 0),
    };
    const count = numberIn(element, 5) ?? 0;
    if (count === 0 && numberIn(element, 1) !== undefined) {
      return { ...own, children: [], leaf: leafOf(element, leaves++) };
    }
    if (count < 1) throw damaged('columns in a group of columns');
    return {
      ...own,
      children: nodes(count, depth + 1, own.definitionLevel, own.repetitionLevel),
      leaf: null,
    };
  };
  const nodes = (count: number, depth: number, definition: number, repetition: number): SchemaNode[] => {
    if (count > elements.length) throw damaged('all columns of the schema');
    return Array.from({ length: count }, () => node(depth, definition, repetition));
  };
  if (elements.length === 0) throw damaged('a schema');
  const top = nodes(numberIn(asStruct(elements[0]!), 5) ?? 0, 1, 0, 0);
  if (at !== elements.length) throw damaged('no columns outside of the schema');
  return top;
}

function leafOf(element: ThriftStruct, index: number): Leaf {
  const type = PHYSICAL_TYPES[numberIn(element, 1)!];
  if (type === undefined) throw damaged('a known type of a column');
  const length = numberIn(element, 2) ?? 0;
  if (type === 'FIXED_LEN_BYTE_ARRAY' && !(length >= 1 && length <= MAX_FIXED_LENGTH)) {
    throw damaged(`a length of 1 to ${MAX_FIXED_LENGTH} bytes for fixed values`);
  }
  return { type, length, index };
}

/** The meaning by the logical type, else by the older converted type. */
function meaningOf(element: ThriftStruct): Meaning {
  const logical = structIn(element, 10);
  const own = logical === undefined ? null : logicalMeaning(logical);
  return own ?? convertedMeaning(numberIn(element, 6), scaleOf(numberIn(element, 7))) ?? { kind: 'plain' };
}

const LOGICAL_KINDS: ReadonlyMap<
  number,
  Exclude<Meaning, { scale: number } | { perSecond: number } | { crs: string | null }>
> = new Map([
  [1, { kind: 'text' }],
  [2, { kind: 'map' }],
  [3, { kind: 'list' }],
  [4, { kind: 'text' }],
  [6, { kind: 'date' }],
  [12, { kind: 'json' }],
  [14, { kind: 'uuid' }],
  [15, { kind: 'float16' }],
]);

/** The meaning by a logical type. Numbers are those of `LogicalType` in parquet.thrift. */
function logicalMeaning(logical: ThriftStruct): Meaning | null {
  for (const [field, value] of logical) {
    const known = LOGICAL_KINDS.get(field);
    if (known !== undefined) return known;
    const inner = value instanceof Map ? (value as ThriftStruct) : null;
    if (inner === null) continue;
    if (field === 5) return { kind: 'decimal', scale: scaleOf(numberIn(inner, 1)) };
    if (field === 7) return { kind: 'time', perSecond: perSecondOf(inner) };
    if (field === 8) {
      return { kind: 'timestamp', perSecond: perSecondOf(inner), isInstant: inner.get(1) === true };
    }
    if (field === 10) return inner.get(2) === false ? { kind: 'unsigned' } : { kind: 'plain' };
    if (field === 17 || field === 18) return { kind: 'geometry', crs: textIn(inner, 1) ?? null };
  }
  return null;
}

function perSecondOf(inner: ThriftStruct): number {
  const unit = structIn(inner, 2);
  if (unit?.has(1) === true) return 1000;
  if (unit?.has(2) === true) return 1_000_000;
  if (unit?.has(3) === true) return 1_000_000_000;
  throw damaged('a unit of times');
}

/** The scale of a decimal. Known writers use at most 76 digits. */
function scaleOf(scale: number | undefined = 0): number {
  if (scale >= -1000 && scale <= 1000) return scale;
  throw damaged('a scale of decimals from -1000 to 1000');
}

/** The meaning by a converted type. Numbers are those of `ConvertedType`; its timestamps are UTC. */
function convertedMeaning(converted: number | undefined, scale: number): Meaning | null {
  switch (converted) {
    case 0:
    case 4:
      return { kind: 'text' };
    case 1:
    case 2:
      return { kind: 'map' };
    case 3:
      return { kind: 'list' };
    case 5:
      return { kind: 'decimal', scale };
    case 6:
      return { kind: 'date' };
    case 7:
    case 8:
      return { kind: 'time', perSecond: converted === 7 ? 1000 : 1_000_000 };
    case 9:
    case 10:
      return { kind: 'timestamp', perSecond: converted === 9 ? 1000 : 1_000_000, isInstant: true };
    case 11:
    case 12:
    case 13:
    case 14:
      return { kind: 'unsigned' };
    case 19:
      return { kind: 'json' };
    case 21:
      return { kind: 'interval' };
    default:
      return null;
  }
}

/** The leaves below a node, in the order of the schema. */
export function leavesOf(node: SchemaNode): SchemaNode[] {
  return node.leaf === null ? node.children.flatMap(leavesOf) : [node];
}
