/** A worker of `LocatePool`: reads pieces of CSV, answers positions and writes their rows. */

import { parentPort } from 'node:worker_threads';
import { WayzoneError } from '../../../core/errors.js';
import { CsvPieceReader } from '../../../interchange/csv/csvPieceReader.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import type { ZoneRow } from '../../../zones/index/types.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import type {
  LocateAnswer,
  LocateBatch,
  LocateColumns,
  LocateFile,
  LocateMessage,
  LocateOrder,
  LocatePiece,
} from './locateOrder.js';
import { LocateText } from './locateText.js';
import { PlaceColumns } from './placeColumns.js';

/** What a batch of rows usually takes. */
const ROWS_BYTES = 2 ** 22;
/** Positions that a piece usually has. */
const PIECE_POSITIONS = 32_768;

/** Positions that can be answered. */
interface Work {
  readonly batch: number;
  readonly length: number;
  readonly names: readonly string[];
  readonly columns: LocateColumns;
  /** Null: the columns are the caller's. */
  readonly piece: CsvPieceAnswer | null;
  /** For the rows, if they fit. */
  readonly room: ArrayBuffer | null;
}

let index: ZoneIndex<ZoneRow> | null = null;
let text: LocateText | null = null;
/** Work that came before the zones. */
const waiting: Work[] = [];
/** Names of the caller's batches. */
let names: string[] = [];

let reader: CsvPieceReader | null = null;
const places = new PlaceColumns(PIECE_POSITIONS, false);
/** Columns of pieces that are answered. */
const spare: LocateColumns[] = [];

function open({ index: buffer, format, ids, idEnds }: LocateOrder): void {
  index = ZoneIndex.fromBuffer<ZoneRow>(buffer, { verify: false });
  text = new LocateText(
    format,
    (ordinal) => ids.slice(idEnds[ordinal - 1] ?? 0, idEnds[ordinal]),
    ROWS_BYTES,
  );
  for (const work of waiting) answer(index, text, work);
  waiting.length = 0;
}

function take(work: Work): void {
  if (index === null) waiting.push(work);
  else answer(index, text!, work);
}

function answer(zones: ZoneIndex<ZoneRow>, rowText: LocateText, work: Work): void {
  const { batch, length, columns, piece } = work;
  try {
    const found = zones.atMany(columns.lonLat.subarray(0, 2 * length));
    const { unit, time, lonLat } = columns;
    rowText.addAll({ length, names: work.names, unit, time, lonLat }, found);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code, field, message } = error;
    const refused: LocateAnswer = { batch, error: { code, field, message } };
    parentPort!.postMessage(refused);
    return;
  }
  const rows = rowText.out.takeBytes(work.room);
  const { unit, time, lonLat } = columns;
  const moved: ArrayBuffer[] = [rows.buffer];
  if (piece === null) moved.push(unit.buffer, time.buffer, lonLat.buffer);
  else {
    moved.push(piece.bytes.buffer);
    spare.push(columns);
  }
  const done: LocateAnswer = { batch, rows, length, piece, columns: piece === null ? columns : null };
  parentPort!.postMessage(done, moved);
}

function takeBatch(message: LocateBatch): void {
  const { batch, length, columns } = message;
  if (message.isNew) names = [];
  for (const name of message.names) names.push(name);
  take({ batch, length, names, columns, piece: null, room: null });
}

function openFile({ start, options }: LocateFile): void {
  places.beginFile();
  reader = new CsvPieceReader(start, { ...options, onFixes: (batch) => places.append(batch) });
}

function takePiece({ batch, bytes, room }: LocatePiece): void {
  const result = reader!.read(bytes);
  const { length } = places;
  const piece = { ...result, bytes };
  take({ batch, length, names: places.names, columns: places.handOver(spare.pop()), piece, room });
}

parentPort!.on('message', (message: LocateMessage) => {
  switch (message.kind) {
    case 'order':
      return open(message);
    case 'batch':
      return takeBatch(message);
    case 'file':
      return openFile(message);
    case 'piece':
      return takePiece(message);
  }
});
