/** Draws the vehicles and their trails, at most twice a second. */

import type { Feature } from 'geojson';
import type { Fleet, UnitState } from './fleet.js';
import { stateOf } from './fleet.js';
import type { FleetMap } from './fleetMap.js';

/** A vehicle at some time. */
export interface Place {
  readonly unitId: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly state: UnitState;
}

export interface VehicleLayer {
  /** Shows these places instead of the live ones; null: live again. */
  readonly replace: (places: readonly Place[] | null) => void;
  readonly choose: (unitId: string | null) => void;
}

const PAUSE_MS = 500;

export function createVehicleLayer(fleet: Fleet, { set }: FleetMap): VehicleLayer {
  let chosen: string | null = null;
  let replaced: readonly Place[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const featureOf = ({ unitId, name, lon, lat, state }: Place): Feature => ({
    type: 'Feature',
    properties: { id: unitId, name, state, chosen: unitId === chosen },
    geometry: { type: 'Point', coordinates: [lon, lat] },
  });
  const live = (): Place[] => {
    const now = Date.now();
    return [...fleet.units.values()].flatMap((unit) => {
      const { id, name, last } = unit;
      if (last === null) return [];
      return [{ unitId: id, name, lon: last.lon, lat: last.lat, state: stateOf(unit, now) }];
    });
  };
  const draw = (): void => {
    timer = undefined;
    set('vehicles', (replaced ?? live()).map(featureOf));
    // One feature: its lines are the trails themselves, of which nothing is made anew.
    const lines = replaced === null ? [...fleet.units.values()].map(({ trail }) => trail) : [];
    const coordinates = lines.filter(({ length }) => length > 1);
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
  };
}
