/** One unit of a `MovementTracker`, in memory and as plain JSON. */

import { copyOfIntake, emptyIntake, type Intake } from './fixIntake.js';
import { intakeFromJson, intakeToJson } from './intakeToJson.js';
import { mileageFromJson, mileageToJson } from './measureStep.js';
import { type Movement, noMovement } from './movement.js';
import type { MovementValues } from './movementRules.js';
import type { StateReader } from './stateReader.js';
import type { JsonOptions } from './streamOptions.js';
import type { Stretch } from './stretch.js';

export interface MovementUnit extends Intake {
  readonly id: string;
  movement: Movement;
  /** The movement at the first of the fixes at the last one's place, as long as no event was emitted since; null if there is only one. */
  atPlace: Movement | null;
  /** The unit's own settings; `null`: those of the tracker. */
  settings: MovementValues | null;
}

export function newMovementUnit(id: string, watermark: number): MovementUnit {
  return Object.assign(emptyIntake(watermark), { id, movement: noMovement(), atPlace: null, settings: null });
}

/** An independent copy. */
export function copyOfMovementUnit(unit: MovementUnit): MovementUnit {
  return {
    ...copyOfIntake(unit),
    movement: copyOfMovement(unit.movement),
    atPlace: unit.atPlace && copyOfMovement(unit.atPlace),
  };
}

export function copyOfMovement(movement: Movement): Movement {
  const { rest, trip, pause, stops } = movement;
  return {
    ...movement,
    rest: rest && { ...rest },
    trip: trip && { ...trip },
    pause: pause && { ...pause },
    stops: [...stops],
  };
}

export function movementUnitToJson(
  unit: MovementUnit,
  settingsToJson: (settings: MovementValues) => JsonOptions,
): object {
  return {
    id: unit.id,
    ...intakeToJson(unit),
    settings: unit.settings && settingsToJson(unit.settings),
    movement: movementToJson(unit.movement),
    atPlace: unit.atPlace && movementToJson(unit.atPlace),
  };
}

export function movementUnitFromJson(
  reader: StateReader,
  settingsFromJson: (settings: JsonOptions) => MovementValues,
): MovementUnit {
  const settings = reader.childOrNull('settings');
  const atPlace = reader.childOrNull('atPlace');
  return {
    id: reader.text('id'),
    ...intakeFromJson(reader),
    settings: settings && settingsFromJson(settings.scalars()),
    movement: movementFromJson(reader.child('movement')),
    atPlace: atPlace && movementFromJson(atPlace),
  };
}

function movementToJson(movement: Movement): object {
  const { rest, trip, pause, stops } = movement;
  return {
    hasFix: movement.hasFix,
    time: movement.time,
    lon: movement.lon,
    lat: movement.lat,
    speedKph: movement.speedKph,
    isMoving: movement.isMoving,
    rest: rest && stretchToJson(rest),
    trip: trip && stretchToJson(trip),
    pause: pause && stretchToJson(pause),
    stops: stops.map(stretchToJson),
    restTold: movement.restTold,
    tripTold: movement.tripTold,
    ...mileageToJson(movement),
  };
}

function movementFromJson(reader: StateReader): Movement {
  const stretch = (name: string): Stretch | null => {
    const child = reader.childOrNull(name);
    return child && stretchFromJson(child);
  };
  return {
    hasFix: reader.boolean('hasFix'),
    time: reader.time('time'),
    lon: reader.lon('lon'),
    lat: reader.lat('lat'),
    speedKph: reader.number('speedKph'),
    isMoving: reader.boolean('isMoving'),
    rest: stretch('rest'),
    trip: stretch('trip'),
    pause: stretch('pause'),
    stops: reader.children('stops').map(stretchFromJson),
    restTold: reader.boolean('restTold'),
    tripTold: reader.boolean('tripTold'),
    ...mileageFromJson(reader),
  };
}

function stretchToJson(stretch: Stretch): object {
  const { from, fromLon, fromLat, to, toLon, toLat, meters, maxSpeedKph, unmeasured } = stretch;
  return {
    from,
    fromLon,
    fromLat,
    to,
    toLon,
    toLat,
    meters,
    maxSpeedKph,
    ...(unmeasured > 0 && { unmeasured }),
  };
}

function stretchFromJson(reader: StateReader): Stretch {
  return {
    from: reader.time('from'),
    fromLon: reader.lon('fromLon'),
    fromLat: reader.lat('fromLat'),
    to: reader.time('to'),
    toLon: reader.lon('toLon'),
    toLat: reader.lat('toLat'),
    meters: reader.number('meters'),
    maxSpeedKph: reader.number('maxSpeedKph'),
    unmeasured: reader.numberIfAny('unmeasured', 0),
  };
}
