/** The units of the company with their positions and trails. */

import type { Api } from './api.js';

/** In the order of their filters. */
export const UNIT_STATES = ['moving', 'idle', 'parked', 'silent'] as const;
export type UnitState = (typeof UNIT_STATES)[number];

/** A unit in a message of the stream. */
export interface UnitPosition {
  readonly unitId: string;
  /** Epoch milliseconds UTC. */
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  readonly speedKph: number | null;
  readonly courseDegrees: number | null;
  /** Whether the ignition is on; null: not known. */
  readonly ignition: boolean | null;
  readonly zoneIds: readonly string[];
}

export interface Unit {
  readonly id: string;
  name: string;
  last: UnitPosition | null;
  /** The last positions, `[lon, lat]`, the newest last. */
  trail: [number, number][];
}

export interface Fleet {
  readonly units: ReadonlyMap<string, Unit>;
  /** Takes the positions of a message. */
  readonly take: (positions: readonly UnitPosition[]) => void;
  /** Calls `draw` after each message, and without one now and then: a unit may have become silent. */
  readonly whenMoved: (draw: () => void) => void;
  readonly nameOf: (unitId: string) => string;
  /** A unit has this name, a new one too. */
  readonly named: (unitId: string, name: string) => void;
  readonly remove: (unitId: string) => void;
}

/** Number of positions in a trail. */
const TRAIL = 40;
/** Milliseconds after which a unit without a fix is silent. */
const SILENT_MS = 600_000;
/** As `SILENT_MS`, for a unit that moved: while it drives it sends more often. */
const SILENT_MOVING_MS = 180_000;
/** Milliseconds between two draws without a message. */
const REDRAW_MS = 20_000;
/** Speed above which a unit moves. */
const MOVING_KPH = 3;

/** A unit that stands is idle while its ignition is on, and parked otherwise. */
export function stateOf({ last }: Unit, now: number): UnitState {
  if (last === null) return 'silent';
  const isMoving = (last.speedKph ?? 0) > MOVING_KPH;
  if (now - last.time > (isMoving ? SILENT_MOVING_MS : SILENT_MS)) return 'silent';
  if (isMoving) return 'moving';
  return last.ignition === true ? 'idle' : 'parked';
}

/** The unit's heading: what the receiver sent, else the direction between its last two positions; null: not known. */
export function courseOf({ last, trail }: Unit): number | null {
  const [before, after] = trail.slice(-2);
  return (
    last?.courseDegrees ??
    (before === undefined || after === undefined ? null : headingDegrees(before, after))
  );
}

/** Clockwise from north, in the plane of the map; null for equal positions. */
export function headingDegrees(
  [lon, lat]: readonly number[],
  [toLon, toLat]: readonly number[],
): number | null {
  const north = toLat! - lat!;
  // The short way across the antimeridian.
  const east =
    (toLon! - lon! - 360 * Math.round((toLon! - lon!) / 360)) * Math.cos(((lat! + toLat!) * Math.PI) / 360);
  return north === 0 && east === 0 ? null : ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

export async function createFleet(api: Api): Promise<Fleet> {
  const { body } = await api.get<readonly { readonly id: string; readonly name: string }[]>('/units');
  const units = new Map(
    body.map(({ id, name }): [string, Unit] => [id, { id, name, last: null, trail: [] }]),
  );
  const draws: (() => void)[] = [];
  const drawAll = (): void => {
    for (const draw of draws) draw();
  };
  setInterval(drawAll, REDRAW_MS);
  return {
    units,
    nameOf: (unitId) => units.get(unitId)?.name ?? unitId,
    whenMoved: (draw) => void draws.push(draw),
    named(unitId, name) {
      const unit = units.get(unitId) ?? { id: unitId, name, last: null, trail: [] };
      unit.name = name;
      units.set(unitId, unit);
      drawAll();
    },
    remove(unitId) {
      units.delete(unitId);
      drawAll();
    },
    take(positions) {
      for (const position of positions) {
        const { unitId, time, lon, lat } = position;
        // A unit that was created after the page was opened.
        const unit = units.get(unitId) ?? { id: unitId, name: unitId, last: null, trail: [] };
        units.set(unitId, unit);
        // The way through a silence is not known.
        if (unit.last !== null && Math.abs(time - unit.last.time) > SILENT_MS) unit.trail = [];
        if (unit.last?.time !== time) unit.trail.push([lon, lat]);
        if (unit.trail.length > TRAIL) unit.trail.shift();
        unit.last = position;
      }
      drawAll();
    },
  };
}
