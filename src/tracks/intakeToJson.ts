/** A unit's intake as plain JSON, and back. */

import type { Intake } from './fixIntake.js';
import { type CleanFix, UNKNOWN } from './fixReader.js';
import { type Examples, reasonsListed } from './rejection.js';
import type { StateReader } from './stateReader.js';
import { Suspects } from './suspects.js';
import { WaitingFixes } from './waitingFixes.js';

/** In the order in which a snapshot lists them. */
const REASONS = reasonsListed('always');

/** Left out where they are 0. */
const REASONS_IF_ANY = reasonsListed('ifAny');

export function intakeToJson(intake: Intake): object {
  const { time, lon, lat, watermark, released, suspects, ahead, pending, rejected, examples } = intake;
  return {
    in: intake.in,
    applied: intake.applied,
    duplicate: intake.duplicate,
    late: intake.late,
    rejected: Object.fromEntries(
      [...REASONS, ...REASONS_IF_ANY.filter((reason) => rejected?.[reason])].map((reason) => [
        reason,
        rejected?.[reason] ?? 0,
      ]),
    ),
    time,
    lon,
    lat,
    speedKph: intake.speedKph,
    mileageMeters: intake.mileageMeters,
    placeTime: intake.placeTime,
    repeats: intake.repeats,
    isFrozen: intake.isFrozen,
    isJammed: intake.isJammed,
    isFirst: intake.isFirst,
    watermark: Number.isFinite(watermark) ? watermark : null,
    released: Number.isFinite(released) ? released : null,
    suspects: (suspects?.toArray() ?? []).map(fixToJson),
    ahead: ahead && fixToJson(ahead),
    pending: (pending?.inOrder() ?? []).map(fixToJson),
    // Left out without an example, so that older snapshots stay valid.
    ...(examples && { examples: examplesToJson(examples) }),
  };
}

export function intakeFromJson(reader: StateReader): Intake {
  const counts = reader.child('rejected');
  const rejected: Intake['rejected'] = {};
  for (const reason of REASONS) if (counts.count(reason) > 0) rejected[reason] = counts.count(reason);
  for (const reason of REASONS_IF_ANY)
    if (counts.numberIfAny(reason, 0) > 0) rejected[reason] = counts.count(reason);
  const pending = reader.children('pending').map(fixFromJson);
  const suspects = reader.children('suspects').map(fixFromJson);
  const ahead = reader.childOrNull('ahead');
  return {
    time: reader.time('time'),
    lon: reader.lon('lon'),
    lat: reader.lat('lat'),
    speedKph: reader.number('speedKph'),
    mileageMeters: reader.number('mileageMeters'),
    placeTime: reader.time('placeTime'),
    repeats: reader.count('repeats'),
    isFrozen: reader.boolean('isFrozen'),
    isJammed: reader.boolean('isJammed'),
    isFirst: reader.boolean('isFirst'),
    watermark: reader.numberOr('watermark', Number.NEGATIVE_INFINITY),
    released: reader.numberOr('released', Number.NEGATIVE_INFINITY),
    suspects: suspects.length > 0 ? new Suspects(suspects) : null,
    ahead: ahead && fixFromJson(ahead),
    pending: pending.length > 0 ? new WaitingFixes(pending) : null,
    in: reader.count('in'),
    applied: reader.count('applied'),
    duplicate: reader.count('duplicate'),
    late: reader.count('late'),
    rejected: Object.keys(rejected).length > 0 ? rejected : null,
    examples: examplesFromJson(reader.childIfAny('examples')),
  };
}

function examplesToJson(examples: Examples): object {
  return Object.fromEntries(
    [...REASONS, ...REASONS_IF_ANY].flatMap((reason) => {
      const { rank, time, field, message } = examples[reason] ?? {};
      return rank === undefined ? [] : [[reason, { rank, time, field, message }]];
    }),
  );
}

function examplesFromJson(reader: StateReader | null): Examples | null {
  if (reader === null) return null;
  const examples: Examples = {};
  for (const reason of [...REASONS, ...REASONS_IF_ANY]) {
    const one = reader.childIfAny(reason);
    if (one === null) continue;
    examples[reason] = {
      rank: one.count('rank'),
      time: one.numberOr('time', null),
      field: one.text('field'),
      message: one.text('message'),
    };
  }
  return examples;
}

/** Mileages are written only if known, so that older snapshots of units without mileage stay valid. */
export function fixToJson(fix: CleanFix): object {
  const { time, lon, lat, speedKph, accuracyMeters, ignition, mileageMeters, mileageDeltaMeters } = fix;
  const plain = { time, lon, lat, speedKph, accuracyMeters, ignition };
  if (mileageMeters === UNKNOWN && mileageDeltaMeters === UNKNOWN) return plain;
  return {
    ...plain,
    ...(mileageMeters !== UNKNOWN && { mileageMeters }),
    ...(mileageDeltaMeters !== UNKNOWN && { mileageDeltaMeters }),
  };
}

export function fixFromJson(reader: StateReader): CleanFix {
  return {
    time: reader.time('time'),
    lon: reader.lon('lon'),
    lat: reader.lat('lat'),
    speedKph: reader.number('speedKph'),
    accuracyMeters: reader.number('accuracyMeters'),
    ignition: reader.number('ignition'),
    mileageMeters: reader.numberIfAny('mileageMeters', UNKNOWN),
    mileageDeltaMeters: reader.numberIfAny('mileageDeltaMeters', UNKNOWN),
  };
}
