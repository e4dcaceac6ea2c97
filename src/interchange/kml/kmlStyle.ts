/** Styles of a KML file: colours, other fields as text, and the reader of Style and StyleMap elements. */

import { describe } from '../../core/errors.js';
import { type IssueList, LeftOut } from '../common/issueList.js';
import { pathBelow } from '../common/textProperties.js';
import { attribute, type XmlElement } from '../xml/xmlFeed.js';

/** Part of a Style for the row of a zone in a viewer's list, which is not read. */
const NO_PARTS: ReadonlySet<string> = new Set(['ListStyle']);
/** Largest length of a style's texts with their paths, UTF-16 units. Every zone of the style gets a copy. */
const MAX_STYLE_LENGTH = 16_384;
/** Attributes without an effect on the look. */
const NO_LOOK = /^(?:id|targetId|xmlns.*)$/;

type StylePart = 'LineStyle' | 'PolyStyle' | 'IconStyle';

const KML_COLOR = /^[0-9a-fA-F]{8}$/;
const STYLE_PARTS: readonly StylePart[] = ['LineStyle', 'PolyStyle', 'IconStyle'];

function isStylePart(name: string | undefined): name is StylePart {
  return STYLE_PARTS.includes(name as StylePart);
}

/** The colour `aabbggrr` in lower case. Null if the text is not a colour. */
function kmlColorOf(text: string): string | null {
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

export class KmlStyleReader {
  readonly #issues: IssueList;
  readonly #table = new StyleTable();
  #style: { readonly element: XmlElement; readonly style: KmlStyle; length: number } | null = null;
  #pairKey = '';
  /** Fields of styles that are not read. */
  readonly #leftOut = new LeftOut();
  /** Name of the linked document being read, which has its own ids of styles; empty for the main document. */
  scope = '';

  /** Begins or leaves a linked document. A Style that its document does not end is left out. */
  enter(scope: string): void {
    this.scope = scope;
    this.#style = null;
  }

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  /** The `styleUrl` of an element in the current document, in the form for `styleOf`. */
  scoped(url: string): string {
    return this.scope === '' || url === '' ? url : `${this.scope} ${url.replace(/^#/, '')}`;
  }

  /** The style of a scoped `styleUrl`. Call it after the whole file is read. */
  styleOf(url: string): KmlStyle | null {
    return this.#table.styleOf(url);
  }

  open(element: XmlElement): void {
    if (element.name === 'Style') this.#style = { element, style: emptyStyle(), length: 0 };
  }

  /** The Style that ends with this element. Null for other elements, and for a Style that is not the normal one of its StyleMap. */
  close(element: XmlElement): KmlStyle | null {
    const { name, parent } = element;
    if (this.#style !== null && element !== this.#style.element) this.#addFact(element);
    else if (name === 'Style' && this.#style !== null) {
      const { style } = this.#style;
      this.#style = null;
      // A pair of a StyleMap may contain its Style inline.
      const id =
        attribute(element, 'id') ?? (this.isNormal(parent) ? attribute(parent!.parent!, 'id') : undefined);
      if (id !== undefined) this.#table.addStyle(this.scoped(id), style);
      return parent?.name !== 'Pair' || this.isNormal(parent) ? style : null;
    } else if (name === 'key' && parent?.name === 'Pair') {
      this.#pairKey = element.text.trim();
      if (this.#pairKey !== 'normal') this.#leftOut.add(`StyleMap.${this.#pairKey.slice(0, 20)}`);
    } else if (name === 'styleUrl' && this.isNormal(parent)) {
      const id = attribute(parent!.parent!, 'id');
      if (id !== undefined) this.#table.addMap(this.scoped(id), this.scoped(element.text.trim()));
    }
    return null;
  }

  finish(): void {
    const leftOut = this.#leftOut.toText();
    if (leftOut === null) return;
    this.#issues.warning(
      'kml-data',
      'Style',
      `expected style fields that apply to zones, received also ${leftOut}; left out`,
    );
  }

  #addFact(element: XmlElement): void {
    const { colors } = this.#style!.style;
    const { name, parent } = element;
    if (name === 'color' && isStylePart(parent?.name)) {
      const color = kmlColorOf(element.text);
      if (color !== null) colors.set(parent.name, color);
      else {
        const message = `expected aabbggrr, received ${describe(element.text)}`;
        this.#issues.warning('kml-color', 'color', message, element.line);
      }
      return;
    }
    const text = element.text.trim();
    if (text !== '') this.#addText(element, '', text);
    for (const key of Object.keys(element.attributes)) {
      if (!NO_LOOK.test(key)) this.#addText(element, `.${key}`, attribute(element, key) ?? '');
    }
  }

  #addText(element: XmlElement, ending: string, text: string): void {
    const current = this.#style!;
    const names = pathBelow(current.element, element);
    const path = names.join('.') + ending;
    current.length += path.length + text.length;
    if (NO_PARTS.has(names[0] ?? '') || current.length > MAX_STYLE_LENGTH)
      this.#leftOut.add(path.slice(0, 60));
    else current.style.texts.set(path, text);
  }

  /** Whether a pair is the normal one of a StyleMap, not the highlight pair. */
  isNormal(pair: XmlElement | null): boolean {
    return pair?.name === 'Pair' && pair.parent !== null && this.#pairKey === 'normal';
  }
}
