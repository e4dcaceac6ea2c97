/** A built route with its instructions as one HTML file that opens offline. */

import type { Position } from '../core/geometry.js';
import { ROUTE_TOLERANCE_METERS, type RoutePageData, routeData } from './routeData.js';
import { ROUTE_STYLE } from './routeStyle.js';
import { routeWords } from './routeWords.js';
import { escapeHtml, htmlPage, type PageFiles } from './shell.js';

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

/**
 * One self-contained HTML page: the route on a map without tiles, its legs and their instructions beside it; each finds its place on the map.
 * As `reportPage` it loads nothing, and names and instructions are shown as text only. Deterministic.
 */
export function routePage(input: RouteInput, files: PageFiles): string {
  const words = routeWords(input.language);
  const body = `<header>
<h1>${escapeHtml(input.title)}</h1>
<div class="period">${escapeHtml(`${words.engine}: ${input.engine}`)}</div>
<div class="cards" id="cards"></div>
</header>
<main>
<section class="mapside" aria-label="${words.map}">
<div id="map"></div>
</section>
<section class="panel" aria-label="${words.instructions}">
<div class="tools layers"><button type="button" id="home">${words.home}</button></div>
<div id="legs" lang="${escapeHtml(input.language)}"></div>
</section>
</main>
<footer>
${words.thinned.replace('{meters}', String(ROUTE_TOLERANCE_METERS))}
${words.leaflet}
</footer>`;
  const data: RoutePageData = { ...routeData(input), words };
  return htmlPage({ language: words.language, title: input.title, style: ROUTE_STYLE, body, data }, files);
}
