/** Check of the addresses of sinks: a company's administrator must not reach the host's own network through it. */

import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WayzoneError } from 'wayzone';

/** `check` accepts names whose addresses are not known within this time. */
const CHECK_MS = 3000;

/** Networks that are not public (IANA special-purpose registries), and multicast. */
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

export interface AddressGuard {
  /** The allowed addresses of a name. Throws `option-value` if it has one that is not allowed, so that a later answer cannot choose it. */
  resolve(hostname: string): Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>;
  /**
   * Throws `option-value` if one of the names has an address that is not allowed now. Accepts names that cannot be resolved now, because
   * each delivery resolves them again.
   */
  check(hostnames: readonly string[]): Promise<void>;
  /** `resolve` for the option `lookup` of sockets, so that a connection uses the addresses that were checked. */
  readonly lookup: LookupFunction;
  /** Whether `host` is an address (not a name, for which sockets call `lookup`) that is not allowed. */
  refuses(host: string): boolean;
}

type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** `allowed`: private networks that are allowed nevertheless. */
export function addressGuard(
  allowed: readonly string[],
  lookup: Lookup = (name) => systemLookup(name, { all: true }),
): AddressGuard {
  const blocked = blockListOf(PRIVATE);
  const open = blockListOf(allowed);
  const isAllowed = (address: string, family: 4 | 6): boolean => {
    const type = family === 4 ? 'ipv4' : 'ipv6';
    return !blocked.check(address, type) || open.check(address, type);
  };
  const guard: AddressGuard = {
    refuses(host) {
      const family = isIP(host);
      return family !== 0 && !isAllowed(host, family === 6 ? 6 : 4);
    },
    lookup(hostname, options, done) {
      guard.resolve(hostname).then(
        (found) => {
          if (options.all === true) done(null, [...found]);
          else done(null, found[0]!.address, found[0]!.family);
        },
        (error: Error) => done(error, '', 4),
      );
    },
    async resolve(hostname) {
      const name = hostname.replace(/^\[|\]$|\.$/g, '');
      const family = isIP(name);
      const found = family === 0 ? await lookup(name) : [{ address: name, family }];
      const addresses = found.map(
        (one) => ({ address: one.address, family: one.family === 6 ? 6 : 4 }) as const,
      );
      const wrong = addresses.find((one) => !isAllowed(one.address, one.family));
      if (wrong !== undefined || addresses.length === 0)
        throw new WayzoneError(
          'option-value',
          'target.url',
          `expected a public address, or one of DELIVERY_NETWORKS, received ${name.slice(0, 60)}`,
        );
      return addresses;
    },
    async check(hostnames) {
      const checkAll = async (): Promise<void> => {
        for (const one of hostnames)
          await guard.resolve(one).catch((error: unknown) => {
            if (error instanceof WayzoneError) throw error;
          });
      };
      await Promise.race([checkAll(), sleep(CHECK_MS, undefined, { ref: false })]);
    },
  };
  return guard;
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}
