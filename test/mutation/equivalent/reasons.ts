/**
 * Mutants that survive because they change no result; each was read. An entry covers the surviving mutants of a source line: all of them,
 * or those whose replacement matches `only`. A mutant that a test finds counts as found even if it is listed here.
 */

export interface Equivalent {
  readonly file: string;
  /** The source line or its beginning. */
  readonly line: string;
  readonly only?: RegExp;
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
