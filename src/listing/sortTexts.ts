/**
 * Sorts many texts by a collator, with few of its slow comparisons.
 *
 * The first sort is a radix sort by the ranks of single characters, which come from sorting the occurring characters with the collator. It misses
 * only rules of an alphabet for several characters at once. A second sort by the collator then finds the texts nearly sorted, and needs about one
 * comparison per text. The collator decides the final order, so the result is exact for any ranks.
 *
 * Buckets: P. M. McIlroy, K. Bostic, M. D. McIlroy, "Engineering radix sort", Computing Systems 6 (1), 1993.
 */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';

/** Indices that sort `texts` ascending. Stable. O(n log n), with one to two collator comparisons per text. */
export function sortTexts(texts: readonly string[], collator: Intl.Collator): number[] {
  const places = Array.from(new RankSort(texts, collator).places());
  return places.sort((a, b) => collator.compare(texts[a]!, texts[b]!) || a - b);
}

/** Length of a run up to which it is sorted by comparison. */
const FEW = 16;

interface Run {
  readonly from: number;
  readonly to: number;
  /** Number of leading characters with equal ranks. */
  readonly depth: number;
}

class RankSort {
  /** The ranks of the UTF-16 units of all texts, concatenated. Ranks start at 1; 0 stands for the end of a text. */
  readonly #ranks: Uint16Array;
  /** Index in `#ranks` of the first unit of each text. */
  readonly #starts: Uint32Array;
  readonly #most: number;
  readonly #places: Uint32Array;
  /** Scratch memory for the sorted indices of a run. */
  readonly #sorted: Uint32Array;
  /** Scratch memory for the end of each bucket of a run. */
  readonly #ends: Uint32Array;

  constructor(texts: readonly string[], collator: Intl.Collator) {
    const { ranks, starts, most } = ranksOf(texts, collator);
    this.#ranks = ranks;
    this.#starts = starts;
    this.#most = most;
    this.#places = Uint32Array.from({ length: texts.length }, (_, place) => place);
    this.#sorted = new Uint32Array(texts.length);
    this.#ends = new Uint32Array(most + 2);
  }

  /** Indices that sort the texts by rank. Stable. */
  places(): Uint32Array {
    const runs: Run[] = [{ from: 0, to: this.#places.length, depth: 0 }];
    for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
      const { from, to, depth } = run;
      // A partition takes time proportional to the number of ranks, so short runs are sorted by comparison.
      if (to - from > Math.max(FEW, this.#most >> 2)) this.#partition(run, runs);
      else if (to - from > 1) this.#places.subarray(from, to).sort((a, b) => this.#compare(a, b, depth));
    }
    return this.#places;
  }

  #compare(a: number, b: number, depth: number): number {
    let p = this.#starts[a]! + depth;
    let q = this.#starts[b]! + depth;
    const endA = this.#starts[a + 1]!;
    const endB = this.#starts[b + 1]!;
    while (p < endA && q < endB) {
      const difference = this.#ranks[p++]! - this.#ranks[q++]!;
      if (difference !== 0) return difference;
    }
    return endA - p - (endB - q) || a - b;
  }

  /** Sorts a run by its next character. Texts with the same character become a new run. */
  #partition({ from, to, depth }: Run, runs: Run[]): void {
    const ends = this.#ends.fill(0);
    const places = this.#places;
    for (let i = from; i < to; i++) ends[this.#rankAt(places[i]!, depth) + 1]!++;
    ends[0] = from;
    for (let rank = 0; rank <= this.#most; rank++) ends[rank + 1]! += ends[rank]!;
    // Texts that end here are equal, so they need no further sorting.
    for (let rank = 1; rank <= this.#most; rank++) {
      if (ends[rank + 1]! - ends[rank]! > 1) {
        runs.push({ from: ends[rank]!, to: ends[rank + 1]!, depth: depth + 1 });
      }
    }
    for (let i = from; i < to; i++) {
      const place = places[i]!;
      this.#sorted[ends[this.#rankAt(place, depth)]!++] = place;
    }
    places.set(this.#sorted.subarray(from, to), from);
  }

  #rankAt(place: number, depth: number): number {
    const at = this.#starts[place]! + depth;
    return at < this.#starts[place + 1]! ? this.#ranks[at]! : 0;
  }
}

/** Ranks of the characters of all texts. `most`: the greatest rank. */
function ranksOf(
  texts: readonly string[],
  collator: Intl.Collator,
): { ranks: Uint16Array; starts: Uint32Array; most: number } {
  const starts = new Uint32Array(texts.length + 1);
  for (let i = 0; i < texts.length; i++) starts[i + 1] = starts[i]! + texts[i]!.length;
  const ranks = new Uint16Array(starts[texts.length]!);
  const met = new Uint16Array(65_536);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    const start = starts[i]!;
    for (let k = 0; k < text.length; k++) {
      const unit = text.charCodeAt(k);
      ranks[start + k] = unit;
      met[unit] = 1;
    }
  }
  // Characters that differ only in case or accent share a rank: collators compare these last.
  const { locale } = collator.resolvedOptions();
  const base = new Intl.Collator(locale, { sensitivity: 'base' });
  const characters: string[] = [];
  met.forEach((is, unit) => {
    if (is === 1) characters.push(String.fromCharCode(unit));
  });
  characters.sort(base.compare);
  let rank = 0;
  characters.forEach((character, i) => {
    // Ranks that do not fit into 16 bits share the last one, which affects only the speed.
    if (i === 0 || base.compare(characters[i - 1]!, character) !== 0) rank = Math.min(rank + 1, 65_535);
    met[character.charCodeAt(0)] = rank;
  });
  for (let i = 0; i < ranks.length; i++) ranks[i] = met[ranks[i]!]!;
  return { ranks, starts, most: rank };
}

/** The language of the alphabetical order. */
export interface LanguageOptions {
  /** The language of the alphabetical order, a BCP 47 tag. Default `en`, which also sorts Cyrillic correctly. */
  readonly language?: string | undefined;
}

export const LANGUAGE_OPTIONS: OptionTable<LanguageOptions> = { language: OWN };

/**
 * The collator for the options. `table`: names of all options. Errors: `option-type` (`options`), `option-unknown`, `option-value`
 * (`options.language`), `input-unreadable`.
 */
export function collatorOf(
  options: LanguageOptions,
  table: Parameters<typeof checkOptions>[1],
): Intl.Collator {
  checkOptions(options, table);
  const language: unknown = guarded('options.language', () => options.language) ?? 'en';
  try {
    if (typeof language === 'string') return new Intl.Collator(language);
  } catch {
    // A text that is not a language tag is reported below, like a value that is not a text.
  }
  throw inputError('option-value', 'options.language', 'a BCP 47 language tag', language);
}
