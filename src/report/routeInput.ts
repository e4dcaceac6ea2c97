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
  /** Of the way that follows; empty where none does. */
  readonly distance: string;
  /** Which share of the leg's length lies before it, from 0 to 1. */
  readonly share: number;
}

export interface RouteInput {
  readonly title: string;
  /** A tag, of the instructions and amounts; the page's own words are Russian for `ru`, else English. */
  readonly language: string;
  /** Who found the way. */
  readonly engine: string;
  /** Which point of the request each stop is, from 0, in the order of driving: one more than the legs. */
  readonly stops: readonly number[];
  readonly legs: readonly RouteLegInput[];
  readonly distance: string;
  readonly duration: string;
}
