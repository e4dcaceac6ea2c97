/** Pages that open offline, each as one HTML file: the report, and a built route with its instructions. */

import { dataBlocks } from './dataBlocks.js';
import { escapeHtml, htmlPage, type PageFiles } from './htmlPage.js';
import { pageData, TRACK_TOLERANCE_METERS, ZONE_TOLERANCE_METERS } from './pageData.js';
import { type ReportInput, sourceOf } from './reportInput.js';
import type { ReportWords } from './reportWordsEnglish.js';
import { reportWordsIn } from './reportWordsIn.js';
import {
  ROUTE_TOLERANCE_METERS,
  type RoutePageData,
  type RoutePageInput,
  routeData,
  routeWords,
} from './routeData.js';
import { TRIPS_STYLE } from './tripsStyle.js';

const PROBLEMS_STYLE = `
#problems h2 { font-size: 15px; margin: 10px 0 6px; }
.unread { border: 1px solid var(--bad); border-left-width: 5px; border-radius: 6px; padding: 6px 10px; margin: 10px 0; background: var(--card);
  overflow-wrap: anywhere; }
.kinds { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.kinds button { font: inherit; font-weight: 600; color: var(--mood); background: var(--card); border: 1.5px solid var(--mood); border-radius: 8px;
  padding: 4px 10px; cursor: pointer; text-align: left; overflow-wrap: anywhere; min-width: 0; }
.kinds button[aria-pressed=true] { background: var(--mood); color: var(--card); }
ol.problems { list-style: none; margin: 8px 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr));
  gap: 0 18px; }
.problems li { display: flex; gap: 3px 8px; align-items: baseline; border-top: 1px solid var(--line); padding: 4px 0; min-width: 0; }
.problems a { color: var(--ink); text-decoration: none; flex: 1; min-width: 0; overflow-wrap: anywhere; }
.problems a:hover { color: var(--accent); text-decoration: underline; }
.problems b { color: var(--mood); }
.problems .note { flex: none; max-width: 46%; text-align: right; overflow-wrap: anywhere; }
#problems > .small { margin-top: 6px; }
.unread a { color: var(--accent); }
footer h2 { font-size: 13px; margin: 0 0 6px; }
.dimmed .leaflet-tracks-pane, .dimmed .leaflet-visits-pane { opacity: .16; }
.dimmed .unit-label { opacity: .25; }
@media (prefers-color-scheme: dark) { .leaflet-tile-pane img { filter: invert(1) hue-rotate(180deg) brightness(.85) contrast(.85); } }
.leaflet-container .leaflet-control-attribution { background: var(--card); color: var(--soft); opacity: .9; }
.replay { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 6px 10px; margin-top: 8px; }
.replay input { flex: 1 1 160px; min-width: 0; accent-color: var(--accent); }
.replay output { font-variant-numeric: tabular-nums; white-space: nowrap; min-width: 19ch; }
.replay button, .replay select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 9px; cursor: pointer; }
.save { margin-left: auto; display: inline-flex; gap: 4px; }
.cursor { stroke: var(--ink); stroke-width: 1.5; }
.timeline .row.marked { background: var(--hit); }
@media (max-width: 760px) {
  .scroll thead tr { display: flex; flex-wrap: wrap; gap: 0 4px; border-bottom: 1px solid var(--line); }
  .scroll table, .scroll tbody, .scroll tfoot, .scroll thead { display: block; }
  .scroll tbody tr, .scroll tfoot tr { display: flex; flex-wrap: wrap; gap: 1px 12px; border-top: 1px solid var(--line); padding: 6px; }
  .scroll tbody td, .scroll tfoot td { border: 0; padding: 0; text-align: left; min-width: 0; }
  .scroll td.text:first-child { flex: 1 1 100%; font-weight: 600; }
  .scroll td[data-title]:not(:first-child)::before { content: attr(data-title) ' '; color: var(--soft); font-size: 11.5px; font-weight: 400; }
  .scroll td:empty { display: none; }
  .problems .note { max-width: 40%; font-size: 11.5px; }
  .replay { flex-wrap: nowrap; padding: 3px 6px; margin-top: 4px; } .replay select { display: none; }
  .replay input { flex: 1 1 40px; } .replay output { min-width: 0; font-size: 11.5px; }
}
@media print {
  @page { size: A4 landscape; margin: 10mm; }
  :root { color-scheme: light; --bg: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #1667b7; --land: #fff; --grid: #ddd; --bad: #b3261e;
    --ok: #1a7f37; --now: #1667b7; --wait: #5b6676; --warn: #8a6100; --none: #7046b8; }
  body { font-size: 10pt; }
  main { display: flex; flex-direction: column; align-items: stretch; padding: 0; } header, footer { padding: 0; max-width: none; }
  .mapside { position: static; order: 1; break-before: page; break-inside: avoid; } #map { min-height: 0; max-height: none; break-inside: avoid; }
  .panel, .scroll, #panel-trips > .scroll { border: 0; overflow: visible; max-height: none; }
  .tools, .tabs, .replay, .more, .leaflet-control-zoom, #problems .small, .detail .small, label.unit input, td input { display: none; }
  .swatch, .graph rect { print-color-adjust: exact; } footer h2 { margin: 6px 0 3px; }
  .cards { display: flex; flex-wrap: nowrap; gap: 4px; margin: 3px 0; } .card { flex: 1; min-width: 0; padding: 2px 6px; } .card b { font-size: 10pt; } .card span { font-size: 8pt; }
  table { font-size: 8pt; table-layout: auto; } td, th { font-size: 8pt; padding: 1.5pt 3pt; white-space: normal !important; overflow-wrap: anywhere; }
  td.time, td.num { white-space: nowrap !important; }
  thead th { padding: 1.5pt 4pt; } th button { padding: 0; font-size: 8pt; white-space: normal; overflow-wrap: normal; }
  thead { display: table-header-group; } tr { break-inside: avoid; } tfoot { display: table-row-group; }
}
`;
const CONDUCT_STYLE = `
:root { --fast: #c4001d; --closed: #c4001d; --covered: #1a7f37; --unseen: #8a94a3; --missed: #e07a10; --ahead: #c3cad4; }
@media (prefers-color-scheme: dark) { :root { --fast: #ff6b5e; --closed: #ff8a80; --covered: #4ac26b; --unseen: #8593a5; --missed: #f0a04b;
  --ahead: #4a5667; } }
.closed { fill: var(--closed); } .fast { fill: var(--fast); } .row .closed, .row .fast { cursor: pointer; }
.map-label.limit-label { color: #1d2430; background: #fff; border: 2.5px solid #c4001d; border-radius: 12px; padding: 1px 5px; text-shadow: none; }
.along { display: block; width: 150px; height: 12px; background: var(--ahead); border-radius: 3px; }
.part.covered { fill: var(--covered); } .part.no_data { fill: var(--unseen); } .part.missed { fill: var(--missed); } .part.ahead { fill: var(--ahead); }
#panel-route h2 { font-size: 15px; margin: 10px; overflow-wrap: anywhere; } #panel-route h2 .note { font-weight: 400; }
`;

/**
 * One self-contained HTML page: first the problems, then a map of zones, tracks and visits, planned trips against actual ones with their
 * graphs, a timeline of each unit's visits and movement, and tables whose rows select their item on the map. If requested: speeding with
 * its limits, closed hours, the coverage of a route, and meetings.
 *
 * The page loads nothing, because its policy forbids the network; with a base map at an address it loads the images of that one source.
 * Names and ids reach it as JSON and are shown as text only. Lines are thinned for drawing, by no more than 4 m (tracks) and 0.5 m (zones);
 * the tables show exact figures. Deterministic.
 */
export function reportPage(input: ReportInput, files: PageFiles): string {
  const words = reportWordsIn(input.language);
  const [data, ...blocks] = dataBlocks(pageData(input));
  const panels = PANELS.filter(({ name }) => isAsked(name, input));
  const panel = `<div class="tools layers">
${LAYERS.filter((layer) => isAsked(layer.name, input))
  .map((layer) => layerBox(layer, words))
  .join('\n')}
<button type="button" id="home">${words.home}</button>
<span class="note" id="shown" role="status"></span>
<span class="key note" id="gradation" hidden></span>
</div>
<div class="tabs" role="tablist">
${panels.map((panel, i) => tab(panel, words, i)).join('\n')}
</div>
${panels.map(tabPanel).join('\n')}`;
  return htmlPage(
    {
      words,
      title: input.title,
      company: input.company ?? null,
      style: `${TRIPS_STYLE}${CONDUCT_STYLE}${PROBLEMS_STYLE}`,
      period: '',
      top: '<div id="problems"></div>',
      hasCountsLast: true,
      source: sourceOf(input.basemap),
      ...(input.basemap?.kind === 'tiles' && { tiles: input.basemap.tiles }),
      panelName: words.tables,
      panel,
      note: footer(input, words),
      data,
      blocks,
    },
    files,
  );
}

const LAYERS = [
  { name: 'zones', word: 'zones', isOn: true },
  { name: 'tracks', word: 'tracks', isOn: true },
  { name: 'visits', word: 'visits', isOn: true },
  { name: 'labels', word: 'labels', isOn: true },
  { name: 'speeding', word: 'speeding', isOn: true },
  { name: 'route', word: 'route', isOn: true },
  { name: 'speed', word: 'colourBySpeed', isOn: false },
] as const;
const PANELS = [
  { name: 'units', word: 'units' },
  { name: 'visits', word: 'visits' },
  { name: 'zones', word: 'zones' },
  { name: 'mileage', word: 'mileage' },
  { name: 'rides', word: 'rides' },
  { name: 'speeding', word: 'speeding' },
  { name: 'route', word: 'route' },
  { name: 'meetings', word: 'meetings' },
  { name: 'trips', word: 'trips' },
  { name: 'timeline', word: 'timeline' },
  { name: 'read', word: 'filesAndIssues' },
] as const;

type Panel = (typeof PANELS)[number];

/** Whether a layer or panel is part of this report. */
function isAsked(name: string, { asked, route }: ReportInput): boolean {
  if (name === 'speeding' || name === 'meetings') return asked[name];
  return name !== 'route' || route !== null;
}

function layerBox({ name, word, isOn }: (typeof LAYERS)[number], words: ReportWords): string {
  const checked = isOn ? ' checked' : '';
  return `<label class="unit"><input type="checkbox" data-show="${name}"${checked}> ${words[word]}</label>`;
}

function tab({ name, word }: Panel, words: ReportWords, i: number): string {
  const selected = i === 0 ? 'aria-selected="true" tabindex="0"' : 'aria-selected="false" tabindex="-1"';
  return `<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}" ${selected}>${words[word]}</button>`;
}

function tabPanel({ name }: Panel, i: number): string {
  return `<div role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}"${i === 0 ? '' : ' hidden'}></div>`;
}

function footer({ timeZone, maxGapSeconds }: ReportInput, words: ReportWords): string {
  return words.footer
    .replace('{zone}', escapeHtml(timeZone ?? 'UTC'))
    .replace('{track}', String(TRACK_TOLERANCE_METERS))
    .replace('{outline}', String(ZONE_TOLERANCE_METERS))
    .replace('{gap}', String(Math.round(maxGapSeconds)));
}

const ROUTE_STYLE = `
.leg + .leg { border-top: 1px solid var(--line); }
.leg h2 { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; font-size: 14.5px; margin: 0; padding: 10px 12px 4px;
  overflow-wrap: anywhere; }
.leg h2 .find { font-weight: 600; }
.leg ol { margin: 0; padding: 0 12px 10px 40px; }
.leg li { padding: 2px 4px; border-radius: 5px; }
.leg li::marker { color: var(--soft); font-size: 12px; }
.leg li.hit { background: var(--hit); }
.leg li .find { color: var(--ink); overflow-wrap: anywhere; vertical-align: top; }
.leg li .find:hover { color: var(--accent); }
.leg li .note { white-space: nowrap; }
.stop-mark { display: flex; align-items: center; justify-content: center; min-width: 24px; height: 24px; padding: 0 5px; border-radius: 12px;
  background: var(--card); color: var(--ink); border: 2px solid var(--accent); font: 600 12px system-ui, sans-serif;
  font-variant-numeric: tabular-nums; white-space: nowrap; width: max-content; transform: translate(-50%, -50%); }
@media (max-width: 760px) { .card { flex: 1 1 20%; min-width: 72px; padding: 5px 7px; } .card b { font-size: 15px; } }
@media (min-width: 1001px) { .panel { max-height: calc(100vh - 24px); overflow-y: auto; } }
`;

/**
 * One self-contained HTML page: the route on a map without tiles, its legs and their instructions beside it. A click on a leg or
 * instruction shows it on the map. Like `reportPage`, it loads nothing. Names and instructions are shown as text only. Deterministic.
 */
export function routePage(input: RoutePageInput, files: PageFiles): string {
  const words = routeWords(input.language);
  const panel = `<div class="tools layers"><button type="button" id="home">${words.home}</button></div>
<div id="legs" lang="${escapeHtml(input.language)}"></div>`;
  const data: RoutePageData = { ...routeData(input), words };
  return htmlPage(
    {
      words,
      title: input.title,
      style: ROUTE_STYLE,
      period: escapeHtml(`${words.engine}: ${input.engine}`),
      panelName: words.instructions,
      panel,
      note: words.thinned.replace('{meters}', String(ROUTE_TOLERANCE_METERS)),
      data,
    },
    files,
  );
}
