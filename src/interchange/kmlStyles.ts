/** Styles of a KML file, as far as they say a zone's colour. */

export type StylePart = 'LineStyle' | 'PolyStyle' | 'IconStyle';

const KML_COLOR = /^[0-9a-fA-F]{8}$/;
const PARTS: readonly StylePart[] = ['LineStyle', 'PolyStyle', 'IconStyle'];

export function isStylePart(name: string | undefined): name is StylePart {
  return PARTS.includes(name as StylePart);
}

/** `aabbggrr` as `#RRGGBB`; null when it is no colour. */
export function colorFromKml(text: string): string | null {
  const hex = text.trim().replace(/^#/, '');
  if (!KML_COLOR.test(hex)) return null;
  return `#${hex.slice(6)}${hex.slice(4, 6)}${hex.slice(2, 4)}`.toUpperCase();
}

/** `#rrggbb` as `aabbggrr` with this opacity; null when it is no colour. */
export function colorToKml(color: string, alpha: string): string | null {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) return null;
  const hex = color.toLowerCase();
  return `${alpha}${hex.slice(5)}${hex.slice(3, 5)}${hex.slice(1, 3)}`;
}

/** A style's colour: the line's, else the fill's, else the icon's. */
export type StyleColors = Map<StylePart, string>;

export function mainColor(colors: StyleColors): string | null {
  for (const part of PARTS) {
    const color = colors.get(part);
    if (color !== undefined) return color;
  }
  return null;
}

/** Shared styles by id; a style may stand after its use, and a StyleMap's normal pair may point to another. */
export class StyleTable {
  readonly #colors = new Map<string, string>();
  readonly #maps = new Map<string, string>();

  addStyle(id: string, colors: StyleColors): void {
    const color = mainColor(colors);
    if (color !== null) this.#colors.set(id, color);
  }

  addMap(id: string, normalUrl: string): void {
    this.#maps.set(id, normalUrl);
  }

  /** The colour behind a `styleUrl` within this document; other documents are never fetched. */
  colorOf(url: string): string | null {
    const seen = new Set<string>();
    let id = idOf(url);
    while (id !== null && !seen.has(id)) {
      const color = this.#colors.get(id);
      if (color !== undefined) return color;
      seen.add(id);
      id = idOf(this.#maps.get(id) ?? '');
    }
    return null;
  }
}

/** Google Earth also writes a bare name without the mark. */
function idOf(url: string): string | null {
  const text = url.trim();
  if (text === '') return null;
  return text.startsWith('#') ? text.slice(1) : text;
}
