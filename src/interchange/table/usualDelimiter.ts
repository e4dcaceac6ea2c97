/** Delimiters of tables that are found without being named. */

/**
 * Delimiters of one ASCII character each: not a quote, a line end, or part of a number or time. Of equally frequent ones the first counts.
 */
export const DELIMITERS: readonly [string, ...string[]] = [',', ';', '\t', '|'];

/** The most frequent delimiter of a header. */
export function usualDelimiter(header: string): string {
  let [best] = DELIMITERS;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = header.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}
