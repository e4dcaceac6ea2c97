/** The known name that a misspelt one most likely means. */

/** Names with at most this many edits between them, or a third of their letters, are near. */
const MAX_EDITS = 2;
/** Longer texts than this are not compared. */
const MAX_LENGTH = 100;
/** Fewer letters of the beginning of a name say nothing. */
const LEAST_PREFIX = 3;

/**
 * The name of `names` with the fewest edits from `name` (a letter inserted, removed, replaced, or two neighbours exchanged; upper case
 * counts only between equals). Of names far from it, the first that begins with it, with which it begins, or that ends alike. Null: none.
 */
export function nearestName(name: string, names: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  const lower = name.toLowerCase();
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const known of names) {
    const edits = editsBetween(lower, known.toLowerCase()) + editsBetween(name, known) / 1000;
    if (edits < least) [best, least] = [known, edits];
  }
  if (
    best !== null &&
    least < best.length &&
    Math.floor(least) <= Math.max(MAX_EDITS, Math.floor(best.length / 3))
  )
    return best;
  return names.find((known) => isPart(lower, known.toLowerCase())) ?? null;
}

function isPart(name: string, known: string): boolean {
  const [short, long] = name.length < known.length ? [name, known] : [known, name];
  return short.length >= LEAST_PREFIX && (long.startsWith(short) || long.endsWith(short));
}

/** Optimal string alignment distance. */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
