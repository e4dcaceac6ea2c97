/** Counts the names of fields that a reader leaves out, for one warning. */

/** Largest number of names in the message. Further names are counted as `others`. */
const MAX_NAMES = 20;

export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const key = this.#counts.has(name) || this.#counts.size < MAX_NAMES ? name : 'others';
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The text `a (2), b (1)`; null if nothing was left out. */
  toText(): string | null {
    if (this.#counts.size === 0) return null;
    return [...this.#counts].map(([name, count]) => `${name} (${count})`).join(', ');
  }
}
