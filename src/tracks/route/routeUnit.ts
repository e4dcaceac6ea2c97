/** The run of a `RouteTracker` with its intake, in memory and as plain JSON. */

import { copyOfIntake, emptyIntake, type Intake } from '../fixIntake.js';
import { intakeFromJson, intakeToJson } from '../intakeToJson.js';
import type { StateReader } from '../stateReader.js';
import { newRun, type RouteRunState } from './routeRun.js';

export interface RouteUnit extends Intake {
  readonly id: string;
  run: RouteRunState;
}

export function newRouteUnit(id: string, watermark: number): RouteUnit {
  return Object.assign(emptyIntake(watermark), { id, run: newRun() });
}

/** An independent copy. */
export function copyOfRouteUnit(unit: RouteUnit): RouteUnit {
  return {
    ...copyOfIntake(unit),
    run: structuredClone(unit.run),
  };
}

export function routeUnitToJson(unit: RouteUnit): object {
  return { id: unit.id, ...intakeToJson(unit), run: structuredClone(unit.run) };
}

/** The seal of the snapshot covers every field of the run. */
export function routeUnitFromJson(reader: StateReader): RouteUnit {
  const run = reader.plain('run') as RouteRunState;
  return { id: reader.text('id'), ...intakeFromJson(reader), run };
}
