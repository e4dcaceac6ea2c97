/** The report as one HTML file that opens offline. */

import { dataBlocks } from './dataBlocks.js';
import { escapeHtml, htmlPage, type PageFiles } from './htmlPage.js';
import { pageData, TRACK_TOLERANCE_METERS, ZONE_TOLERANCE_METERS } from './pageData.js';
import { PROBLEMS_STYLE } from './problemsStyle.js';
import { sourceOf } from './reportBasemap.js';
import type { ReportInput } from './reportInput.js';
import type { ReportWords } from './reportWords.js';
import { reportWordsIn } from './reportWordsIn.js';
import { TRIPS_STYLE } from './tripsStyle.js';

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
