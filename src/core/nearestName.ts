/** Finds the known name that a misspelt one most likely means. */

/** Largest number of edits between near names; a third of their letters is allowed too. */
const MAX_EDITS = 2;
/** Length above which texts are not compared. */
const MAX_LENGTH = 100;
/** Least number of letters of a beginning that identifies a name. */
const LEAST_PREFIX = 3;

/**
 * The name of `names` with the fewest edits from `name` (a letter inserted, removed, replaced, or two neighbours exchanged; upper case
 * counts only between equals). If none is near: the first name that begins with `name`, is a beginning of it, or has the same end. Null if
 * there is none.
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
