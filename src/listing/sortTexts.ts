/**
 * Many texts in the order of a collator, with few of its slow comparisons.
 *
 * A first sort goes by ranks of single characters (found by sorting the characters that occur with the collator), bucket by bucket. It is right
 * but for what an alphabet makes of several characters at once; a second sort by the collator itself then finds the order all but
 * done, and needs about one comparison a text. The collator alone decides, so the answer is exact whatever the ranks are.
 *
 * Buckets: P. M. McIlroy, K. Bostic, M. D. McIlroy, "Engineering radix sort", Computing Systems 6 (1), 1993.
 */

/** The places of the texts in ascending order; equal ones keep their order. O(n log n), one to two collator comparisons a text. */
export function sortTexts(texts: readonly string[], collator: Intl.Collator): number[] {
  const places = Array.from(new RankSort(texts, collator).places());
  return places.sort((a, b) => collator.compare(texts[a]!, texts[b]!) || a - b);
}

/** Runs of fewer texts are sorted by comparison. */
const FEW = 16;

interface Run {
  readonly from: number;
  readonly to: number;
  /** So many first characters are of equal rank. */
  readonly depth: number;
}

class RankSort {
  /** The rank of every UTF-16 unit of every text, from 1, one text after another; 0 is the end of a text. */
  readonly #ranks: Uint16Array;
  /** Where each text starts. */
  readonly #starts: Uint32Array;
  readonly #most: number;
  readonly #places: Uint32Array;
  /** The places of a run by bucket, before they go back. */
  readonly #sorted: Uint32Array;
  /** The end of each bucket of a run. */
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

  /** The places of the texts by rank; equal ones keep their order. */
  places(): Uint32Array {
    const runs: Run[] = [{ from: 0, to: this.#places.length, depth: 0 }];
    for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
      const { from, to, depth } = run;
      // Counting costs as much as there are ranks: not worth it for a run that is shorter.
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

  /** Sorts a run by its next character; texts that are equal in it become a new run. */
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

/** `most` is the greatest rank. */
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
  // Characters that differ in case or accent alone share a rank, since they matter only where all else is equal.
  const { locale } = collator.resolvedOptions();
  const base = new Intl.Collator(locale, { sensitivity: 'base' });
  const characters: string[] = [];
  met.forEach((is, unit) => {
    if (is === 1) characters.push(String.fromCharCode(unit));
  });
  characters.sort(base.compare);
  let rank = 0;
  characters.forEach((character, i) => {
    // Ranks beyond the last that fits are one: only speed hangs on them.
    if (i === 0 || base.compare(characters[i - 1]!, character) !== 0) rank = Math.min(rank + 1, 65_535);
    met[character.charCodeAt(0)] = rank;
  });
  for (let i = 0; i < ranks.length; i++) ranks[i] = met[ranks[i]!]!;
  return { ranks, starts, most: rank };
}
