/** Collects texts by name. Repeated names get a suffix, so that no text is lost. */

import { freeName } from './freeName.js';

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
