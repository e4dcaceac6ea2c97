/** Snapshots of version 2, from before jams and frozen positions were recognised, in the form of version 3. */

import { isArray } from '../core/errors.js';
import type { UnknownFields } from '../core/input.js';
import { UNKNOWN } from './fixReader.js';

/** Defaults of the options that version 2 lacked; those of a kind that it had stay. */
const NEW_OPTIONS = {
  maxJamSeconds: 3600,
  frozenSpeedKph: 10,
  parkedMeters: 200,
  maxCrossedMeters: 5000,
  maxAccuracyMeters: 'Infinity',
  minSatellites: 0,
};

/** A snapshot of version 2 as one of version 3; any other value as it is. Parts of other types are left for the reader to reject. */
export function upgradedSnapshot(snapshot: unknown): unknown {
  if (!isFields(snapshot) || snapshot['version'] !== 2) return snapshot;
  const { options, units } = snapshot;
  return {
    ...snapshot,
    version: 3,
    options: isFields(options) ? { ...NEW_OPTIONS, ...options } : options,
    units: mapped(units, upgradedUnit),
  };
}

function upgradedUnit(unit: UnknownFields): UnknownFields {
  const { held, rejected, examples, time, stays, movement, ...rest } = unit;
  return {
    ...rest,
    time,
    rejected: isFields(rejected)
      ? { accuracy: 0, satellites: 0, jammed: 0, frozen: 0, ...renamed(rejected) }
      : rejected,
    ...(examples !== undefined && { examples: isFields(examples) ? renamed(examples) : examples }),
    speedKph: UNKNOWN,
    mileageMeters: UNKNOWN,
    placeTime: time,
    repeats: 0,
    isFrozen: false,
    isJammed: false,
    isFirst: unit['applied'] === 1,
    suspects: held === null ? [] : [held],
    ...(stays !== undefined && {
      stays: mapped(stays, ({ left, ...dwell }) => ({ ...dwell, leftAt: left === true ? time : null })),
    }),
    ...(movement !== undefined && { movement, atPlace: null }),
  };
}

function renamed({ 'speed-implausible': speed, ...others }: UnknownFields): UnknownFields {
  return speed === undefined ? others : { ...others, speed };
}

function mapped(list: unknown, change: (item: UnknownFields) => UnknownFields): unknown {
  return isArray(list) ? list.map((item: unknown) => (isFields(item) ? change(item) : item)) : list;
}

function isFields(value: unknown): value is UnknownFields {
  return typeof value === 'object' && value !== null && !isArray(value);
}
