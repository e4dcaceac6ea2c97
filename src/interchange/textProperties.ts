/** Texts by name that a file says of something, none lost when a name repeats. */

export class TextProperties {
  readonly #texts = new Map<string, string>();

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }

  set(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** A second text of the same name is kept under a name of its own: `~2`, `~3`… */
  add(name: string, text: string): void {
    let key = name;
    for (let n = 2; this.#texts.has(key); n++) key = `${name}~${n}`;
    this.#texts.set(key, text);
  }

  /** The text of the name, which is then no longer there; else empty. */
  take(name: string): string {
    const text = this.#texts.get(name) ?? '';
    this.#texts.delete(name);
    return text;
  }

  entries(): Iterable<[string, string]> {
    return this.#texts.entries();
  }

  /** As a field of what holds them; none when there is no text. */
  asField(): { readonly properties?: Readonly<Record<string, string>> } {
    return this.#texts.size === 0 ? {} : { properties: Object.fromEntries(this.#texts) };
  }
}
