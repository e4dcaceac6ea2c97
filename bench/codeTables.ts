/** Writes the tables of docs/errors.md from the list of codes in src/core/errorCode.ts. */

/** How a code reaches the caller, by the type that lists it. */
const KINDS = {
  ErrorCode: 'error',
  FieldReason: 'field',
  IssueCode: 'issue',
  RejectReason: 'count',
} as const;

type ListName = keyof typeof KINDS;

export interface CodeEntry {
  readonly code: string;
  /** Heading of the group, from the comment above its first code. */
  readonly group: string;
  readonly kind: (typeof KINDS)[ListName];
  readonly when: string;
  readonly what: string;
}

/** All codes of the four lists, in order. Throws if a code has no group or no comment of the form `when | what to do`. */
export function codeEntries(source: string): CodeEntry[] {
  const entries: CodeEntry[] = [];
  for (const [, list, body] of source.matchAll(/^export type (\w+) =\n([\s\S]*?);$/gm)) {
    let group: string | undefined;
    let comment: string | undefined;
    for (const line of body!.split('\n')) {
      const code = /^ {2}\| '([a-z-]+)'$/.exec(line)?.[1];
      if (code === undefined) {
        group = /^ {2}\/\/ (?!oxlint)(.+)$/.exec(line)?.[1] ?? group;
        comment = /^ {2}\/\*\* (.+) \*\/$/.exec(line)?.[1];
        continue;
      }
      const [when = '', what = '', more] = comment?.split(' | ') ?? [];
      if (group === undefined || what === '' || more !== undefined) {
        throw new Error(`expected a group and a comment "when | what to do" above ${code} in ${list}`);
      }
      entries.push({ code, group, kind: KINDS[list as ListName], when, what });
      comment = undefined;
    }
  }
  return entries;
}

/** One table per group, in the order of first occurrence. */
export function codeTables(source: string): string {
  const rows = new Map<string, string>();
  for (const { code, group, kind, when, what } of codeEntries(source)) {
    rows.set(group, `${rows.get(group) ?? ''}| \`${code}\` | ${kind} | ${when} | ${what} |\n`);
  }
  return [...rows]
    .map(([group, lines]) => `## ${group}\n\n| Code | As | When | What to do |\n|---|---|---|---|\n${lines}`)
    .join('\n');
}
