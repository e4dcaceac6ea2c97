/** Declares the command `completion`: a script for the shell, made from the declarations of the other commands. */

import { Argument, type Command } from 'commander';
import type { Io, Run } from '../../io/io.js';

/** Adds the command `completion`. Add it last: it completes the commands before it. */
export function completionCommand(program: Command, io: Io, run: Run): void {
  program
    .command('completion')
    .summary('a script that completes commands and flags in bash or zsh')
    .description('Prints a script for the shell. Add its line to the start-up file of the shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(wayzone completion bash)' >> ~/.bashrc
  echo 'source <(wayzone completion zsh)' >> ~/.zshrc`,
    )
    .action((shell: 'bash' | 'zsh') =>
      run(async () => {
        const { completionScript } = await import('./completionScript.js');
        io.stdout.write(completionScript(shell, program));
        return true;
      }),
    );
}
