/** Every optional field that a caller may give also takes `undefined`, for callers that compile with `exactOptionalPropertyTypes`. */

import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** The `index.ts` of each public subpath. */
const ENTRIES: readonly string[] = readdirSync(SRC, { withFileTypes: true })
  .flatMap(({ name }) => (name === 'index.ts' ? [name] : [`${name}/index.ts`]))
  .filter((path) => !/^(cli|report|core|geodesy|planar|zones|lazy)/.test(path) && existsSync(join(SRC, path)))
  .map((path) => join(SRC, path));

/** What functions return, and others take as they returned it. */
const RESULTS =
  /(FieldError|EnterEvent|MovementItem|PointReport|PointVisit|TripReport|Issue|Track)\.\w+$|^core.fix.ts \.document$/;

/** `File.ts Type.field` of each optional field that parameters of public functions lead to, and whether it takes `undefined`. */
function optionalFields(): Map<string, boolean> {
  const program = ts.createProgram(ENTRIES, {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const found = new Map<string, boolean>();
  const seen = new Set<ts.Type>();
  const takesUndefined = (node: ts.TypeNode): boolean => {
    const type = checker.getTypeFromTypeNode(node);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some(
      (part) => part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown),
    );
  };
  const walk = (type: ts.Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) {
      for (const part of type.types) walk(part);
      return;
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      for (const part of checker.getTypeArguments(type as ts.TypeReference)) walk(part);
      return;
    }
    // Objects with methods are the library's own: an index, a track.
    for (const field of type.getProperties()) {
      const declaration = field.valueDeclaration;
      if (declaration === undefined || !ts.isPropertySignature(declaration) || declaration.type === undefined)
        continue;
      const file = declaration.getSourceFile().fileName;
      if (!file.startsWith(SRC)) continue;
      if (declaration.questionToken !== undefined) {
        const owner = ts.isInterfaceDeclaration(declaration.parent) ? declaration.parent.name.text : '';
        found.set(`${relative(SRC, file)} ${owner}.${field.name}`, takesUndefined(declaration.type));
      }
      walk(checker.getTypeOfSymbol(field));
    }
  };
  const parameters = (signatures: readonly ts.Signature[]): void => {
    for (const { parameters: list } of signatures) for (const one of list) walk(checker.getTypeOfSymbol(one));
  };
  for (const entry of ENTRIES) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!(symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class))) continue;
      const type = checker.getTypeOfSymbol(symbol);
      parameters(type.getCallSignatures());
      parameters(type.getConstructSignatures());
      if (!(symbol.flags & ts.SymbolFlags.Class)) continue;
      for (const one of [...type.getProperties(), ...checker.getDeclaredTypeOfSymbol(symbol).getProperties()])
        if (one.name !== 'prototype') parameters(checker.getTypeOfSymbol(one).getCallSignatures());
    }
  }
  return found;
}

test('every optional field of what callers give takes undefined', () => {
  const fields = optionalFields();
  expect(fields.size).toBeGreaterThan(300);
  expect([...fields].flatMap(([name, takes]) => (takes || RESULTS.test(name) ? [] : [name]))).toEqual([]);
});
