/** A unit as a virtual object of Restate: its state is that of `unitOperator`, and its handler takes one message at a time. */

import {
  type OperatorOptions,
  type OperatorPlaces,
  type RebuildDemand,
  type RebuildInput,
  type UnitInput,
  type UnitOutput,
  type UnitState,
  unitOperator,
} from 'wayzone/operator';

/** What is used of `ObjectContext` of `@restatedev/restate-sdk`. */
export interface UnitContext {
  readonly key: string;
  readonly date: { now(): Promise<number> };
  get<Value>(name: string): Promise<Value | null>;
  set<Value>(name: string, value: Value): void;
  /** Runs the action once and keeps its result in the journal. */
  run<Value>(name: string, action: () => Promise<Value>): Promise<Value>;
  genericSend(call: {
    readonly service: string;
    readonly method: string;
    readonly key: string;
    /** JSON. */
    readonly parameter: Uint8Array;
    readonly delay: number;
  }): void;
}

/** The body of a request to `unit/KEY/apply`. */
export interface UnitRequest {
  /** The version of the company's zones and trips when the request was sent. */
  readonly zonesVersion: number;
  readonly input: UnitInput;
}

/** The database of the user. Each call may come more than once with the same values. */
export interface UnitStore {
  /** The places of a version, which never change. */
  load(version: number): Promise<OperatorPlaces>;
  keepFixes(unitId: string, input: Extract<UnitInput, { kind: 'fixes' }>): Promise<void>;
  /** Inserts outputs by (`unitId`, `number`). A row that exists with other content is an error. */
  keepOutputs(outputs: readonly UnitOutput[]): Promise<void>;
  /** The unit's fixes and outputs that a demand needs. */
  history(unitId: string, demand: RebuildDemand): Promise<Pick<RebuildInput, 'fixes' | 'outputs'>>;
}

/** The name of the service, and of the handler that takes fixes, times, edits and rebuilds. */
export const UNIT = { service: 'unit', method: 'apply' } as const;

/**
 * The handler `apply` of a unit: `restate.object({ name: UNIT.service, handlers: { [UNIT.method]: unitHandler(store) } })`. Fixes and outputs are stored before
 * the state, and a repetition gives the same outputs. A step that throws is tried again by Restate: only this unit waits.
 */
export function unitHandler(
  store: UnitStore,
  options: OperatorOptions = {},
): (ctx: UnitContext, request: UnitRequest) => Promise<void> {
  const places = new Map<number, OperatorPlaces>();
  const operator = unitOperator((version) => places.get(version)!, options);
  return async (ctx, { zonesVersion, input }) => {
    const unitId = ctx.key;
    const known = await ctx.get<UnitState>('unit');
    const version = Math.max(known?.zonesVersion ?? 0, zonesVersion);
    // Not in the journal: the same version is the same places.
    if (!places.has(version)) places.set(version, await store.load(version));
    if (input.kind === 'fixes') await ctx.run('fixes', () => store.keepFixes(unitId, input));
    let step = operator.step(known, { unitId, zonesVersion, input });
    for (;;) {
      const { outputs, rebuild } = step;
      if (outputs.length > 0) await ctx.run('outputs', () => store.keepOutputs(outputs));
      if (rebuild === null) break;
      // In the journal: a repetition must not see the fixes of later messages.
      const history = await ctx.run('history', () => store.history(unitId, rebuild));
      step = operator.step(step.state, {
        unitId,
        zonesVersion,
        input: { kind: 'rebuild', of: rebuild.of, from: rebuild.from, ...history },
      });
    }
    ctx.set('unit', step.state);
    await setTimer(ctx, step.wakeAt, version);
  };
}

/** A timer that is late or comes twice changes nothing, so that no timer is cancelled. */
async function setTimer(ctx: UnitContext, wakeAt: number | null, zonesVersion: number): Promise<void> {
  if (wakeAt === null || wakeAt === (await ctx.get<number>('wakeAt'))) return;
  ctx.set('wakeAt', wakeAt);
  const delay = Math.max(0, wakeAt - (await ctx.date.now()));
  const request: UnitRequest = { zonesVersion, input: { kind: 'time', time: wakeAt } };
  const parameter = new TextEncoder().encode(JSON.stringify(request));
  ctx.genericSend({ ...UNIT, key: ctx.key, parameter, delay });
}
