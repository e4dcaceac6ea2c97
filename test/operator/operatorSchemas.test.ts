import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import {
  type UnitMessage,
  type UnitOutput,
  type UnitState,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { UnitMessageSchema, UnitOutputSchema, UnitStateSchema } from '../../src/schemas/index.js';
import { seeded } from '../volume.js';
import { UNIT, unitStream } from './streamOfUnit.js';

const plain = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

/** Messages, outputs and states of 16 random streams, with their late fixes and rebuilds. */
function samples(): { messages: object[]; outputs: UnitOutput[]; states: UnitState[] } {
  const messages: object[] = [];
  const outputs: UnitOutput[] = [];
  const states: UnitState[] = [];
  for (let seed = 0; seed < 16; seed++) {
    const { options, places, atoms } = unitStream(seeded(seed + 77_000), 30, 300);
    const operator = unitOperator(() => places, options);
    const own: UnitOutput[] = [];
    let step: UnitStep | null = null;
    const take = (input: UnitMessage['input']): void => {
      const message: UnitMessage = { unitId: UNIT, zonesVersion: 1, input };
      step = operator.step(step?.state ?? null, message);
      own.push(...step.outputs);
      messages.push(plain(message));
      states.push(step.state);
    };
    for (const atom of atoms) take(atom);
    const fixes = atoms.flatMap((atom) => (atom.kind === 'fixes' ? atom.fixes : []));
    take({ kind: 'rebuild', of: 'all', fixes, outputs: [...own] });
    outputs.push(...own);
  }
  return { messages, outputs, states };
}

const { messages, outputs, states } = samples();

test('messages, outputs and states are as their schemas say', () => {
  const kinds = outputs.map(({ of, event }) => `${of} ${event.type} ${'kind' in event ? event.kind : ''}`);
  for (const part of ['visits enter ', 'visits hours ', 'movement end trip', 'speeding end speeding'])
    expect(kinds).toContain(part);
  for (const part of ['visits revised ', 'routes turned route', 'trips revised ', 'routes deviated route'])
    expect(kinds).toContain(part);
  for (const one of messages) expect(Check(UnitMessageSchema, one), JSON.stringify(one)).toBe(true);
  for (const one of outputs) expect(Check(UnitOutputSchema, plain(one)), JSON.stringify(one)).toBe(true);
  for (const one of states) expect(Check(UnitStateSchema, plain(one)), JSON.stringify(one)).toBe(true);
});

test('without a field, or with another kind of value in one, they are not', () => {
  /** One of each form. */
  const forms = (list: readonly object[]): object[] => [
    ...new Map(
      list.map((one) => [
        JSON.stringify([
          Object.keys(one),
          (one as { of?: string }).of,
          (one as { event?: { type: string } }).event?.type,
        ]),
        plain(one),
      ]),
    ).values(),
  ];
  for (const [schema, list] of [
    [UnitMessageSchema, forms(messages)],
    [UnitOutputSchema, forms(outputs)],
    [UnitStateSchema, forms(states).slice(0, 1)],
  ] as const)
    for (const one of list)
      for (const field of Object.keys(one)) {
        expect(Check(schema, { ...one, [field]: undefined }), field).toBe(false);
        expect(Check(schema, { ...one, [field]: true }), field).toBe(false);
      }
  for (const one of forms(outputs)) {
    const { event } = one as { event: Record<string, unknown> };
    for (const field of Object.keys(event).filter((name) => name !== 'open' && name !== 'kind'))
      expect(Check(UnitOutputSchema, { ...one, event: { ...event, [field]: undefined } }), field).toBe(false);
  }
});
