/** The commands of `wayzone-host`, and its help. */

import { WayzoneError } from 'wayzone';

export const HELP = `Usage: wayzone-host [command] [options]

Without a command: the host with its page and API. Settings are environment variables (docs/host/settings.md).
  --demo       the example city in any database
  --no-demo    never the example city; an embedded database gets it otherwise
  --json       lines of JSON

Commands:
  worker                                          runs a worker of the stream
  source --from URL --topic T --to URL [--group G]
                                                  hands the fixes of Kafka, NATS or MQTT to a host (SOURCE_TOKEN)
  company --name N [--time-zone Z]                adds a company and prints its id
  token --role R --company C [--companies A,B] [--user U] [--hours N] [--link]
                                                  prints a token, or a link that signs a browser in once
  go-on --partition N                             resumes a partition after an alarm
  set-aside list | retry | skip [--unit U]        units that were set aside

Examples:
  wayzone-host --no-demo
  wayzone-host token --role ADMIN --company ID --link
`;

/** Options of the host itself and of workers. Other commands check theirs. */
const FLAGS = ['--demo', '--no-demo', '--json'];
const COMMANDS = ['worker', 'source', 'company', 'token', 'go-on', 'set-aside'] as const;

type Command = (typeof COMMANDS)[number];

/** The command; null for the host itself. Throws `option-unknown` for another word or option. */
export function commandOf(args: readonly string[]): Command | null {
  const [first] = args;
  const command = COMMANDS.find((name) => name === first) ?? null;
  if (command !== null && command !== 'worker') return command;
  const unknown = args.slice(command === null ? 0 : 1).find((word) => !FLAGS.includes(word));
  if (unknown === undefined) return command;
  const message = `expected one of ${[...COMMANDS, ...FLAGS].join(', ')}, received ${unknown.slice(0, 60)}; see wayzone-host --help`;
  throw new WayzoneError('option-unknown', 'command', message);
}
