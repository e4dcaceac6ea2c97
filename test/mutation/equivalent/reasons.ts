/**
 * Mutants that survive because they change no result; each was read. An entry covers the surviving mutants of a source line: all of them,
 * or those whose replacement matches `only`. A mutant that a test finds counts as found even if it is listed here.
 */

export interface Equivalent {
  readonly file: string;
  /** The source line or its beginning. */
  readonly line: string;
  readonly only?: RegExp;
  /** Only comparisons that differ from the source where both sides are equal, as `<` for `<=`. */
  readonly isTie?: boolean;
}

/** Equivalent mutants by the reason why they change no result. */
export type Reasons = Readonly<Record<string, readonly Equivalent[]>>;

/** Lines of `src/<file>.ts`. A line with a pattern covers only the replacements that match it. */
export function at(file: string, ...lines: (string | readonly [string, RegExp])[]): Equivalent[] {
  return lines.map((line) =>
    typeof line === 'string'
      ? { file: `src/${file}.ts`, line }
      : { file: `src/${file}.ts`, line: line[0], only: line[1] },
  );
}

/** Comparisons in lines of `src/<file>.ts` in which it does not matter what holds where both sides are equal. */
export function ties(file: string, ...lines: string[]): Equivalent[] {
  return at(file, ...lines).map((one) => ({ ...one, isTie: true }));
}

/** Whether a replacement differs from the source only where both sides of a comparison are equal. */
export function isTie(source: string, replacement: string): boolean {
  const loose = (text: string): string => text.replaceAll(/\s/g, '').replaceAll(/(?<!=)([<>])=/g, '$1');
  return source !== replacement && loose(source) === loose(replacement);
}
