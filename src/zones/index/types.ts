/** Rows, options and results of `ZoneIndex`. */

import type { Issue } from '../../core/fix.js';
import type { ZoneOptions, ZoneShape } from '../../core/wire.js';

/** Fields that the index reads. Further fields of a row are kept. */
export interface ZoneRow extends ZoneShape {
  /** Any text up to 65,536 code units. */
  readonly id: string;
  /** Deleted when true, 1, '1' or 'true': see `isDeleted`. */
  readonly is_delete?: boolean | number | string | null | undefined;
}

export interface ZoneIndexOptions extends ZoneOptions {
  /** Whether rows marked deleted are indexed too. Default false. */
  readonly includeDeleted?: boolean | undefined;
  /** Receives the error of each invalid row, which is then left out. Default: an invalid row throws. */
  readonly onIssue?: ((issue: Issue) => void) | undefined;
  /**
   * Largest size of cells, bytes. A cell is a square of the map with the zones that cover it and the edges that enter it. Cells make queries
   * faster, for example where many zones overlap. Results do not depend on cells. 0: no cells. Default: three times the size of the shapes, at
   * least 64 MB.
   */
  readonly maxMemoryBytes?: number | undefined;
}

/** An interval of a segment inside a zone, as fractions of the segment. */
export interface Crossing {
  /** Id of the zone. */
  readonly id: string;
  /** Fraction of the segment at the entry to the zone. */
  readonly from: number;
  /** Fraction of the segment at the exit from the zone. */
  readonly to: number;
}

/**
 * Zones of many positions in compressed rows. The zones of position `i` are the ordinals `zones[offsets[i]] … zones[offsets[i + 1] - 1]`.
 */
export interface ZonesOfPositions {
  /** Offsets into `zones`: one for each position, and the end. */
  readonly offsets: Uint32Array;
  /** Ordinals of zones. For each position they are in order of insertion. */
  readonly zones: Uint32Array;
}

/** Limits of `nearest`. */
export interface NearestOptions {
  /** Greatest number of zones. Default 1. */
  readonly count?: number | undefined;
  /** Greatest distance in metres. Default: unlimited. */
  readonly maxMeters?: number | undefined;
}

/** A zone and its distance from a position, 0 inside the zone. */
export interface ZoneDistance {
  /** Id of the zone. */
  readonly id: string;
  /** Distance on the ellipsoid, 0 inside the zone. */
  readonly distanceMeters: number;
}

/** Size of an index. */
export interface ZoneIndexStats {
  /** Number of zones. */
  readonly zones: number;
  /** Number of rows that the constructor left out: rows marked deleted, and invalid rows. */
  readonly leftOut: number;
  /** Vertices of the zones; a circle or a point counts as one. */
  readonly vertices: number;
  /** Size of shapes, lists of boxes, cells and the tree of edits, bytes. Rows, ids and scratch memory are not included. */
  readonly bytes: number;
  /** Number of cells made so far. */
  readonly cells: number;
  /** Size of the cells, bytes. */
  readonly cellBytes: number;
  /** Number of zones added or changed since the lists were built. */
  readonly overlay: number;
}

/** Content of a buffer. */
export interface BufferOptions {
  /** Whether the buffer is a SharedArrayBuffer, for worker threads. Default false. */
  readonly shared?: boolean | undefined;
  /** Whether the buffer contains the cells made so far, so that readers need not make them. Default false. */
  readonly cells?: boolean | undefined;
  /** Whether the buffer contains rows and ids. Without them a reader has ordinals only (`atMany`). Default true. */
  readonly rows?: boolean | undefined;
}

/** Options of `ZoneIndex.fromBuffer`. */
export interface OpenOptions {
  /**
   * Whether the checksum of the content is checked, in one pass. Default true. `false` opens in O(1): use it only for an unchanged buffer that
   * was verified before. A damaged buffer may give wrong answers or hang.
   */
  readonly verify?: boolean | undefined;
  /** As in the constructor. */
  readonly maxMemoryBytes?: number | undefined;
}

/** Options for reading rows. They are stored in the buffer, so that rows added later are read the same way. */
export interface SavedOptions extends ZoneOptions {
  readonly includeDeleted?: boolean | undefined;
}
