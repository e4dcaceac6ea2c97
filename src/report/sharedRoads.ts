/** Finds roads that several units drove. The map draws them if it has no base map. */

import { METERS_PER_DEGREE, packLine, thin } from './thin.js';
import type { LonLatLine } from './trackLines.js';

/** Side of a cell, metres. Units that pass one cell share a road there. */
export const ROAD_CELL_METERS = 40;
/** Metres between two samples of a track. */
const SAMPLE_METERS = 20;
/** A longer step between two fixes does not follow a road. */
const MAX_STEP_METERS = 300;
/** Shorter pieces are dropped. */
const LEAST_SAMPLES = 5;
/** A road blocks its cells for later ones only behind this many samples, so that it does not block itself. */
const LAG = 5;
/** Directions, as half turns are the same: two that are equal or neighbours are one road. */
const DIRECTIONS = 4;
const TOLERANCE_METERS = 4;
/** Above the number of columns of the whole Earth. */
const ROW = 2 ** 22;

/** A packed line; wide where at least a quarter of the units drove. */
export type PageRoad = readonly [isWide: 0 | 1, line: readonly number[]];

interface Sample {
  readonly lon: number;
  readonly lat: number;
  readonly direction: number;
}

/** `units`: the lines of each. A road is one that at least two units and a thirtieth of all share. O(metres driven). */
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

/** Samples of a line, cut where a step is too long to follow a road. */
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

/** A cell of each of two grids, the second half a cell aside, so that a road on the border of one is inside the other. */
function cellsOf(lon: number, lat: number): [number, number] {
  const row = (lat * METERS_PER_DEGREE) / ROAD_CELL_METERS;
  // All columns of a row have the same width, so that cells are where their row begins.
  const column = (at: number): number =>
    (lon *
      METERS_PER_DEGREE *
      Math.cos((Math.floor(at) * ROAD_CELL_METERS * Math.PI) / 180 / METERS_PER_DEGREE)) /
    ROAD_CELL_METERS;
  const first = Math.floor(row) * ROW + Math.floor(column(row));
  const second = Math.floor(row + 0.5) * ROW + Math.floor(column(row + 0.5) + 0.5);
  return [2 * first, 2 * second + 1];
}
