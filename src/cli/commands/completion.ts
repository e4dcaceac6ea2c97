/** The command `completion`: a script for the shell, made from the declarations of the other commands. */

import { Argument, type Command } from 'commander';
import type { Io, Run } from '../io/io.js';

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
        io.stdout.write(completionScript(shell, program));
        return true;
      }),
    );
}

/** The script for bash. For zsh, lines are added that let zsh run the bash script. File names complete all other words. */
function completionScript(shell: 'bash' | 'zsh', { commands }: Pick<Command, 'commands'>): string {
  const names = commands.map((command) => command.name());
  const flags = commands.map((command) => {
    const own = command.options.flatMap(({ long }) => long ?? []);
    return `    ${command.name()}) words="${[...own, '--help'].join(' ')}" ;;`;
  });
  const values = commands.flatMap((command) =>
    command.options.flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : [`    "${command.name()} ${long}") words="${argChoices.join(' ')}" ;;`],
    ),
  );
  const lines = [
    ...(shell === 'zsh'
      ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit']
      : []),
    '_wayzone() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${names.join(' ')} --help --version" -- "$cur"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    '    "completion completion") words="bash zsh" ;;',
    '  esac',
    '  if [ -z "$words" ] && [ "${cur:0:1}" = "-" ]; then',
    '    case "${COMP_WORDS[1]}" in',
    ...flags.map((line) => `  ${line}`),
    '    esac',
    '  fi',
    '  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '  else COMPREPLY=($(compgen -f -- "$cur")); fi',
    '}',
    'complete -o filenames -F _wayzone wayzone',
  ];
  return `${lines.join('\n')}\n`;
}
