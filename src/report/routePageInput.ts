/** The route that a page shows. */

import type { Position } from '../core/geometry.js';

export interface RouteLegInput {
  /** Positions `[lon, lat]`, at least one. */
  readonly points: readonly Position[];
  /** Distance, as text in the page's language. */
  readonly distance: string;
  readonly duration: string;
  readonly instructions: readonly RouteInstruction[];
}

export interface RouteInstruction {
  readonly text: string;
  /** Distance to the next instruction as text; empty for the last one. */
  readonly distance: string;
  /** Share of the leg's length before the instruction, 0 to 1. */
  readonly share: number;
}

export interface RoutePageInput {
  readonly title: string;
  /** Language tag of the instructions and amounts. The page's own words are Russian for `ru`, else English. */
  readonly language: string;
  /** Name of the routing engine. */
  readonly engine: string;
  /** Indices of the stops in the request, in the order of driving. There is one more stop than legs. */
  readonly stops: readonly number[];
  readonly legs: readonly RouteLegInput[];
  readonly distance: string;
  readonly duration: string;
}
