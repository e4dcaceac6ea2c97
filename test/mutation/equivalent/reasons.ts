/**
 * Mutants that survive because they change no answer, read one by one. A line of source stands for those of its mutants that survive
 * (all, or those whose replacement fits `only`); one that a test finds counts as found, whatever stands here.
 */

export interface Equivalent {
  readonly file: string;
  /** The line, or what it begins with. */
  readonly line: string;
  readonly only?: RegExp;
}

/** By the reason why they change no answer. */
export type Reasons = Readonly<Record<string, readonly Equivalent[]>>;

/** Lines of `src/<file>.ts`, each with the replacements that it stands for, if not for all. */
export function at(file: string, ...lines: (string | readonly [string, RegExp])[]): Equivalent[] {
  return lines.map((line) =>
    typeof line === 'string'
      ? { file: `src/${file}.ts`, line }
      : { file: `src/${file}.ts`, line: line[0], only: line[1] },
  );
}
