import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { CUSTOM_FIELDS } from '../../src/schemas/customFields.js';
import { COLOR_PATTERN, DATE_PATTERN, TIME_PATTERN, UUID_PATTERN } from '../../src/schemas/wireSchema.js';
import { StepCounter } from './regexSteps.js';

/**
 * Every regular expression in src/ takes linear time. None refers to a group, since V8's engine for regular languages accepts it, and the
 * steps of a backtracking engine over attack texts grow no faster than the texts.
 */

const SRC = resolve(import.meta.dirname, '../../src');

interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Regular expression literals, and the arguments of `RegExp` calls. */
const found: Found[] = [];
const built: string[] = [];
for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  const text = readFileSync(join(SRC, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({
        place: `${file}:${line}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp'
    ) {
      built.push(`${file}: ${node.arguments?.map((argument) => argument.getText()).join(', ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

/** Arguments of `RegExp` calls, and the values of the names in them. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  "cli/io/fileFormat.ts: `\\\\.(?:${OTHER_TABLES.join('|')})(?:\\\\.gz)?$|\\\\.(?:kmz|parquet)\\\\.gz$`, 'i'":
    ['\\.(?:tsv|xlsx|txt|log|dat|nmea|wln|plt)(?:\\.gz)?$|\\.(?:kmz|parquet)\\.gz$'],
  'schemas/reader.ts: pattern': [UUID_PATTERN, COLOR_PATTERN, DATE_PATTERN, TIME_PATTERN],
  'schemas/validateUnitSettings.ts: form.pattern': [],
  // Compiled, never run.
  'schemas/validateUnitSettings.ts: pattern': [],
  'schemas/validateUnitSettings.ts: row.form.pattern': [...CUSTOM_FIELDS.values()].map(
    ({ form }) => form.pattern,
  ),
  'schemas/validateTrip.ts: DATE_PATTERN': [],
  'schemas/validateTrip.ts: TIME_PATTERN': [],
};
for (const [place, sources] of Object.entries(BUILT)) {
  for (const source of sources) found.push({ place, source, flags: '' });
}

/** Linear patterns that V8's engine for regular languages does not accept. */
const BEYOND_ENGINE: Readonly<Record<string, string>> = {
  '^<\\?xml[^>]{0,200}?encoding\\s*=\\s*["\']([A-Za-z][A-Za-z0-9._-]{0,40})["\']':
    'counts to 200: too large for that engine',
  '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$': 'counts to 63',
  '[^\\t\\n\\r\\u0020-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]': 'one character, by code point',
  '^EPSG:(?=\\d+$)': 'looks ahead once, from the start',
};

/** Patterns for texts of our own, never for input. */
const OF_OUR_OWN: Readonly<Record<string, string>> = {
  '^(-?[\\d.e-]+?)(?:([+-][\\d.e-]+))?$': 'rows of the register of coordinate systems',
  'url\\([^)]*\\)': "the map's own style sheet",
};

describe('regular expressions', () => {
  test('there are many, and every RegExp call is listed', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(built.sort()).toEqual(Object.keys(BUILT).sort());
  });

  test('none refers to a group or looks around, except the listed ones', () => {
    const script = `for (const [source, flags] of JSON.parse(process.argv[1])) {
      try { new RegExp(source, flags.replace(/[iuv]/g, '') + 'l'); } catch { console.log(JSON.stringify(source)); }
    }`;
    const list = JSON.stringify(found.map(({ source, flags }) => [source, flags]));
    const out = execFileSync(process.execPath, ['--enable-experimental-regexp-engine', '-e', script, list], {
      encoding: 'utf8',
    });
    const refused = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string);
    expect(refused.sort()).toEqual(Object.keys(BEYOND_ENGINE).sort());
  });

  // The same pattern in several places is counted once.
  const counted = new Map(found.map((one) => [`${one.source}/${one.flags}`, one]));
  test.each([...counted.values()].filter(({ source }) => !Object.hasOwn(OF_OUR_OWN, source)))(
    '$place: four times the text takes about four times the steps',
    ({ source, flags }) => {
      const { factor, text } = new StepCounter(source, flags).growth();
      expect(factor, text).toBeLessThan(6);
    },
  );

  test.each(['(a+)+$', 'a*a*$', '\\d+\\.?\\d*$', '_+$', '(?:a|a)*$', '\\s+$'])(
    'the counter finds that %s is not linear',
    (source) => {
      expect(new StepCounter(source, '').growth().factor).toBeGreaterThan(8);
    },
  );
});
