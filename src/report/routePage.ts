/** A built route with its instructions as one HTML file that opens offline. */

import { escapeHtml, htmlPage, type PageFiles } from './htmlPage.js';
import { ROUTE_TOLERANCE_METERS, type RoutePageData, routeData } from './routeData.js';
import type { RoutePageInput } from './routePageInput.js';
import { ROUTE_STYLE } from './routeStyle.js';
import { routeWords } from './routeWords.js';

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
