/** The delimiters of tables that are found without being named. */

/** One ASCII character each: no quote, no line end, and none that a number or a time contains. Of equally frequent ones the first counts. */
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
