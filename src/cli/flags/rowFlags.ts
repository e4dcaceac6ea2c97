/** Options of rows written as CSV: the form for spreadsheet programs, and local times. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { addOnce } from './flagRows.js';

/** Flags for the form of rows, as commander returns them. */
export interface RowFlags {
  readonly excel?: true;
  readonly locale?: string;
  readonly timeZone?: string;
}

/** Adds `--excel`, `--locale`, and with `hasTimes` `--time-zone` unless the command has it. */
export function addRowFlags(command: Command, hasTimes: boolean = true): Command {
  command
    .option(
      '--excel',
      'CSV for spreadsheet programs: with a byte mark, plain times, and ; and , where the locale has a decimal comma',
    )
    .option('--locale <tag>', 'language tag for --excel: ru, en-US (default: that of the system)', locale);
  if (!hasTimes) return command;
  return addOnce(
    command,
    new Option('--time-zone <name>', 'zone of times without one, and of the columns …_local (Europe/Berlin)'),
  );
}

function locale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    throw new InvalidArgumentError('Expected a language tag: ru, de-CH.');
  }
}
