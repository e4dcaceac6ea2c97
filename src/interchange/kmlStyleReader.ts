/** The Style and StyleMap elements of a KML file while it is read. */

import { describe } from '../core/errors.js';
import type { IssueList } from './issueList.js';
import { colorFromKml, isStylePart, type StyleColors, StyleTable } from './kmlStyles.js';
import { attribute, type XmlElement } from './readXml.js';

export class KmlStyleReader {
  readonly #issues: IssueList;
  readonly #table = new StyleTable();
  #style: { readonly element: XmlElement; readonly colors: StyleColors } | null = null;
  #pairKey = '';

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  /** The colour behind a `styleUrl`, once the whole file is read. */
  colorOf(url: string): string | null {
    return this.#table.colorOf(url);
  }

  open(element: XmlElement): void {
    if (element.name === 'Style') this.#style = { element, colors: new Map() };
  }

  /** Gives the colours of a whole Style. */
  close(element: XmlElement): StyleColors | null {
    const { name, parent } = element;
    if (name === 'color' && isStylePart(parent?.name)) {
      const color = colorFromKml(element.text);
      if (color !== null) this.#style?.colors.set(parent.name, color);
      else {
        const message = `expected aabbggrr, received ${describe(element.text)}`;
        this.#issues.warning('kml-color', 'color', message, element.line);
      }
    } else if (name === 'Style' && this.#style?.element === element) {
      const { colors } = this.#style;
      this.#style = null;
      // A pair of a StyleMap may hold its Style itself.
      const id =
        attribute(element, 'id') ?? (this.#isNormal(parent) ? attribute(parent!.parent!, 'id') : undefined);
      if (id !== undefined) this.#table.addStyle(id, colors);
      return colors;
    } else if (name === 'key' && parent?.name === 'Pair') this.#pairKey = element.text.trim();
    else if (name === 'styleUrl' && this.#isNormal(parent)) {
      const id = attribute(parent!.parent!, 'id');
      if (id !== undefined) this.#table.addMap(id, element.text);
    }
    return null;
  }

  #isNormal(pair: XmlElement | null): boolean {
    return pair?.name === 'Pair' && pair.parent !== null && this.#pairKey === 'normal';
  }
}
