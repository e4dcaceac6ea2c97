/** The route that a page shows. */

import type { Position } from '../core/geometry.js';

export interface RouteLegInput {
  /** `[lon, lat]`, at least one. */
  readonly points: readonly Position[];
  /** As texts in the page's language. */
  readonly distance: string;
  readonly duration: string;
  readonly instructions: readonly RouteInstruction[];
}

export interface RouteInstruction {
  readonly text: string;
  /** Distance to the next instruction as text; empty for the last one. */
  readonly distance: string;
  /** Which share of the leg's length lies before it, from 0 to 1. */
  readonly share: number;
}

export interface RouteInput {
  readonly title: string;
  /** A tag, of the instructions and amounts; the page's own words are Russian for `ru`, else English. */
  readonly language: string;
  /** Name of the routing engine. */
  readonly engine: string;
  /** Index in the request of each stop, in the order of driving: one more than the legs. */
  readonly stops: readonly number[];
  readonly legs: readonly RouteLegInput[];
  readonly distance: string;
  readonly duration: string;
}
