/** Lets a command report a wrong flag before a missing one. */

import type { Command } from 'commander';

/** Checks the required options after all others, which commander does first: a misspelt flag is not also a missing one. */
export function askMissingLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  command.hook('preAction', () => {
    for (const option of required) {
      if (command.getOptionValue(option.attributeName()) === undefined)
        command.error(`error: required option '${option.flags}' not specified`);
    }
  });
}
