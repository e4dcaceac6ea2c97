/** Draws the vehicles and their trails, at most twice a second. */

import type { Feature } from 'geojson';
import type { Fleet, Unit, UnitState } from './fleet.js';
import { courseOf, stateOf } from './fleet.js';
import type { FleetMap } from './fleetMap.js';

/** A vehicle at some time. */
export interface Place {
  readonly unitId: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly state: UnitState;
  /** Clockwise from north; null: not known. */
  readonly courseDegrees: number | null;
}

export interface VehicleLayer {
  /** Shows these places instead of the live ones; null: live again. */
  readonly replace: (places: readonly Place[] | null) => void;
  readonly choose: (unitId: string | null) => void;
  /** Shows of the live vehicles only these. */
  readonly filter: (isShown: (unit: Unit, state: UnitState) => boolean) => void;
}

const PAUSE_MS = 500;

export function createVehicleLayer(fleet: Fleet, { set }: FleetMap): VehicleLayer {
  let chosen: string | null = null;
  let replaced: readonly Place[] | null = null;
  let isShown: (unit: Unit, state: UnitState) => boolean = () => true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const featureOf = ({ unitId, name, lon, lat, state, courseDegrees }: Place): Feature => ({
    type: 'Feature',
    properties: {
      id: unitId,
      name,
      state,
      chosen: unitId === chosen,
      // Only what moves has a heading.
      ...(state === 'moving' && courseDegrees !== null ? { course: courseDegrees } : {}),
    },
    geometry: { type: 'Point', coordinates: [lon, lat] },
  });
  const draw = (): void => {
    timer = undefined;
    const now = Date.now();
    const places: Place[] = [];
    const coordinates: [number, number][][] = [];
    for (const unit of replaced === null ? fleet.units.values() : []) {
      const { id, name, last, trail } = unit;
      const state = stateOf(unit, now);
      if (last === null || !isShown(unit, state)) continue;
      const { lon, lat } = last;
      places.push({ unitId: id, name, lon, lat, state, courseDegrees: courseOf(unit) });
      if (trail.length > 1) coordinates.push(trail);
    }
    set('vehicles', (replaced ?? places).map(featureOf));
    // One feature: its lines are the trails themselves, of which nothing is made anew.
    const trails: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'MultiLineString', coordinates },
    };
    set('trails', coordinates.length > 0 ? [trails] : []);
  };
  fleet.whenMoved(() => {
    if (replaced === null) timer ??= setTimeout(draw, PAUSE_MS);
  });
  return {
    replace(places) {
      replaced = places;
      // Replayed places come at the pace of the replay.
      if (places !== null) set('vehicles', places.map(featureOf));
      if (places === null || timer !== undefined) timer ??= setTimeout(draw, 0);
      if (places !== null) set('trails', []);
    },
    choose(unitId) {
      chosen = unitId;
      timer ??= setTimeout(draw, 0);
    },
    filter(wanted) {
      isShown = wanted;
      timer ??= setTimeout(draw, 0);
    },
  };
}
