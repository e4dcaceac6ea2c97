/** Flags for options of the library, in tables with a row for each option: the flag, its help, and the option's value. */

import { type Command, InvalidArgumentError, Option } from 'commander';

export interface FlagRow<Value = unknown> {
  /** The flag as commander writes it: `--max-speed <kph>`. */
  readonly flag: string;
  readonly text: string;
  /** Reads the text of the value. Default: `amount`. */
  readonly read?: (text: string) => Value;
  /** The allowed words, for an option of words. */
  readonly words?: readonly Value[];
  /** The library's default, for the help. */
  readonly default?: Value;
  /** The option's value for a flag without a value. Default `true`. */
  readonly value?: Value;
}

/** A row for each option; `null` for an option without a flag. A table that lacks an option does not compile. */
export type FlagRows<Options> = {
  readonly [Name in keyof Options]-?: FlagRow<Exclude<Options[Name], undefined>> | null;
};

type Rows = Readonly<Record<string, FlagRow | null>>;

/** Adds the flags of the rows that the command lacks. */
export function addFlags<Options>(command: Command, rows: FlagRows<Options>): Command {
  for (const row of Object.values(rows as Rows)) if (row !== null) addOnce(command, optionOf(row));
  return command;
}

function optionOf({ flag, text, words, read = flagAmount, default: value }: FlagRow): Option {
  const option = new Option(flag, text);
  if (words !== undefined) option.choices(words as readonly string[]);
  else if (flag.includes('<')) option.argParser(read);
  return value === undefined ? option : option.default(value);
}

/** The options that are set on the command line. */
export function optionsOf<Options>(flags: object, rows: FlagRows<Options>): Partial<Options> {
  const options: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows as Rows)) {
    if (row === null) continue;
    const given = (flags as Readonly<Record<string, unknown>>)[new Option(row.flag).attributeName()];
    if (given !== undefined) options[name] = row.flag.includes('<') ? given : (row.value ?? given);
  }
  return options as Partial<Options>;
}

/** A time with its offset, as epoch milliseconds. */
export function instant(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a time with its offset: 2026-03-02T08:00Z.');
  return time;
}

/** A number of at least 0. */
export function flagAmount(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < Infinity)) {
    throw new InvalidArgumentError('Expected a number of at least 0.');
  }
  return number;
}

/** Adds an option unless the command has it. */
export function addOnce(command: Command, option: Option): Command {
  return command.options.some(({ long }) => long === option.long) ? command : command.addOption(option);
}
