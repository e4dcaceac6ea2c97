/**
 * The frame of every page that wayzone writes: one HTML file that opens offline. It loads nothing, except the images of one map on request.
 */

import { PAGE_STYLE } from './pageStyle.js';

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
