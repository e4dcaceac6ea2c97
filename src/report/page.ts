/** The report as one HTML file that opens offline. */

import { CLIENT_CANVAS } from './clientCanvas.js';
import { CLIENT_LAYERS } from './clientLayers.js';
import { CLIENT_MAIN } from './clientMain.js';
import { CLIENT_MAP } from './clientMap.js';
import { CLIENT_TABLES } from './clientTables.js';
import { CLIENT_TIMELINE } from './clientTimeline.js';
import { CLIENT_TRIPS } from './clientTrips.js';
import type { ReportInput } from './model.js';
import { pageData, TRACK_TOLERANCE_METERS, ZONE_TOLERANCE_METERS } from './pageData.js';
import { escapeHtml, htmlPage, type LeafletSource } from './shell.js';
import { TRIPS_STYLE } from './tripsStyle.js';

/**
 * One self-contained HTML page: a map of zones, tracks and visits, planned trips against actual ones with their graphs, a timeline of
 * each unit's visits and movement, and tables that find all of them on the map.
 *
 * The page loads nothing (its own policy forbids the network); names and ids reach it as JSON and are shown as text only.
 * Lines are thinned for drawing, by no more than 4 m (tracks) and 0.5 m (zones); the tables show exact figures. Deterministic.
 */
export function reportPage(input: ReportInput, leaflet: LeafletSource): string {
  const body = `<header>
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
${layerBox('zones', 'Zones')}${layerBox('tracks', 'Tracks')}${layerBox('visits', 'Visits')}${layerBox('speed', 'Colour by speed', false)}
<button type="button" id="home">Whole map</button>
<span class="key note" id="gradation" hidden></span>
</div>
<div class="tabs" role="tablist">
${PANELS.map(tab).join('\n')}
</div>
${PANELS.map(tabPanel).join('\n')}
</section>
</main>
<footer>
Times are UTC, those of a trip are in its own zone. A visit's times are where the straight way between two fixes crosses the zone's boundary.
Drawn lines are thinned: a track by at most ${TRACK_TOLERANCE_METERS} m, a zone by at most ${ZONE_TOLERANCE_METERS} m;
gaps longer than ${Math.round(input.maxGapSeconds)} s are not drawn. The tables and the other files of the report are exact.
Map: Leaflet (BSD-2-Clause), without tiles.
</footer>`;
  return htmlPage(
    {
      language: 'en',
      title: input.title,
      style: TRIPS_STYLE,
      body,
      data: pageData(input),
      script:
        CLIENT_TABLES +
        CLIENT_CANVAS +
        CLIENT_MAP +
        CLIENT_LAYERS +
        CLIENT_MAIN +
        CLIENT_TRIPS +
        CLIENT_TIMELINE,
    },
    leaflet,
  );
}

const PANELS = [
  { name: 'visits', title: 'Visits' },
  { name: 'zones', title: 'Zones' },
  { name: 'units', title: 'Units' },
  { name: 'trips', title: 'Trips' },
  { name: 'timeline', title: 'Timeline' },
  { name: 'read', title: 'Files and issues' },
] as const;

type Panel = (typeof PANELS)[number];

function layerBox(name: string, title: string, isChecked = true): string {
  const checked = isChecked ? ' checked' : '';
  return `<label class="unit"><input type="checkbox" data-show="${name}"${checked}> ${title}</label>\n`;
}

function tab({ name, title }: Panel, i: number): string {
  const selected = i === 0 ? 'aria-selected="true" tabindex="0"' : 'aria-selected="false" tabindex="-1"';
  return `<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" ${selected}>${title}</button>`;
}

function tabPanel({ name }: Panel, i: number): string {
  return `<div role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}"${i === 0 ? '' : ' hidden'}></div>`;
}
