/** The report as one HTML file that opens offline. */

import { CLIENT_MAIN } from './clientMain.js';
import { CLIENT_MAP } from './clientMap.js';
import { CLIENT_TABLES } from './clientTables.js';
import type { ReportInput } from './model.js';
import { pageData, TRACK_TOLERANCE_METERS, ZONE_TOLERANCE_METERS } from './pageData.js';
import { PAGE_STYLE } from './style.js';

/** Leaflet's own files, as text. */
export interface LeafletSource {
  readonly js: string;
  readonly css: string;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * One self-contained HTML page: a map of zones, tracks and visits, and tables that find them on it.
 *
 * The page loads nothing (its own policy forbids the network); names and ids reach it as JSON and are shown as text only.
 * Lines are thinned for drawing, by no more than 4 m (tracks) and 0.5 m (zones); the tables show exact figures. Deterministic.
 */
export function reportPage(input: ReportInput, leaflet: LeafletSource): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(input.title)}</title>
<style>${withoutUrls(leaflet.css)}</style>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(input.title)}</h1>
<div class="period" id="period"></div>
<div class="cards" id="cards"></div>
</header>
<main>
<section class="mapside" aria-label="Map">
<div id="map"></div>
</section>
<section class="panel" aria-label="Tables">
<div class="tools layers">
${layerBox('zones', 'Zones')}${layerBox('tracks', 'Tracks')}${layerBox('visits', 'Visits')}
<button type="button" id="home">Whole map</button>
</div>
<div class="tabs" role="tablist">
${PANELS.map(tab).join('\n')}
</div>
${PANELS.map(tabPanel).join('\n')}
</section>
</main>
<footer>
Times are UTC. A visit's times are where the straight way between two fixes crosses the zone's boundary.
Drawn lines are thinned: a track by at most ${TRACK_TOLERANCE_METERS} m, a zone by at most ${ZONE_TOLERANCE_METERS} m;
gaps longer than ${Math.round(input.maxGapSeconds)} s are not drawn. The tables and the other files of the report are exact.
Map: Leaflet (BSD-2-Clause), without tiles.
</footer>
<script type="application/json" id="data">${jsonBlock(pageData(input))}</script>
<script>${scriptText(leaflet.js)}</script>
<script>
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
${CLIENT_TABLES}${CLIENT_MAP}${CLIENT_MAIN}</script>
</body>
</html>
`;
}

const PANELS = [
  { name: 'visits', title: 'Visits' },
  { name: 'zones', title: 'Zones' },
  { name: 'units', title: 'Units' },
  { name: 'read', title: 'Files and issues' },
] as const;

type Panel = (typeof PANELS)[number];

function layerBox(name: string, title: string): string {
  return `<label class="unit"><input type="checkbox" data-show="${name}" checked> ${title}</label>\n`;
}

function tab({ name, title }: Panel, i: number): string {
  const selected = i === 0 ? 'aria-selected="true" tabindex="0"' : 'aria-selected="false" tabindex="-1"';
  return `<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" ${selected}>${title}</button>`;
}

function tabPanel({ name }: Panel, i: number): string {
  return `<div role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}"${i === 0 ? '' : ' hidden'}></div>`;
}

/** JSON that no HTML parser can leave: every `<` is written as its escape. */
export function jsonBlock(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** A script that cannot end its element early, and names no source map to fetch. */
function scriptText(source: string): string {
  return source
    .replace(/<\/script/gi, '<\\/script')
    .replace(/<!--/g, '<\\!--')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '');
}

/** Leaflet's style names icon files that this page does not use. */
function withoutUrls(css: string): string {
  return css.replace(/url\([^)]*\)/g, 'none').replace(/<\/style/gi, '<\\/style');
}
