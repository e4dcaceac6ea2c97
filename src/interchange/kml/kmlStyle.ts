/** Styles of a KML file: a zone's colour, and all else that they say as text. */

export type StylePart = 'LineStyle' | 'PolyStyle' | 'IconStyle';

const KML_COLOR = /^[0-9a-fA-F]{8}$/;
const PARTS: readonly StylePart[] = ['LineStyle', 'PolyStyle', 'IconStyle'];

export function isStylePart(name: string | undefined): name is StylePart {
  return PARTS.includes(name as StylePart);
}

/** `aabbggrr` in lower case; null when the text is no colour. */
export function kmlColorOf(text: string): string | null {
  const hex = text.trim().replace(/^#/, '');
  return KML_COLOR.test(hex) ? hex.toLowerCase() : null;
}

/** `aabbggrr` as `#RRGGBB`. */
function colorFromKml(hex: string): string {
  return `#${hex.slice(6)}${hex.slice(4, 6)}${hex.slice(2, 4)}`.toUpperCase();
}

/** `#rrggbb` as `aabbggrr` with this opacity; null when it is no colour. */
export function colorToKml(color: string, alpha: string): string | null {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) return null;
  const hex = color.toLowerCase();
  return `${alpha}${hex.slice(5)}${hex.slice(3, 5)}${hex.slice(1, 3)}`;
}

/** One Style element: its colours as `aabbggrr`, and its other texts by path (`LineStyle.width`, `IconStyle.Icon.href`). */
export interface KmlStyle {
  readonly colors: Map<StylePart, string>;
  readonly texts: Map<string, string>;
}

export function emptyStyle(): KmlStyle {
  return { colors: new Map(), texts: new Map() };
}

/** A style's colour: the line's, else the fill's, else the icon's. */
export function mainColor({ colors }: KmlStyle): string | null {
  for (const part of PARTS) {
    const color = colors.get(part);
    if (color !== undefined) return colorFromKml(color);
  }
  return null;
}

/** All that styles say but `color` itself at full opacity; of two styles the later goes before the earlier. */
export function styleFacts(color: string | null, ...styles: readonly KmlStyle[]): [string, string][] {
  const texts = new Map<string, string>();
  const plain = color === null ? null : colorToKml(color, 'ff');
  for (const style of styles) {
    for (const [part, hex] of style.colors) texts.set(`${part}.color`, hex);
    for (const [path, text] of style.texts) texts.set(path, text);
  }
  return [...texts].filter(([path, text]) => !(path.endsWith('.color') && text === plain));
}

/** Shared styles by id; a style may stand after its use, and a StyleMap's normal pair may point to another. */
export class StyleTable {
  readonly #styles = new Map<string, KmlStyle>();
  readonly #maps = new Map<string, string>();
  /** What each id of a chain leads to, once one was followed: however many Placemarks share it, a chain is walked once. */
  readonly #found = new Map<string, KmlStyle | null>();
  /** How many links were followed. */
  steps = 0;

  addStyle(id: string, style: KmlStyle): void {
    this.#styles.set(id, style);
  }

  addMap(id: string, normalUrl: string): void {
    this.#maps.set(id, normalUrl);
  }

  /** The style behind a `styleUrl` within this document, once all are known; other documents are never fetched. */
  styleOf(url: string): KmlStyle | null {
    const chain: string[] = [];
    const seen = new Set<string>();
    let id = idOf(url);
    while (id !== null && !seen.has(id) && !this.#found.has(id)) {
      this.steps++;
      seen.add(id);
      chain.push(id);
      const own = this.#styles.get(id);
      if (own !== undefined && mainColor(own) !== null) break;
      id = idOf(this.#maps.get(id) ?? '');
    }
    let found = id === null ? null : (this.#found.get(id) ?? null);
    // The first with a colour, else the first.
    for (const link of chain.reverse()) {
      const own = this.#styles.get(link);
      if (own !== undefined && (mainColor(own) !== null || found === null || mainColor(found) === null)) {
        found = own;
      }
      this.#found.set(link, found);
    }
    return found;
  }
}

/** Google Earth also writes a bare name without the mark. */
function idOf(url: string): string | null {
  const text = url.trim();
  if (text === '') return null;
  return text.startsWith('#') ? text.slice(1) : text;
}
