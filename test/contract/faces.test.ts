/** Other folders import only the `index.ts` of these folders. Chains of imports within the index stay short. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { FILES, SRC } from './sourceImports.js';

const INDEX = join(SRC, 'zones/index');
const FOLDERS: readonly string[] = [
  join(SRC, 'zones/kinds'),
  join(SRC, 'zones/shapes'),
  INDEX,
  ...readdirSync(INDEX, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(INDEX, name)),
];
const MOST_FLOORS = 6;

interface Link {
  readonly file: string;
  readonly target: string;
  /** Imported or exported names without those of types; `*` for all names. */
  readonly values: readonly string[];
  readonly isExport: boolean;
}

/** A file's imports from other files of src/ and its re-exports. */
function linksOf(file: string): Link[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement): Link[] => {
    const isExport = ts.isExportDeclaration(statement);
    if (!isExport && !ts.isImportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.'))
      return [];
    const target = join(dirname(file), specifier.text.replace(/\.js$/, '.ts'));
    const clause = isExport ? statement : statement.importClause;
    if (clause === undefined) return [{ file, target, values: ['*'], isExport }];
    const named = isExport ? statement.exportClause : statement.importClause?.namedBindings;
    const values =
      named !== undefined && (ts.isNamedImports(named) || ts.isNamedExports(named))
        ? [...named.elements]
            .filter(({ isTypeOnly }) => !isTypeOnly)
            .map((item) => (item.propertyName ?? item.name).text)
        : ['*'];
    return [{ file, target, values: clause.isTypeOnly ? [] : values, isExport }];
  });
}

const LINKS: readonly Link[] = FILES.flatMap(linksOf);
const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

test.each(FOLDERS.map((folder) => [relative(SRC, folder), folder] as const))(
  '%s is imported through its index.ts only',
  (_, folder) => {
    expect(existsSync(join(folder, 'index.ts'))).toBe(true);
    const entering = LINKS.filter(({ file, target }) => isIn(target, folder) && !isIn(file, folder));
    expect(entering.length).toBeGreaterThan(0);
    const past = entering.filter(({ target }) => target !== join(folder, 'index.ts'));
    expect(past.map(({ file, target }) => `${relative(SRC, file)}: ${relative(SRC, target)}`)).toEqual([]);
  },
);

/** The file that declares the name, found through re-exports. */
function originOf(name: string, file: string): string {
  if (!file.endsWith('/index.ts')) return file;
  const link = LINKS.find((one) => one.file === file && one.isExport && one.values.includes(name));
  return link === undefined ? file : originOf(name, link.target);
}

test(`no import chain in zones/index is longer than ${MOST_FLOORS} files; re-exports and types do not count`, () => {
  const floors = new Map<string, string[]>();
  const floorsOf = (file: string): string[] => {
    const known = floors.get(file);
    if (known !== undefined) return known;
    const below = LINKS.filter((link) => link.file === file)
      .flatMap(({ values, target }) => values.map((name) => originOf(name, target)))
      .filter((target) => isIn(target, INDEX))
      .map(floorsOf)
      .reduce((longest, chain) => (chain.length > longest.length ? chain : longest), []);
    const chain = [relative(INDEX, file), ...below];
    floors.set(file, chain);
    return chain;
  };
  const files = FILES.filter((file) => isIn(file, INDEX) && !file.endsWith('/index.ts'));
  expect(files.length).toBeGreaterThan(15);
  const chains = files.map(floorsOf);
  expect(Math.max(...chains.map(({ length }) => length))).toBeGreaterThan(2);
  expect(chains.filter(({ length }) => length > MOST_FLOORS)).toEqual([]);
});
