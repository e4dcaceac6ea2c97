/** Reads the Style and StyleMap elements of a KML file. */

import { describe } from '../../core/errors.js';
import { type IssueList, LeftOut } from '../common/issueList.js';
import { attribute, type XmlElement } from '../xml/xmlFeed.js';
import { pathBelow } from './addFact.js';
import { emptyStyle, isStylePart, type KmlStyle, kmlColorOf, StyleTable } from './kmlStyle.js';

/** Part of a Style for the row of a zone in a viewer's list, which is not read. */
const NO_PARTS: ReadonlySet<string> = new Set(['ListStyle']);

/** Largest length of a style's texts with their paths, UTF-16 units. Every zone of the style gets a copy. */
const MAX_STYLE_LENGTH = 16_384;

/** Attributes without an effect on the look. */
const NO_LOOK = /^(?:id|targetId|xmlns.*)$/;

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
