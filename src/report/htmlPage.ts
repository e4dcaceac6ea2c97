/**
 * The frame of every page that wayzone writes: one HTML file that opens offline. It loads nothing, except the images of one map on request.
 */

const PAGE_STYLE = `
:root { color-scheme: light dark; --bg: #f4f5f7; --card: #fff; --ink: #1d2430; --soft: #5b6676; --line: #d9dee6;
  --accent: #1667b7; --land: #eef0f2; --grid: #d3d9e1; --road: #fff; --hit: #fff3cf; --bad: #b3261e;
  --base-land: #f2efe9; --base-water: #a9cfe0; --base-green: #d3e6c6; --base-building: #dcd6cc; --base-road: #fff;
  --base-casing: #cdc6ba; --base-border: #b09cc0; }
@media (prefers-color-scheme: dark) { :root { --bg: #14181e; --card: #1c222b; --ink: #e6eaf0; --soft: #9aa6b6;
  --line: #323b48; --accent: #6fb3f2; --land: #20262f; --grid: #323c49; --road: #3a4452; --hit: #46401f; --bad: #ff8a80;
  --base-land: #232a33; --base-water: #1b3a4d; --base-green: #263a2b; --base-building: #343c47; --base-road: #4a5566;
  --base-casing: #1a2028; --base-border: #5d5273; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
header { padding: 14px 18px 10px; }
.company { font-weight: 600; color: var(--soft); overflow-wrap: anywhere; }
h1 { font-size: 19px; margin: 0; overflow-wrap: anywhere; }
.period, .note, footer { color: var(--soft); font-size: 12.5px; }
.did { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 3px 0; }
.cards { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; min-width: 92px; }
.card b { display: block; font-size: 19px; font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: 12px; }
.card.bad b { color: var(--bad); }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 4fr); gap: 12px; padding: 0 18px; align-items: start; }
.mapside { position: sticky; top: 8px; }
#map { height: calc(100vh - 290px); min-height: 340px; max-height: 860px; background: var(--land); border: 1px solid var(--line);
  border-radius: 8px; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.tabs { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
.tabs button { border: 0; background: none; color: var(--soft); padding: 10px; font: inherit; cursor: pointer;
  border-bottom: 2px solid transparent; white-space: nowrap; }
.tabs button[aria-selected=true] { color: var(--ink); border-bottom-color: var(--accent); font-weight: 600; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; padding: 10px; align-items: center; }
input[type=search], select, .tools button, .more { font: inherit; color: inherit; background: var(--bg);
  border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; }
input[type=search] { flex: 1 1 150px; min-width: 0; }
.tools button, .more { cursor: pointer; }
.more { display: block; margin: 10px auto; }
.more[hidden] { display: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 3px; border-top: 1px solid var(--line); vertical-align: top; }
td { font-size: 12.5px; }
td.num, th.num { text-align: right; }
td.num { white-space: nowrap; }
td:not([class]), td[class=''] { overflow-wrap: anywhere; min-width: 46px; }
td.time { min-width: 92px; } th.num { min-width: 45px; }
td.text { overflow-wrap: anywhere; min-width: 72px; }
thead th { border-top: 0; padding: 0; font-size: 11.5px; line-height: 1.3; vertical-align: bottom; }
th.num button { text-align: right; }
th button { font: inherit; font-weight: 600; color: var(--soft); background: none; border: 0; padding: 5px 3px; cursor: pointer; text-align: left;
  overflow-wrap: normal; hyphens: manual; }
@media (min-width: 500px) and (max-width: 900px) { .panel:not(#panel-units) th button { overflow-wrap: anywhere; hyphens: auto; } }
th[aria-sort=ascending] button::after { content: ' \\2191'; }
th[aria-sort=descending] button::after { content: ' \\2193'; }
tfoot td { font-weight: 600; border-top: 2px solid; }
tbody tr.click { cursor: pointer; }
tbody tr.click:hover { background: var(--bg); }
tbody tr, .leg { scroll-margin: 12px 0 40px; }
tbody tr.hit, tbody tr.hit:hover, .leg.hit { background: var(--hit); }
.find { font: inherit; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; text-align: left; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.swatch { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 6px; }
label.unit { display: inline-flex; align-items: center; gap: 5px; overflow-wrap: anywhere; }
.empty { padding: 18px; color: var(--soft); }
footer { padding: 12px 18px 24px; max-width: 90ch; }
.map-label { position: absolute; left: 0; top: 0; font: 600 11.5px/15px system-ui, sans-serif; padding: 0 3px; white-space: pre; color: var(--ink);
  text-shadow: 0 0 2px var(--land), 0 0 2px var(--land), 0 0 3px var(--land), 0 0 3px var(--land); }
.map-label.unit-label { color: var(--accent); }
.map-label.point-label { color: var(--card); background: var(--ink); border-radius: 8px; text-shadow: none; }
.over-target, .over-target .leaflet-grab { cursor: pointer; }
.grid-label { color: var(--soft); font: 11px system-ui, sans-serif; white-space: nowrap; }
.leaflet-container { font: inherit; }
.leaflet-popup-content-wrapper, .leaflet-popup-tip, .leaflet-tooltip { background: var(--card); color: var(--ink); }
.leaflet-popup-content { margin: 9px 26px 9px 12px; line-height: 1.4; overflow-wrap: anywhere; }
.leaflet-bar a, .leaflet-bar a:hover, .leaflet-bar a.leaflet-disabled { background: var(--card); color: var(--ink); border-color: var(--line); }
.leaflet-control-scale-line { background: var(--card); color: var(--ink); border-color: var(--soft); text-shadow: none; }
@media (max-width: 1000px) {
  header { padding: 10px 10px 8px; } .tabs { flex-wrap: nowrap; overflow-x: auto; } main { grid-template-columns: minmax(0, 1fr); padding: 0 10px; gap: 8px; }
  .mapside { top: 0; z-index: 5; background: var(--bg); padding-bottom: 4px; } #map { height: 42vh; min-height: 240px; }
  tbody tr, .leg { scroll-margin-top: calc(max(42vh, 240px) + 60px); }
  .cards { gap: 6px; } .card { flex: 1 1 28%; min-width: 84px; padding: 5px 9px; } .card b { font-size: 17px; }
}
`;

/** Files that are embedded in every page, as text. */
export interface PageFiles {
  /** Leaflet's own script and style. */
  readonly leaflet: { readonly js: string; readonly css: string };
  /** The page's script, bundled from `client/`. */
  readonly script: string;
  /** SHA-256 in base64. By these hashes the page's policy allows only its own scripts and styles. */
  readonly sha256: (text: string) => string;
}

/** The parts of one page. `period`, `panel` and `note` are markup; `data` reaches the script as JSON. */
export interface PageParts {
  /** The page's own words. `language`: the tag of their language. */
  readonly words: { readonly language: string; readonly map: string; readonly leaflet: string };
  readonly title: string;
  /** Name of the company, above the title; absent: not shown. */
  readonly company?: string | null;
  readonly style: string;
  /** Line below the title; markup. */
  readonly period: string;
  /** Below the period; markup. */
  readonly top?: string;
  /** Whether the counts are below the map and tables instead of above. */
  readonly hasCountsLast?: boolean;
  /** Name of the panel beside the map. */
  readonly panelName: string;
  readonly panel: string;
  /** Text in the footer; markup. */
  readonly note: string;
  readonly data: unknown;
  /** Further blocks of `data`, in order; absent: none. */
  readonly blocks?: readonly unknown[];
  /** A further block of data, parsed later; absent: none. */
  readonly tiles?: unknown;
  /** The only origin from which the page may load images; null: none. */
  readonly source?: string | null;
}

/**
 * The whole page. Its Content Security Policy forbids the network, except images from `source`, and all scripts and styles but its own.
 * Texts reach the script as JSON, which cannot contain markup.
 */
export function htmlPage({ words, ...parts }: PageParts, files: PageFiles): string {
  const styles = [withoutUrls(files.leaflet.css), `${PAGE_STYLE}${parts.style}`].map(asParsed);
  const scripts = [scriptText(files.leaflet.js), scriptText(files.script)].map(asParsed);
  const hashes = (texts: readonly string[]): string =>
    texts.map((text) => `'sha256-${files.sha256(text)}'`).join(' ');
  const source = parts.source ?? null;
  const policy = [
    "default-src 'none'",
    `style-src ${hashes(styles)}`,
    `script-src ${hashes(scripts)}`,
    `img-src data:${source === null ? '' : ` ${source}`}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const counts = '<div class="cards" id="cards"></div>';
  const title = escapeHtml(parts.title);
  const company = escapeHtml(parts.company ?? '');
  return `<!doctype html>
<html lang="${escapeHtml(words.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${company === '' ? title : `${company} · ${title}`}</title>
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<header>
${company === '' ? '' : `<div class="company">${company}</div>\n`}<h1>${title}</h1>
<div class="period" id="period">${parts.period}</div>
${parts.top ?? ''}${parts.hasCountsLast === true ? '' : counts}
</header>
<main>
<section class="mapside" aria-label="${words.map}">
<div id="map"></div>
</section>
<section class="panel" aria-label="${parts.panelName}">
${parts.panel}
</section>
</main>
<footer>
${parts.hasCountsLast === true ? counts : ''}
${parts.note}
${words.leaflet}
</footer>
<script type="application/json" id="data">${jsonBlock(parts.data)}</script>
${(parts.blocks ?? []).map((block) => `<script type="application/json" class="data">${jsonBlock(block)}</script>\n`).join('')}${parts.tiles === undefined ? '' : `<script type="application/json" id="tiles">${jsonBlock(parts.tiles)}</script>\n`}${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}

/** JSON that is safe within HTML: every `<` is escaped. */
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

/** Line ends as an HTML parser normalises them; the hashes depend on them. */
function asParsed(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The script without text that would end its element early, and without its source map. */
function scriptText(source: string): string {
  return source
    .replace(/<\/script/gi, '<\\/script')
    .replace(/<!--/g, '<\\!--')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '');
}

/** Leaflet's style without the addresses of icons, which this page does not use. */
function withoutUrls(css: string): string {
  return css.replace(/url\([^)]*\)/g, 'none').replace(/<\/style/gi, '<\\/style');
}
