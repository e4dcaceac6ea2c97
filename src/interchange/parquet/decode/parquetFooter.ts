/** Reads the footer of a Parquet file: its schema, and the byte ranges of the columns of its row groups. */

import { ByteReader, damaged } from './byteReader.js';
import { leavesOf, PHYSICAL_TYPES, readSchema, type SchemaNode } from './readSchema.js';
import { asStruct, listIn, numberIn, readStruct, structIn, type ThriftStruct, textIn } from './readStruct.js';

/** Byte range of the pages of one column in one row group. */
export interface ColumnChunk {
  readonly codec: number;
  /** Number of values, including nulls. */
  readonly values: number;
  /** Bytes [start, end) of the file. */
  readonly start: number;
  readonly end: number;
}

export interface RowGroup {
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
