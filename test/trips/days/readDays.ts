/** Reads the days of the `.md` files: headings, stories, and fenced blocks. README.md has the language. */

import { readdirSync, readFileSync } from 'node:fs';

export interface Block {
  readonly kind: 'plan' | 'script' | 'verdict';
  /** What follows the word: `at 09:00`. */
  readonly at: string | null;
  readonly lines: readonly string[];
}
export interface DayText {
  readonly file: string;
  readonly name: string;
  readonly story: string;
  readonly plan: readonly string[];
  readonly script: readonly string[];
  readonly verdicts: readonly Block[];
}

const FOLDER = new URL('.', import.meta.url);

export function readDays(): DayText[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return files.sort().flatMap((file) => daysOf(file, readFileSync(new URL(file, FOLDER), 'utf8')));
}

/** The lines of README.md's map. */
export function readMap(): string[] {
  const text = readFileSync(new URL('README.md', FOLDER), 'utf8');
  return /```map\n([^`]+)```/.exec(text)![1]!.trim().split('\n');
}

function daysOf(file: string, text: string): DayText[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const name = section.slice(0, section.indexOf('\n')).trim();
      const blocks = [...section.matchAll(/^```(\w+)(?: at (\S+))?\n([^`]*)```/gm)].map(
        ([, kind, at, body]): Block => ({
          kind: kind as Block['kind'],
          at: at ?? null,
          lines: body!
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        }),
      );
      const only = (kind: Block['kind']): readonly string[] => {
        const found = blocks.filter((block) => block.kind === kind);
        if (found.length !== 1) throw new Error(`${file}: "${name}" needs one ${kind}, has ${found.length}`);
        return found[0]!.lines;
      };
      const verdicts = blocks.filter(({ kind }) => kind === 'verdict');
      if (verdicts.length === 0) throw new Error(`${file}: "${name}" has no verdict`);
      const story = section.slice(section.indexOf('\n'), section.indexOf('```')).trim();
      return { file, name, story, plan: only('plan'), script: only('script'), verdicts };
    });
}
