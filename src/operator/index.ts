/** Subpath `wayzone/operator`: a keyed operator for stream processors. */

export type { OperatorOptions } from './operatorOptions.js';
export type { OperatorPlaces } from './operatorPlaces.js';
export type {
  EditInput,
  FixesInput,
  RebuildDemand,
  RebuildInput,
  TimeInput,
  UnitInput,
  UnitMessage,
} from './unitMessage.js';
export { type UnitOperator, type UnitStep, unitOperator } from './unitOperator.js';
export type {
  DescribedMovement,
  DescribedVisit,
  MovementRevision,
  OfRun,
  RunEvent,
  RunRevision,
  UnitEvents,
  UnitOutput,
  UnitPart,
  VisitRevision,
} from './unitOutput.js';
export type { UnitState } from './unitState.js';
