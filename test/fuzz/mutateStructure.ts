/** Mutations that keep a text well-formed, so that they get past its parser. */

import type { Below } from './mutate.js';
import { TOKENS, VALUES } from './tokens.js';

type Parent = Record<string | number, unknown>;
type Place = readonly [parent: Parent, key: string | number];

/** Replaces, copies, deletes, moves or repeats a part of a JSON text. Returns other texts unchanged. */
export function mutateJson(text: string, other: string, below: Below): string {
  const root = [parsed(text)];
  if (root[0] === undefined) return text;
  const places = placesOf(root);
  const [parent, key] = places[below(places.length)]!;
  switch (below(8)) {
    case 0:
    case 1:
      put(parent, key, VALUES[below(VALUES.length)]);
      break;
    case 2: {
      const [from, name] = places[below(places.length)]!;
      put(parent, key, structuredClone(from[name]));
      break;
    }
    case 3: {
      const others = placesOf([parsed(other) ?? null]);
      const [from, name] = others[below(others.length)]!;
      put(parent, key, structuredClone(from[name]));
      break;
    }
    case 4:
      if (parent === (root as unknown)) break;
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 5:
      if (Array.isArray(parent) && parent !== root) {
        const count = 1 + below(below(8) === 0 ? 300 : 3);
        for (let i = 0; i < count; i++) parent.splice(Number(key), 0, structuredClone(parent[Number(key)]));
      } else if (!Array.isArray(parent)) {
        put(
          parent,
          ['__proto__', 'constructor', 'x', 'id', 'width', 'parts', 'name'][below(7)]!,
          VALUES[below(VALUES.length)],
        );
      }
      break;
    case 6: {
      const value = parent[key];
      if (typeof value === 'number') {
        const step = [1e-9, 1e-3, 1, 60, 180, 360, 3_600_000][below(7)]! * (below(2) === 0 ? 1 : -1);
        put(parent, key, value + step);
      } else if (Array.isArray(value)) value.reverse();
      else put(parent, key, typeof value === 'string' ? value + value : String(value));
      break;
    }
    default:
      put(parent, key, below(2) === 0 ? [parent[key]] : { a: parent[key] });
  }
  return JSON.stringify(root[0]) ?? 'null';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All places of values; stops after a thousand steps. */
function placesOf(root: unknown[]): Place[] {
  const places: Place[] = [];
  const open: unknown[] = [root];
  for (let i = 0; i < open.length && places.length < 1000; i++) {
    const value = open[i] as Parent;
    for (const key of Object.keys(value)) {
      places.push([value, Array.isArray(value) ? Number(key) : key]);
      const child = value[key];
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
  return places;
}

function put(parent: Parent, key: string | number, value: unknown): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Moves, repeats, deletes or nests tags and texts of an XML text, or takes some from `other`. */
export function mutateXml(text: string, other: string, below: Below): string {
  const pieces = xmlPieces(text);
  if (pieces.length === 0) return text;
  const at = below(pieces.length);
  const element = elementAt(pieces, at);
  switch (below(7)) {
    case 0:
      pieces.splice(at, element);
      break;
    case 1: {
      const copy = pieces.slice(at, at + element);
      const count = 1 + below(below(8) === 0 ? 100 : 3);
      for (let i = 0; i < count; i++) pieces.splice(at, 0, ...copy);
      break;
    }
    case 2: {
      const moved = pieces.splice(at, element);
      pieces.splice(below(pieces.length + 1), 0, ...moved);
      break;
    }
    case 3: {
      const others = xmlPieces(other);
      const from = below(Math.max(1, others.length));
      pieces.splice(at, below(2) * element, ...others.slice(from, from + elementAt(others, from)));
      break;
    }
    case 4: {
      const name = /^<([\w:]+)/.exec(pieces[below(pieces.length)]!)?.[1] ?? 'Folder';
      const count = below(16) === 0 ? 70 : 1;
      pieces.splice(at + element, 0, `</${name}>`.repeat(count));
      pieces.splice(at, 0, `<${name}>`.repeat(count));
      break;
    }
    case 5:
      pieces[at] = pieces[at]!.startsWith('<')
        ? pieces[at]!.replace(/"[^"]*"/, () => `"${TOKENS.text[below(TOKENS.text.length)]}"`)
        : TOKENS.xml[below(TOKENS.xml.length)]!;
      break;
    default:
      pieces.splice(at, 0, TOKENS.xml[below(TOKENS.xml.length)]!);
  }
  return pieces.join('');
}

function xmlPieces(text: string): string[] {
  return text.match(/<[^<>]*>|[^<]+|</g) ?? [];
}

/** Number of pieces of the element that begins at `at`; 1 if none begins there. */
function elementAt(pieces: readonly string[], at: number): number {
  let depth = 0;
  for (let i = at; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.startsWith('</')) depth--;
    else if (/^<\w/.test(piece) && !piece.endsWith('/>')) depth++;
    if (depth <= 0) return i - at + 1;
  }
  return 1;
}

/** Changes, repeats, deletes or swaps rows and cells of a table. */
export function mutateCsv(text: string, other: string, below: Below): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const rows = text.split(newline).map((row) => row.split(','));
  const row = rows[below(rows.length)]!;
  const cell = below(row.length);
  switch (below(8)) {
    case 0:
    case 1:
      row[cell] = TOKENS.csv[below(TOKENS.csv.length)]!;
      break;
    case 2:
      row.splice(cell, 1);
      break;
    case 3:
      rows.splice(below(rows.length), 0, ...Array.from({ length: 1 + below(3) }, () => [...row]));
      break;
    case 4:
      rows.splice(rows.indexOf(row), 1);
      break;
    case 5: {
      const to = below(row.length);
      for (const each of rows) [each[cell], each[to]] = [each[to] ?? '', each[cell] ?? ''];
      break;
    }
    case 6: {
      const others = other.split(/\r?\n/);
      rows.splice(below(rows.length), 0, [others[below(others.length)]!]);
      break;
    }
    default: {
      const number = Number(row[cell]);
      row[cell] = Number.isFinite(number)
        ? String(number + [1, -1, 0.001, 100, 360, 1e6][below(6)]!)
        : `"${(row[cell] ?? '').replaceAll('"', '""')}"`;
    }
  }
  return rows.map((cells) => cells.join(',')).join(newline);
}
