/** Collects texts by name: fields of KML elements by their paths, and repeated names with a suffix, so that no text is lost. */

import { attribute, type XmlElement } from '../xml/xmlFeed.js';

/** Fields of a geometry other than positions. `tessellate` is left out: it only controls how a viewer draws edges. */
const GEOMETRY_FACTS: ReadonlySet<string> = new Set(['altitudeMode', 'extrude', 'drawOrder', 'interpolate']);

export class TextProperties {
  readonly #texts = new Map<string, string>();
  /** Next suffix to try, by repeated name, so that an object with one name for all takes linear time. */
  readonly #repeats = new Map<string, number>();

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }

  set(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** Adds a text. A second text of the same name gets the suffix `~2`, `~3`… */
  add(name: string, text: string): void {
    let key = name;
    if (this.#texts.has(name)) {
      let n = this.#repeats.get(name) ?? 2;
      do key = `${name}~${n++}`;
      while (this.#texts.has(key));
      this.#repeats.set(name, n);
    }
    this.#texts.set(key, text);
  }

  /** Removes the text of a name and returns it. Returns an empty text for an unknown name. */
  take(name: string): string {
    const text = this.#texts.get(name) ?? '';
    this.#texts.delete(name);
    return text;
  }

  entries(): Iterable<[string, string]> {
    return this.#texts.entries();
  }

  /** The texts as a `properties` field; without texts, no field. */
  asField(): { readonly properties?: Readonly<Record<string, string>> } {
    return this.#texts.size === 0 ? {} : { properties: Object.fromEntries(this.#texts) };
  }

  /** A copy of the row with the texts added to its `properties`. A name that the row already has gets the suffix `~2`, `~3`… */
  addedTo<Row extends object>(row: Row): Row {
    if (this.#texts.size === 0) return row;
    const known: unknown = (row as { readonly properties?: unknown }).properties;
    const all = new Map<string, unknown>(
      typeof known === 'object' && known !== null ? Object.entries(known) : [],
    );
    for (const [name, text] of this.#texts) all.set(freeName(name, all), text);
    return { ...row, properties: Object.fromEntries(all) };
  }
}

/** The name if it is not taken, else the name with the first free suffix of `~2`, `~3`… */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}~${n}`;
  return free;
}

/** Elements with positions (OGC 07-147r2 §10; gx:Track, gx:MultiTrack). */
export const GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'Track',
  'MultiTrack',
  'Model',
]);
/** Default texts of elements, which are left out. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['altitudeMode', 'clampToGround'],
  ['extrude', '0'],
  ['interpolate', '0'],
  ['visibility', '1'],
]);
/** Children that are not collected here: those read elsewhere, and the state of a viewer's list (`open`). */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  'name',
  'styleUrl',
  'Style',
  'StyleMap',
  'Schema',
  'open',
  'tessellate',
  'coordinates',
  'when',
  'coord',
  'angles',
]);

/** Adds the text of `element`, a descendant of `holder`. The caller reads `Data` and `SimpleData`. */
export function addFact(facts: TextProperties, holder: XmlElement, element: XmlElement): void {
  const { name } = element;
  const isLink = name === 'link' && element.parent === holder;
  const text = (isLink ? attribute(element, 'href') : undefined) ?? element.text.trim();
  if (text === '') return;
  const path = pathBelow(holder, element);
  const [top] = path;
  if (top === undefined || READ_ELSEWHERE.has(top)) return;
  if (GEOMETRIES.has(top)) {
    if (!GEOMETRY_FACTS.has(name) || path.includes('Model')) return;
    // Several geometries of a Placemark may repeat the same text.
    if (text !== DEFAULTS.get(name) && facts.get(name) !== text) facts.add(name, text);
  } else if (top === 'ExtendedData') {
    if (!path.includes('Data') && !path.includes('SchemaData')) facts.add(name, text);
    else if (name === 'displayName') {
      facts.add(`${attribute(element.parent ?? element, 'name') ?? 'Data'}.displayName`, text);
    }
  } else if (top === 'TimeStamp' || top === 'TimeSpan') facts.add(name, text);
  else if (path.length > 1 || text !== DEFAULTS.get(name)) facts.add(path.join('.'), text);
}

/** Names of the elements from the child of `holder` down to `element`. Empty if `element` is not in `holder`. */
export function pathBelow(holder: XmlElement, element: XmlElement): string[] {
  const names: string[] = [];
  let at: XmlElement | null = element;
  for (; at !== null && at !== holder; at = at.parent) names.push(at.name);
  return at === null ? [] : names.reverse();
}
