/** The keyed operator, a function that a stream processor calls for each message of a unit. No I/O; plans of trips are its only cache. */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type OperatorOptions, type OperatorPlaces, operatorSettings } from './operatorOptions.js';
import { readMessage } from './readMessage.js';
import { runWindows } from './runWindows.js';
import { UnitFlow } from './unitFlow.js';
import type { RebuildDemand, UnitMessage } from './unitMessage.js';
import type { UnitOutput } from './unitOutput.js';
import { UNIT_PARTS } from './unitParts.js';
import { checkStateOptions, readUnitState, type UnitState, writeUnitState } from './unitState.js';

/** Result of a step. Store `state` and `outputs` in one transaction, or repeat the step from the state before. */
export interface UnitStep {
  /** The state after the message. */
  readonly state: UnitState;
  /** The outputs of the message, in order of their numbers. */
  readonly outputs: readonly UnitOutput[];
  /**
   * Earliest `time` message that may give an output if no other message arrives, epoch milliseconds. Replace the unit's timer by it. `null`: no
   * timer. A time in the past: at once.
   */
  readonly wakeAt: number | null;
  /** The history that the unit needs; `null`: no history. Until the history is sent, the outputs so far stay valid. */
  readonly rebuild: RebuildDemand | null;
}

/** Follows units one message at a time. */
export interface UnitOperator {
  /**
   * Applies a message. `state`: the state of the unit's last step, or its JSON text; `null` for a new unit. The same state and message
   * always give the same step.
   */
  step(state: UnitState | string | null, message: UnitMessage): UnitStep;
}

/**
 * An operator of a keyed stream: visits to zones and their hours, movement, speeding, runs of planned trips and their routes of one unit, as
 * `(state, message) → step`. Rules: docs/rules/operator.md.
 *
 * `placesAt(version)` returns the zones, trips and routes of a company at a version. Load them before `step`, because `step` is synchronous. The
 * id of an output is (`unitId`, `number`). It does not depend on retries and on the split of the fixes into messages.
 *
 * Errors: `option-type`, `option-unknown`, `option-value`; of a step `unit-message`, `unit-id`, `setting-value`, `settings-type`,
 * `state-version`, `state-corrupt`, `state-options` (the state was made with other options: begin with `null` and a `rebuild`),
 * `input-unreadable`, and the errors of the trackers. A step that throws changes nothing. Cost of a step: about 0.1 ms for reading and writing
 * the state, plus the cost of the trackers for each fix. The cost of a rebuild is in proportion to its fixes.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { unitOperator } from 'wayzone/operator';
 * const depot = { id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };
 * const zones = new ZoneIndex([depot]);
 * const operator = unitOperator(() => ({ zones }));
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * const message = (fixes) => ({ unitId: 'truck', zonesVersion: 1, input: { kind: 'fixes', fixes } });
 * const first = operator.step(null, message([fix(0, 37.58), fix(60, 37.6)]));
 * first.outputs.map(({ number, event }) => [number, event.type, event.zoneId]); // [[1, 'enter', 'depot']]
 * const next = operator.step(JSON.stringify(first.state), message([fix(120, 37.62)]));
 * next.outputs.map(({ number, event }) => [number, event.type]); // [[2, 'exit']]
 * ```
 */
export function unitOperator(
  placesAt: (version: number) => OperatorPlaces,
  options: OperatorOptions = {},
): UnitOperator {
  if (typeof placesAt !== 'function') throw inputError('option-type', 'placesAt', 'a function', placesAt);
  const settings = operatorSettings(options);
  const { hash } = settings;
  const windows = runWindows(settings.options);

  return {
    step(state, message) {
      const { unitId, zonesVersion, input } = readMessage(message);
      const known = state === null ? null : readUnitState(state, UNIT_PARTS);
      if (known !== null && known.unitId !== unitId)
        throw inputError('unit-message', 'message.unitId', `the unit of the state, ${known.unitId}`, unitId);
      if (known !== null) checkStateOptions(known, hash);
      const version = Math.max(known?.zonesVersion ?? 0, zonesVersion);
      const places = guarded('placesAt', () => placesAt(version));
      const flow = new UnitFlow({ ...settings, unitId, places, windows }, known);
      if (known !== null && version > known.zonesVersion) flow.compareZones();
      if (input.kind === 'fixes') for (const fix of input.fixes) flow.push(fix, input.receivedAt);
      else if (input.kind === 'time') flow.advance(input.time);
      else if (input.kind === 'rebuild') flow.rebuild(input);
      else if (input.settings !== undefined) flow.configure(input.settings);
      return {
        state: writeUnitState({ unitId, zonesVersion: version, options: hash, ...flow.state() }),
        outputs: flow.outputs,
        wakeAt: flow.wakeAt,
        rebuild: flow.demand,
      };
    },
  };
}
