/** Reads bench/RESULTS.md: its sections, and each figure by section, table, row and column. */

export interface Results {
  /** The text of a section below its heading. */
  readonly section: (name: string) => string;
  /** The text of one cell. A unique prefix of the title, row or column is enough. */
  readonly text: (section: string, table: string, row: string, column: string) => string;
  /** The first number in that cell. */
  readonly number: (section: string, table: string, row: string, column: string) => number;
}

interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function readResults(markdown: string): Results {
  const sections = new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')).trim(), text.slice(text.indexOf('\n')).trim()]),
  );
  const section = (name: string): string => {
    const text = sections.get(name);
    if (text === undefined)
      throw new Error(`expected a section of the results, received ${JSON.stringify(name)}`);
    return text;
  };
  const text = (name: string, title: string, row: string, column: string): string => {
    const { columns, rows } = findByName(tablesOf(section(name)), title, (table) => table.title);
    const cells = findByName(rows, row, ([first]) => first!);
    return cells[columns.indexOf(findByName(columns, column, (head) => head))]!;
  };
  return {
    section,
    text,
    number: (...place): number => {
      const cell = text(...place);
      const value = Number.parseFloat(
        /-?\d[\d.]*/.exec(cell.replaceAll(/(?<=\d),(?=\d{3})/g, ''))?.[0] ?? '',
      );
      if (!Number.isFinite(value))
        throw new Error(`expected a number at ${place.join(' | ')}, received ${JSON.stringify(cell)}`);
      return value;
    },
  };
}

function tablesOf(section: string): Table[] {
  return section
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const lines = part.split('\n');
      const [head, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
      return head === undefined ? [] : [{ title: lines[0]!.trim(), columns: head, rows }];
    });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim());
}

/** The item with this name, or the only item whose name begins with it. Throws if there is not exactly one. */
function findByName<Item>(items: readonly Item[], name: string, nameOf: (item: Item) => string): Item {
  const same = items.filter((item) => nameOf(item) === name);
  const found = same.length > 0 ? same : items.filter((item) => nameOf(item).startsWith(name));
  if (found.length !== 1)
    throw new Error(
      `expected one of ${items.map(nameOf).join('; ')}, received ${JSON.stringify(name)} (${found.length} found)`,
    );
  return found[0]!;
}
