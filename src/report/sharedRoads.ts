/** Finds roads that several units drove, for a map without a base map. */

import { METERS_PER_DEGREE, packLine, thin } from './thin.js';
import type { LonLatLine } from './trackLines.js';

/** Side of a grid cell, metres. Units that pass the same cell share a road there. */
export const ROAD_CELL_METERS = 40;
/** Metres between two samples of a track. */
const SAMPLE_METERS = 20;
/** Longest step between two fixes that still follows a road, metres. */
const MAX_STEP_METERS = 300;
/** Fewest samples of a drawn piece. */
const LEAST_SAMPLES = 5;
/** Number of samples by which a road's blocking of cells lags behind its end, so that it does not block itself. */
const LAG = 5;
/** Number of directions in a half turn. Two samples with equal or neighbouring directions are on one road. */
const DIRECTIONS = 4;
const TOLERANCE_METERS = 4;
/** More than the number of columns around the Earth; spaces the cell keys of rows. */
const ROW = 2 ** 22;

/** A road as a packed line. `isWide`: at least a quarter of the units drove there. */
export type PageRoad = readonly [isWide: 0 | 1, line: readonly number[]];

interface Sample {
  readonly lon: number;
  readonly lat: number;
  readonly direction: number;
}

/** Roads that at least two units, and at least a thirtieth of all, drove. `units`: the lines of each unit. O(metres driven). */
export function sharedRoads(units: readonly (readonly LonLatLine[])[]): PageRoad[] {
  const least = Math.max(2, Math.ceil(units.length / 30));
  const many = Math.max(least, Math.ceil(units.length / 4));
  const counts = new Map<number, number>();
  const last = new Map<number, number>();
  for (const [unit, lines] of units.entries()) {
    for (const piece of lines.flatMap(samplesOf)) {
      for (const { lon, lat } of piece) {
        for (const cell of cellsOf(lon, lat)) {
          if (last.get(cell) === unit) continue;
          last.set(cell, unit);
          counts.set(cell, (counts.get(cell) ?? 0) + 1);
        }
      }
    }
  }
  const countOf = ({ lon, lat }: Sample): number =>
    Math.max(...cellsOf(lon, lat).map((cell) => counts.get(cell) ?? 0));
  const taken = new Map<number, number>();
  const isTaken = ({ lon, lat, direction }: Sample): boolean => {
    const around = [direction, (direction + 1) % DIRECTIONS, (direction + DIRECTIONS - 1) % DIRECTIONS];
    const bits = around.reduce((sum, one) => sum | (1 << one), 0);
    return cellsOf(lon, lat).some((cell) => ((taken.get(cell) ?? 0) & bits) !== 0);
  };
  const take = ({ lon, lat, direction }: Sample): void => {
    for (const cell of cellsOf(lon, lat)) taken.set(cell, (taken.get(cell) ?? 0) | (1 << direction));
  };
  const roads: PageRoad[] = [];
  const finish = (road: readonly Sample[]): void => {
    if (road.length < LEAST_SAMPLES) return;
    for (const sample of road.slice(-LAG)) take(sample);
    const [lon, lat] = [road.map((sample) => sample.lon), road.map((sample) => sample.lat)];
    const wide = road.filter((sample) => countOf(sample) >= many).length * 2 > road.length;
    roads.push([wide ? 1 : 0, packLine(lon, lat, thin(lon, lat, TOLERANCE_METERS))]);
  };
  for (const lines of units) {
    for (const piece of lines.flatMap(samplesOf)) {
      let road: Sample[] = [];
      for (const sample of piece) {
        if (countOf(sample) >= least && !isTaken(sample)) {
          road.push(sample);
          const behind = road[road.length - 1 - LAG];
          if (behind !== undefined) take(behind);
        } else {
          finish(road);
          road = [];
        }
      }
      finish(road);
    }
  }
  return roads;
}

/** Samples of a line, cut at steps too long to follow a road. */
function samplesOf({ lon, lat }: LonLatLine): Sample[][] {
  const pieces: Sample[][] = [];
  let piece: Sample[] = [];
  let rest = 0;
  for (let i = 1; i < lon.length; i++) {
    const shrink = Math.cos((lat[i]! * Math.PI) / 180);
    const east = (lon[i]! - lon[i - 1]!) * shrink * METERS_PER_DEGREE;
    const north = (lat[i]! - lat[i - 1]!) * METERS_PER_DEGREE;
    const length = Math.hypot(east, north);
    if (length > MAX_STEP_METERS) {
      if (piece.length > 0) pieces.push(piece);
      [piece, rest] = [[], 0];
      continue;
    }
    const turn = Math.atan2(north, east) / Math.PI;
    const direction = ((Math.round(turn * DIRECTIONS) % DIRECTIONS) + DIRECTIONS) % DIRECTIONS;
    let along = SAMPLE_METERS - rest;
    for (; along <= length; along += SAMPLE_METERS) {
      const share = along / length;
      piece.push({
        lon: lon[i - 1]! + share * (lon[i]! - lon[i - 1]!),
        lat: lat[i - 1]! + share * (lat[i]! - lat[i - 1]!),
        direction,
      });
    }
    rest = length - (along - SAMPLE_METERS);
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/**
 * The cell of a position in each of two grids. The second grid is shifted by half a cell, so that a road on a border of one is inside a
 * cell of the other.
 */
function cellsOf(lon: number, lat: number): [number, number] {
  const row = (lat * METERS_PER_DEGREE) / ROAD_CELL_METERS;
  // All columns of a row have the width of the row's first latitude, so that cells line up.
  const column = (at: number): number =>
    (lon *
      METERS_PER_DEGREE *
      Math.cos((Math.floor(at) * ROAD_CELL_METERS * Math.PI) / 180 / METERS_PER_DEGREE)) /
    ROAD_CELL_METERS;
  const first = Math.floor(row) * ROW + Math.floor(column(row));
  const second = Math.floor(row + 0.5) * ROW + Math.floor(column(row + 0.5) + 0.5);
  return [2 * first, 2 * second + 1];
}
