/** Styles of a KML file: colours, and other fields as text. */

export type StylePart = 'LineStyle' | 'PolyStyle' | 'IconStyle';

const KML_COLOR = /^[0-9a-fA-F]{8}$/;
const STYLE_PARTS: readonly StylePart[] = ['LineStyle', 'PolyStyle', 'IconStyle'];

export function isStylePart(name: string | undefined): name is StylePart {
  return STYLE_PARTS.includes(name as StylePart);
}

/** The colour `aabbggrr` in lower case. Null if the text is not a colour. */
export function kmlColorOf(text: string): string | null {
  const hex = text.trim().replace(/^#/, '');
  return KML_COLOR.test(hex) ? hex.toLowerCase() : null;
}

/** Converts `aabbggrr` to `#RRGGBB`. */
function colorFromKml(hex: string): string {
  return `#${hex.slice(6)}${hex.slice(4, 6)}${hex.slice(2, 4)}`.toUpperCase();
}

/** Converts `#rrggbb` to `aabbggrr` with the opacity `alpha`. Null if the text is not a colour. */
export function colorToKml(color: string, alpha: string): string | null {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) return null;
  const hex = color.toLowerCase();
  return `${alpha}${hex.slice(5)}${hex.slice(3, 5)}${hex.slice(1, 3)}`;
}

/** A Style element: colours as `aabbggrr`, and other texts by path (`LineStyle.width`, `IconStyle.Icon.href`). */
export interface KmlStyle {
  readonly colors: Map<StylePart, string>;
  readonly texts: Map<string, string>;
}

export function emptyStyle(): KmlStyle {
  return { colors: new Map(), texts: new Map() };
}

/** The colour of a style: of the line, else of the fill, else of the icon. */
export function mainColor({ colors }: KmlStyle): string | null {
  for (const part of STYLE_PARTS) {
    const color = colors.get(part);
    if (color !== undefined) return colorFromKml(color);
  }
  return null;
}

/** Fields of the styles as texts by path, without the opaque `color` itself in lines and icons. A later style overrides an earlier one. */
export function styleFacts(color: string | null, ...styles: readonly KmlStyle[]): [string, string][] {
  const texts = new Map<string, string>();
  const plain = color === null ? null : colorToKml(color, 'ff');
  for (const style of styles) {
    for (const [part, hex] of style.colors) texts.set(`${part}.color`, hex);
    for (const [path, text] of style.texts) texts.set(path, text);
  }
  return [...texts].filter(([path, text]) => !(MAIN_COLORS.has(path) && text === plain));
}

/** Paths of colours that the zone's colour replaces. A fill may differ in opacity, so it is not among them. */
const MAIN_COLORS: ReadonlySet<string> = new Set(['LineStyle.color', 'IconStyle.color']);

/** Shared styles by id. A style may come after its use in the file, and a StyleMap's normal pair may refer to another StyleMap. */
export class StyleTable {
  readonly #styles = new Map<string, KmlStyle>();
  readonly #maps = new Map<string, string>();
  /** Cache of the style at the end of each followed chain, by id, so that a chain shared by many Placemarks is followed once. */
  readonly #found = new Map<string, KmlStyle | null>();
  /** Number of links followed. */
  steps = 0;

  addStyle(id: string, style: KmlStyle): void {
    this.#styles.set(id, style);
  }

  addMap(id: string, normalUrl: string): void {
    this.#maps.set(id, normalUrl);
  }

  /** The style of a `styleUrl` within this document. Call it after the whole file is read. Other documents are never fetched. */
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
    // Prefer the first style of the chain that has a colour, else the first style.
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

/** The id in a `styleUrl`, which Google Earth also writes without `#`. */
function idOf(url: string): string | null {
  const text = url.trim();
  if (text === '') return null;
  return text.startsWith('#') ? text.slice(1) : text;
}
