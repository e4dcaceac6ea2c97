/** The command line as options. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { SpeedUnit } from '../interchange/index.js';

/** The arguments make no sense; its message says why. */
export class UsageError extends Error {}

export interface ReportOptions {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly out: string;
  readonly title: string;
  readonly speedUnit?: SpeedUnit;
  readonly columns: Readonly<Partial<Record<Column, string>>>;
  readonly idProperty?: string;
  readonly nameProperty?: string;
  readonly zoneOptions: {
    readonly axisOrder: 'lonlat' | 'latlon';
    readonly lineWidth: 'total' | 'each-side';
    readonly defaultWidthMeters?: number;
  };
  readonly visitOptions: {
    readonly exitBufferMeters: number;
    readonly minInsideSeconds: number;
    readonly minOutsideSeconds: number;
    readonly maxGapSeconds: number;
  };
  readonly maxSpeedKph: number;
}

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'report'; readonly options: ReportOptions };

type Column = 'unit' | 'time' | 'lat' | 'lon' | 'speed';
const COLUMNS: readonly Column[] = ['unit', 'time', 'lat', 'lon', 'speed'];

const TEXT_OPTIONS = [
  'out',
  'title',
  'speed-unit',
  'id-property',
  'name-property',
  'axis-order',
  'line-width',
  'default-width',
  'exit-buffer',
  'min-inside',
  'min-outside',
  'max-gap',
  'max-speed',
  ...COLUMNS.map((column) => `${column}-column`),
];

const CONFIG = {
  options: {
    zones: { type: 'string', multiple: true },
    tracks: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    ...Object.fromEntries(TEXT_OPTIONS.map((name) => [name, { type: 'string' as const }])),
  },
  allowPositionals: true,
  strict: true,
  tokens: true,
} satisfies ParseArgsConfig;

/** `--zones a b` gives both files to `--zones`. Throws `UsageError`. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals, files } = parse(argv);
  const text = (name: string): string | undefined => values[name] as string | undefined;
  if (values['help'] === true || argv.length === 0) return { name: 'help' };
  if (values['version'] === true) return { name: 'version' };
  const [name, ...rest] = positionals;
  if (name !== 'report') throw new UsageError(`expected the command report, received ${name ?? 'none'}`);
  if (rest.length > 0) throw new UsageError(`expected options after report, received ${rest.join(' ')}`);
  const out = text('out');
  if (!out) throw new UsageError('expected --out DIR, received none');
  if ((files.zones.length === 0) !== (files.tracks.length === 0)) {
    const missing = files.zones.length === 0 ? 'zones' : 'tracks';
    throw new UsageError(`expected --${missing} FILE..., received none`);
  }
  const speedUnit = choice('speed-unit', text('speed-unit'), ['kph', 'mps', 'mph']);
  const idProperty = text('id-property');
  const nameProperty = text('name-property');
  const defaultWidth = text('default-width');
  const options: ReportOptions = {
    ...files,
    out,
    title: text('title') ?? 'Visits to geozones',
    ...(speedUnit === undefined ? {} : { speedUnit }),
    columns: Object.fromEntries(
      COLUMNS.flatMap((column) => {
        const header = text(`${column}-column`);
        return header === undefined ? [] : [[column, header]];
      }),
    ),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(nameProperty === undefined ? {} : { nameProperty }),
    zoneOptions: {
      axisOrder: choice('axis-order', text('axis-order'), ['lonlat', 'latlon']) ?? 'lonlat',
      lineWidth: choice('line-width', text('line-width'), ['total', 'each-side']) ?? 'total',
      ...(defaultWidth === undefined ? {} : { defaultWidthMeters: amount('default-width', defaultWidth, 0) }),
    },
    visitOptions: {
      exitBufferMeters: amount('exit-buffer', text('exit-buffer'), 0),
      minInsideSeconds: amount('min-inside', text('min-inside'), 0),
      minOutsideSeconds: amount('min-outside', text('min-outside'), 0),
      maxGapSeconds: amount('max-gap', text('max-gap'), 3600),
    },
    maxSpeedKph: amount('max-speed', text('max-speed'), 300),
  };
  return { name: 'report', options };
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  readonly files: { readonly zones: readonly string[]; readonly tracks: readonly string[] };
}

/** A bare word goes to the `--zones` or `--tracks` before it; others stand for themselves. */
function parse(argv: readonly string[]): Parsed {
  const { values, tokens } = parsed(argv);
  const files = { zones: [] as string[], tracks: [] as string[] };
  const positionals: string[] = [];
  let list = positionals;
  for (const token of tokens) {
    if (token.kind === 'positional') list.push(token.value);
    else if (token.kind === 'option') {
      const own = token.name === 'zones' || token.name === 'tracks' ? files[token.name] : null;
      list = own ?? positionals;
      if (own !== null && token.value !== undefined) own.push(token.value);
    }
  }
  return { values, positionals, files };
}

function parsed(argv: readonly string[]): ReturnType<typeof parseArgs<typeof CONFIG & { args: string[] }>> {
  try {
    return parseArgs({ ...CONFIG, args: [...argv] });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function choice<Choice extends string>(
  option: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new UsageError(
      `expected ${choices.join(' or ')} after --${option}, received ${JSON.stringify(value)}`,
    );
  }
  return found;
}

function amount(option: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < Infinity)) {
    throw new UsageError(
      `expected a number of at least 0 after --${option}, received ${JSON.stringify(value)}`,
    );
  }
  return number;
}
