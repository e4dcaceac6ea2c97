/** An edit of one zone, compared tile by tile: the zone's features before and after it. */

import { isDeleted } from '../core/wire.js';
import type { IndexInternals, ZoneRow } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { ZonePen } from './drawZone.js';
import { PointGroups, SQUARE, squareAt } from './pointGroups.js';
import { addAnchor, drawOne, type TilePosition, type TileZone } from './tileContent.js';
import { HIGH, LOW, latOfShare, type TileFrame } from './tileFrame.js';
import { ALL_LAYERS } from './tileOptions.js';
import { lonSpans, visitZones, type ZoomBox } from './tileZones.js';
import { propertiesOf } from './zoneProperties.js';
import { isSmall } from './zoneSize.js';

/** A zone before or after an edit. */
interface State {
  readonly internals: IndexInternals;
  readonly ordinal: number;
  /** Properties of the zone, as text. */
  readonly properties: string;
}

/** Content of a zone in a tile: a point, an outline, or nothing. */
type Share = { readonly unit: TilePosition } | { readonly zone: TileZone } | null;

/** The change of one tile by an edit. */
export interface TileChange {
  readonly isChanged: boolean;
  /** Whether no smaller tile within this one changes. */
  readonly isSettled: boolean;
}

export interface ZoneEdit {
  /** Whether the box of the zone, before or after, meets the tile with its buffer. */
  reaches(frame: TileFrame): boolean;
  at(frame: TileFrame): TileChange;
}

/** Number of zooms by which squares are smaller than their tile. */
const SQUARE_ZOOMS = 5;
/** Distance around a square in which zones are searched, units, for the rounding of boxes. */
const SQUARE_ROOM = 2;
/** Width in units above which a piece cannot shrink to a point. */
const WIDE = 16;

/** The edit that led to the present state of an index. */
export function editOf(
  index: ZoneIndex,
  internals: IndexInternals,
  before: ZoneRow | null,
  after: ZoneRow | null,
  more: readonly string[],
): ZoneEdit {
  const old = before === null ? null : internals.alone(before);
  const ordinal = after === null ? null : index.ordinalOf(after.id);
  const stateOf = (members: IndexInternals, at: number): State => {
    const { names, values } = propertiesOf(members, at, more);
    return { internals: members, ordinal: at, properties: JSON.stringify([names, values]) };
  };
  return new Edit(
    internals,
    old !== null && isLive(old, 0) ? stateOf(old, 0) : null,
    ordinal !== null && isLive(internals, ordinal) ? stateOf(internals, ordinal) : null,
  );
}

/** Whether the ordinal has a zone that is not marked deleted. */
function isLive(internals: IndexInternals, ordinal: number): boolean {
  const row = internals.keptRow(ordinal);
  return row !== null && !isDeleted(row);
}

class Edit implements ZoneEdit {
  readonly #internals: IndexInternals;
  readonly #before: State | null;
  readonly #after: State | null;
  readonly #isSameText: boolean;

  constructor(internals: IndexInternals, before: State | null, after: State | null) {
    this.#internals = internals;
    this.#before = before;
    this.#after = after;
    this.#isSameText = before?.properties === after?.properties;
  }

  reaches(frame: TileFrame): boolean {
    return [this.#before, this.#after].some((state) => state !== null && piecesIn(state, frame).length > 0);
  }

  at(frame: TileFrame): TileChange {
    const before = shareOf(this.#before, frame);
    const after = shareOf(this.#after, frame);
    return {
      isChanged: this.#isChanged(before, after, frame),
      isSettled:
        (isVoid(this.#before, before, frame) || isWhole(before)) &&
        (isVoid(this.#after, after, frame) || isWhole(after)) &&
        (before === null) === (after === null) &&
        (before === null || this.#isSameText),
    };
  }

  #isChanged(before: Share, after: Share, frame: TileFrame): boolean {
    if (before === null || after === null) return before !== after;
    if ('unit' in before && 'unit' in after) return this.#isPointChanged(before.unit, after.unit, frame);
    if ('unit' in before || 'unit' in after) return true;
    return !this.#isSameText || textOf(before.zone) !== textOf(after.zone);
  }

  #isPointChanged(before: TilePosition, after: TilePosition, frame: TileFrame): boolean {
    const square = squareAt(...before);
    if (square !== squareAt(...after)) return true;
    if (before[0] === after[0] && before[1] === after[1] && this.#isSameText) return false;
    const own = this.#after!.ordinal;
    const others: [ordinal: number, x: number, y: number][] = [];
    const { columns } = this.#internals;
    const points = {
      add: (ordinal: number, x: number, y: number): void => {
        if (squareAt(x, y) === square) others.push([ordinal, x, y]);
      },
    };
    visitZones(this.#internals, squareBox(before, frame), (ordinal) => {
      if (ordinal !== own && isSmall(columns, ordinal, frame)) addAnchor(columns, ordinal, frame, points);
    });
    const textWith = (unit: TilePosition, { properties }: State): string => {
      const groups = new PointGroups();
      for (const [ordinal, x, y] of others) groups.add(ordinal, x, y);
      groups.add(own, ...unit);
      const list = groups.groups();
      return JSON.stringify([list, list.some(({ ordinal }) => ordinal === own) ? properties : null]);
    };
    return textWith(before, this.#before!) !== textWith(after, this.#after!);
  }
}

function shareOf(state: State | null, frame: TileFrame): Share {
  if (state === null || piecesIn(state, frame).length === 0) return null;
  const { columns } = state.internals;
  if (!isSmall(columns, state.ordinal, frame)) {
    const zone = drawOne(columns, state.ordinal, frame, new ZonePen(frame), ALL_LAYERS);
    return zone && { zone };
  }
  let unit: TilePosition | null = null;
  const points = {
    add: (_: number, x: number, y: number): void => {
      unit = [x, y];
    },
  };
  addAnchor(columns, state.ordinal, frame, points);
  return unit && { unit };
}

function textOf({ polygons, lines, label }: TileZone): string {
  return JSON.stringify([polygons, lines, label]);
}

/** The pieces of a zone whose boxes meet a tile with its buffer. */
function piecesIn({ internals: { columns }, ordinal }: State, frame: TileFrame): number[] {
  const { pieceBoxes } = columns;
  const spans = lonSpans(frame.west, frame.east);
  const pieces: number[] = [];
  const first = columns.zoneFrom[ordinal]!;
  for (let piece = first; piece < first + columns.zonePieces[ordinal]!; piece++) {
    const box = 4 * piece;
    if (pieceBoxes[box + 1]! > frame.north || pieceBoxes[box + 3]! < frame.south) continue;
    if (spans.some(([west, east]) => pieceBoxes[box]! <= east && pieceBoxes[box + 2]! >= west))
      pieces.push(piece);
  }
  return pieces;
}

/**
 * Whether a zone adds nothing to a tile and to all smaller tiles in it. The buffer of a tile reaches beyond theirs, so an outline of large
 * pieces outside it is outside theirs too. But a small piece may have shrunk to nothing in this zoom only.
 */
function isVoid(state: State | null, share: Share, frame: TileFrame): boolean {
  if (state === null) return true;
  if (share !== null) return false;
  const { columns } = state.internals;
  if (isSmall(columns, state.ordinal, frame)) return false;
  const { pieceBoxes } = columns;
  return piecesIn(state, frame).every((piece) => {
    const box = 4 * piece;
    const width = pieceBoxes[box + 2]! - pieceBoxes[box]!;
    const height = pieceBoxes[box + 3]! - pieceBoxes[box + 1]!;
    // The box of a piece across the antimeridian has all longitudes.
    return Math.max(width < 360 ? width : 0, height) * frame.perDegree > WIDE;
  });
}

/** Whether an area covers a tile with its buffer, and so all smaller tiles in it. */
function isWhole(share: Share): boolean {
  if (share === null || !('zone' in share)) return false;
  const { polygons, lines, label } = share.zone;
  if (lines.length > 0 || label !== null || polygons.length !== 1 || polygons[0]!.length !== 1) return false;
  const ring = polygons[0]![0]!;
  return ring.length === 8 && ring.every((value) => value === LOW || value === HIGH);
}

/** The box of a square of a tile in degrees. */
function squareBox([x, y]: TilePosition, { z, world, perDegree, left, top }: TileFrame): ZoomBox {
  const fromX = left + Math.floor(x / SQUARE) * SQUARE - SQUARE_ROOM;
  const fromY = top + Math.floor(y / SQUARE) * SQUARE - SQUARE_ROOM;
  const side = SQUARE + 2 * SQUARE_ROOM;
  return {
    z: z + SQUARE_ZOOMS,
    west: fromX / perDegree - 180,
    east: (fromX + side) / perDegree - 180,
    south: latOfShare((fromY + side) / world),
    north: latOfShare(fromY / world),
  };
}
