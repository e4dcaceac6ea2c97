/** Counts the names of fields that a reader leaves out, for one warning. */

/** Most names in the message; a file may have any number. */
const SAID_NAMES = 20;

export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const said = this.#counts.has(name) || this.#counts.size < SAID_NAMES ? name : 'others';
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  /** `a (2), b (1)`; null when nothing was left out. */
  toText(): string | null {
    if (this.#counts.size === 0) return null;
    return [...this.#counts].map(([name, count]) => `${name} (${count})`).join(', ');
  }
}
