import { expect, it } from 'vitest';
import { type CleanFix, comparePreference } from '../../src/tracks/fixReader.js';
import { WaitingFixes } from '../../src/tracks/waitingFixes.js';
import { seeded, volume } from '../volume.js';

const fix = (time: number, lon: number): CleanFix => ({
  time,
  lon,
  lat: 0,
  speedKph: -1,
  accuracyMeters: -1,
  ignition: 255,
  mileageMeters: -1,
  mileageDeltaMeters: -1,
});

it('gives the fixes in order of time, the preferred of each time, as a sorted list does', () => {
  const random = seeded(12);
  for (let round = 0; round < volume(2000); round++) {
    const waiting = new WaitingFixes();
    let list: CleanFix[] = [];
    const span = 2 + Math.floor(60 * random());
    for (let i = 0; i < 80; i++) {
      if (random() < 0.7) {
        const next = fix(Math.floor(span * random()) - 5, Math.floor(3 * random()));
        const there = list.find(({ time }) => time === next.time);
        expect(waiting.add(next)).toBe(there === undefined);
        if (there === undefined) list.push(next);
        else if (comparePreference(next, there) < 0) list[list.indexOf(there)] = next;
        list.sort((a, b) => a.time - b.time);
      } else {
        const time = Math.floor(span * random()) - 5;
        const first = list[0] !== undefined && list[0].time < time ? list[0] : null;
        expect(waiting.takeBefore(time)).toEqual(first);
        if (first !== null) list = list.slice(1);
      }
      expect(waiting.size).toBe(list.length);
      expect(waiting.inOrder()).toEqual(list);
      expect(waiting.latest).toBe(list.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
    }
    expect(new WaitingFixes(waiting.inOrder()).inOrder()).toEqual(list);
  }
});

it('takes nothing from an empty list, and nothing at the given time', () => {
  const waiting = new WaitingFixes([fix(5, 1)]);
  expect(waiting.takeBefore(5)).toBeNull();
  expect(waiting.takeBefore(6)).toEqual(fix(5, 1));
  expect(waiting.takeBefore(Number.POSITIVE_INFINITY)).toBeNull();
});
