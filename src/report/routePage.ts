/** A built route with its instructions as one HTML file that opens offline. */

import { escapeHtml, htmlPage, type PageFiles } from './htmlPage.js';
import {
  ROUTE_TOLERANCE_METERS,
  type RoutePageData,
  type RoutePageInput,
  routeData,
  routeWords,
} from './routeData.js';

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
