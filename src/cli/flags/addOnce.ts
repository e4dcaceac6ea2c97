/** Adds an option that two parts of a command declare. */

import type { Command, Option } from 'commander';

/** Adds an option unless the command has it. */
export function addOnce(command: Command, option: Option): Command {
  return command.options.some(({ long }) => long === option.long) ? command : command.addOption(option);
}
