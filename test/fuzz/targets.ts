/** The list of all targets. */

import { BINARY_TARGETS } from './binaryTargets.js';
import { ENGINE_TARGETS } from './engineTargets.js';
import { READER_TARGETS } from './readerTargets.js';
import { STATE_TARGETS } from './stateTargets.js';
import type { Target } from './target.js';
import { TEXT_TARGETS } from './textTargets.js';
import { WIRE_TARGETS } from './wireTargets.js';

export const TARGETS: readonly Target[] = [
  ...READER_TARGETS,
  ...BINARY_TARGETS,
  ...TEXT_TARGETS,
  ...WIRE_TARGETS,
  ...STATE_TARGETS,
  ...ENGINE_TARGETS,
];

export function targetOf(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) {
    throw new Error(`no target ${name}; there are ${TARGETS.map((target) => target.name).join(', ')}`);
  }
  return found;
}
