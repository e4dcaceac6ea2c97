/** Moves the cells of a worker to newer zones and trips of a company, without pausing others. */

import type { CellRun, StateChoice } from './cellRun.js';
import type { TripSource } from './tripSource.js';
import type { ZoneChanges, ZoneSource } from './zoneSource.js';

type Held = { readonly run: CellRun };

/** Maximum number of states in one transaction. */
const MOST_STATES = 300;

export interface SwitchOptions {
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  readonly held: ReadonlyMap<number, Held>;
  /** Commits runs that are held. Those that are still held afterwards have been written. */
  readonly commitNow: (
    runs: readonly CellRun[],
    choice: StateChoice,
    changed?: { readonly companyId: string; readonly version: number },
  ) => Promise<void>;
  /** Runs a task while no message of the company is handled. */
  readonly exclusive: (companyId: string, task: () => Promise<void>) => Promise<void>;
}

export interface ZoneSwitch {
  /** Reads the newer zones while messages are handled; pauses them only for the switch. */
  sync(companyId: string): Promise<void>;
  /** After a restart at an older version: switches to the index that the other cells use. */
  join(one: Held): Promise<void>;
}

/** Commits the states of a company in small transactions: no session times out, and the event loop can do other work. */
async function writeStates(
  commitNow: SwitchOptions['commitNow'],
  run: CellRun,
  companyId: string,
): Promise<void> {
  for (let left = run.dirtyUnitsOf(companyId); left > 0; left -= MOST_STATES)
    await commitNow([run], { count: MOST_STATES, companyId });
}

export function switchZones({ zones, trips, held, commitNow, exclusive }: SwitchOptions): ZoneSwitch {
  /** Records the newer zones for all cells of a company together, then changes their index. */
  const applyZones = async (companyId: string, { version, apply }: ZoneChanges): Promise<void> => {
    // Another call may have applied a later version while these were read.
    if ((await zones.current(companyId))!.version >= version) return;
    const runs = [...held.values()].map(({ run }) => run).filter((run) => run.follows(companyId));
    const followed = await trips.at(companyId, version);
    // The record is then committed with few states. Those of other companies wait for their turn.
    for (const run of runs) await writeStates(commitNow, run, companyId);
    for (const run of runs) await run.changeTrips(companyId, followed);
    await commitNow(runs, { companyId }, { companyId, version });
    apply();
    const current = (await zones.current(companyId))!;
    for (const run of runs)
      if (held.get(run.cell)?.run === run && (await run.usesOwnIndex()).includes(companyId))
        run.exchange(companyId, current);
  };
  /** Reads the newer zones while messages are handled; pauses them only for the switch. */
  const sync = async (companyId: string): Promise<void> => {
    const changes = await zones.changes(companyId);
    if (changes !== null) await exclusive(companyId, () => applyZones(companyId, changes));
  };
  /** After a restart at an older version: switches to the index that the other cells use. */
  const join = async ({ run }: Held): Promise<void> => {
    for (const companyId of await run.usesOwnIndex()) {
      await sync(companyId);
      await exclusive(companyId, async () => {
        if (held.get(run.cell)?.run !== run || !(await run.usesOwnIndex()).includes(companyId)) return;
        const current = (await zones.current(companyId))!;
        await run.changeTrips(companyId, await trips.at(companyId, current.version));
        await commitNow([run], { companyId }, { companyId, version: current.version });
        if (held.get(run.cell)?.run === run) run.exchange(companyId, current);
      });
    }
  };
  return { sync, join };
}
