/** The work of one thread of `LocatePool` (the caller's or a worker): reads pieces of CSV, answers positions and makes their rows. */

import { WayzoneError } from '../../../core/errors.js';
import { CsvPieceReader } from '../../../interchange/csv/csvPieceReader.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import type { ZoneRow } from '../../../zones/index/index.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import type { Format } from '../../flags/options.js';
import type {
  LocateAnswer,
  LocateBatch,
  LocateColumns,
  LocateFile,
  LocatePiece,
  LocateTask,
} from './locateOrder.js';
import { LocateText } from './locateText.js';
import { PlaceColumns } from './placeColumns.js';

/** Usual bytes of a batch of rows. */
const ROWS_BYTES = 2 ** 22;
/** Usual number of positions of a piece. */
const PIECE_POSITIONS = 32_768;

/** Positions that can be answered. */
interface Work {
  readonly batch: number;
  readonly length: number;
  readonly names: readonly string[];
  readonly columns: LocateColumns;
  /** The answer to a piece of CSV; null if the columns came from the caller. */
  readonly piece: CsvPieceAnswer | null;
  /** A buffer for the rows, used if they fit. */
  readonly room: ArrayBuffer | null;
}

/** Does the work in the order of the calls and passes each answer to `give`, with the buffers to transfer. */
export class LocateDesk {
  readonly #give: (answer: LocateAnswer, moved: ArrayBuffer[]) => void;
  #index: ZoneIndex<ZoneRow> | null = null;
  #text: LocateText | null = null;
  /** Work that arrived before the zones. */
  readonly #waiting: Work[] = [];
  /** Names of the caller's batches. */
  #names: string[] = [];
  #reader: CsvPieceReader | null = null;
  readonly #places = new PlaceColumns(PIECE_POSITIONS, false);
  /** Columns of answered pieces, for reuse. */
  readonly #spare: LocateColumns[] = [];

  constructor(give: (answer: LocateAnswer, moved: ArrayBuffer[]) => void) {
    this.#give = give;
  }

  /** Receives the zones, and does the work that arrived before them. */
  open(index: ZoneIndex<ZoneRow>, format: Format, idOf: (ordinal: number) => string | null): void {
    this.#index = index;
    this.#text = new LocateText(format, idOf, ROWS_BYTES);
    for (const work of this.#waiting) this.#answer(index, this.#text, work);
    this.#waiting.length = 0;
  }

  do(message: LocateTask): void {
    if (message.kind === 'batch') this.#takeBatch(message);
    else if (message.kind === 'file') this.#openFile(message);
    else this.#takePiece(message);
  }

  #take(work: Work): void {
    if (this.#index === null) this.#waiting.push(work);
    else this.#answer(this.#index, this.#text!, work);
  }

  #answer(zones: ZoneIndex<ZoneRow>, rowText: LocateText, work: Work): void {
    const { batch, length, columns, piece } = work;
    const { unit, time, lonLat } = columns;
    try {
      const found = zones.atMany(lonLat.subarray(0, 2 * length));
      rowText.addAll({ length, names: work.names, unit, time, lonLat }, found);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const { code, field, message } = error;
      this.#give({ batch, error: { code, field, message } }, []);
      return;
    }
    const rows = rowText.out.takeBytes(work.room);
    const moved: ArrayBuffer[] = [rows.buffer];
    if (piece === null) moved.push(unit.buffer, time.buffer, lonLat.buffer);
    else {
      moved.push(piece.bytes.buffer);
      this.#spare.push(columns);
    }
    this.#give({ batch, rows, length, piece, columns: piece === null ? columns : null }, moved);
  }

  #takeBatch(message: LocateBatch): void {
    const { batch, length, columns } = message;
    if (message.isNew) this.#names = [];
    for (const name of message.names) this.#names.push(name);
    this.#take({ batch, length, names: this.#names, columns, piece: null, room: null });
  }

  #openFile({ start, options }: LocateFile): void {
    const places = this.#places;
    places.beginFile();
    this.#reader = new CsvPieceReader(start, { ...options, onFixes: (batch) => places.append(batch) });
  }

  #takePiece({ batch, bytes, room }: LocatePiece): void {
    const places = this.#places;
    const result = this.#reader!.read(bytes);
    const { length } = places;
    const piece = { ...result, bytes };
    const columns = places.handOver(this.#spare.pop());
    this.#take({ batch, length, names: places.names, columns, piece, room });
  }
}
