/** Rows, options and results of `ZoneIndex`. */

import type { Issue } from '../../core/fix.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';

/** Fields that the index reads. Further fields of a row are retained. */
export type ZoneRow = Pick<Geozone, 'id' | 'type' | 'geometry' | 'width' | 'parts' | 'is_delete'>;

export interface ZoneIndexOptions extends ZoneOptions {
  /** Whether rows marked deleted are indexed too. Default false. */
  readonly includeDeleted?: boolean;
  /** Receives the error of each invalid row, which is then left out. Without it an invalid row throws. */
  readonly onIssue?: (issue: Issue) => void;
  /**
   * Most bytes of cells: parts of the map cut into squares, each with the zones that cover it and the edges that come into it. They are made where
   * answers are dear, as where many zones lie over one another. No answer depends on them; with 0 there are none.
   * Default: three times the shapes, at least 64 MB.
   */
  readonly maxMemoryBytes?: number;
}

/** An interval of a segment inside a zone, as fractions of the segment. */
export interface Crossing {
  /** The zone's. */
  readonly id: string;
  /** Fraction of the segment at which it enters. */
  readonly from: number;
  /** Fraction at which it leaves. */
  readonly to: number;
}

/** Compressed rows: the zones of position `i` are `zones[offsets[i]] … zones[offsets[i + 1] - 1]`, as ordinals. */
export interface ZonesOfPositions {
  /** One more than the positions. */
  readonly offsets: Uint32Array;
  /** Ordinals, of each position in order of insertion. */
  readonly zones: Uint32Array;
}

/** Limits of `nearest`. */
export interface NearestOptions {
  /** Most zones. Default 1. */
  readonly count?: number;
  /** Greatest distance in metres. Default: unlimited. */
  readonly maxMeters?: number;
}

/** A zone and its distance from a position: 0 from within. */
export interface ZoneDistance {
  /** The zone's. */
  readonly id: string;
  /** On the ellipsoid, 0 from within. */
  readonly distanceMeters: number;
}

/** Size of an index. */
export interface ZoneIndexStats {
  /** Zones that answers may name. */
  readonly zones: number;
  /** Rows that the constructor left out: marked deleted, or bad and reported. */
  readonly leftOut: number;
  /** Vertices of the zones; a circle or a point counts as one. */
  readonly vertices: number;
  /** Bytes of shapes, lists of boxes and cells, without the rows. */
  readonly bytes: number;
  /** Cells made so far. */
  readonly cells: number;
  /** Bytes of the cells. */
  readonly cellBytes: number;
  /** Zones added or changed since the lists were made. */
  readonly overlay: number;
}

/** Contents of a buffer. */
export interface BufferOptions {
  /** Whether the buffer is a SharedArrayBuffer, for worker threads. Default false. */
  readonly shared?: boolean;
  /** Whether the cells made so far go with it, so that no reader makes them again. Default false. */
  readonly cells?: boolean;
  /** Whether rows and ids go with it. Without them a reader gives ordinals alone (`atMany`). Default true. */
  readonly rows?: boolean;
}

/** Options of `ZoneIndex.fromBuffer`. */
export interface OpenOptions {
  /**
   * Whether the content is checked against its checksum, in one pass. Default true. `false` opens in O(1) and trusts the content: only for
   * a buffer that was verified before and cannot have changed since; of another one the answers mean nothing and may never come.
   */
  readonly verify?: boolean;
  /** As for the constructor. */
  readonly maxMemoryBytes?: number;
}

/** How rows are read; travels with the buffer, so that what is added later is read alike. */
export interface SavedOptions extends ZoneOptions {
  readonly includeDeleted?: boolean;
}
