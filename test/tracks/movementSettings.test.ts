import { describe, expect, it } from 'vitest';
import {
  detectTrips,
  type MovementItem,
  readTrack,
  type TripDetectorFields,
} from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { drive, randomSettings } from './drives.js';
import { type SlowItem, slowMovement } from './oracle/slowMovement.js';
import { START } from './planeIndex.js';
import { PLAIN, report } from './shortDrives.js';

describe('settings', () => {
  it('are an object or a list, of numbers or text; absent and empty fields have their default', () => {
    const object: TripDetectorFields = {
      tripdetector_minparktime: '240',
      tripdetector_minmovespeed: 5,
      tripdetector_mintripdist: ' 50.5 ',
      key_tripdetector_movedetect: 'speedkph',
    };
    const list = Object.entries(object).map(([key, value]) => ({ key, value: value as unknown }));
    const other = [
      { key: 'colour', value: 'red' },
      { key: 'colour', value: 'blue' },
    ];
    expect(report(PLAIN, [...other, ...list] as never)).toEqual(report(PLAIN, object));
    const empty = {
      tripdetector_minparktime: '',
      tripdetector_mintripdist: null as never,
      advanced_mileagecoeff: ' ',
    };
    expect(report(PLAIN, empty)).toEqual(report(PLAIN));
    expect(report(PLAIN, Object.create({ tripdetector_minparktime: 'x' }) as TripDetectorFields)).toEqual(
      report(PLAIN),
    );
  });

  it('that are invalid are named', () => {
    for (const [name, value] of [
      ['tripdetector_minparktime', -1],
      ['tripdetector_minmovespeed', 'fast'],
      ['tripdetector_mintripdist', '0x10'],
      ['tripdetector_mintriptime', Number.NaN],
      ['tripdetector_maxdistancemsg', '1,5'],
      ['advanced_maxintervalmsg', {}],
      ['advanced_mileagecoeff', true],
      ['advanced_mileagecoeff', 1e308],
      ['advanced_mileagecoeff', '1'.repeat(400)],
      ['key_tripdetector_movedetect', 'gps'],
      ['tripdetector_gpscorrect', 'maybe'],
      ['tripdetector_mileagedetect', 'mileage_gps'],
      ['tripdetector_mileagedetect', 1],
    ] as const) {
      for (const settings of [{ [name]: value }, [{ key: name, value }]]) {
        expect(errorOf(() => report([], settings as TripDetectorFields))).toMatchObject({
          code: 'setting-value',
          field: `settings.${name}`,
        });
      }
    }
    const twice = [1, 2].map((value) => ({ key: 'tripdetector_mintripdist', value }));
    expect(errorOf(() => report([], twice as never))).toMatchObject({
      code: 'setting-value',
      field: 'settings[1]',
    });
    expect(errorOf(() => report([], 7 as never))).toMatchObject({ code: 'settings-type' });
    expect(errorOf(() => report([], [7] as never))).toMatchObject({ code: 'settings-type' });
    expect(errorOf(() => report([], {}, { jump: 'far' as never }))).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => report([], {}, { maxJumpSpeedKph: -1 }))).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => detectTrips({ length: 1 } as never))).toMatchObject({ code: 'track-invalid' });
  });
});

describe('detectTrips against a second implementation', () => {
  it('agrees on generated days with mixed settings', () => {
    let trips = 0;
    for (let seed = 0; seed < volume(5000); seed++) {
      const random = seeded(seed);
      const { settings, options, slow } = randomSettings(random);
      const track = readTrack(drive(random, 60), { maxSpeedKph: Number.POSITIVE_INFINITY });
      const fast = detectTrips(track, settings, options);
      const plain = slowMovement(track, slow);
      for (const kind of ['trips', 'parkings', 'stops'] as const) {
        const message = `seed ${seed}, ${kind}, ${JSON.stringify(slow)}`;
        expect(fast[kind].map(short), message).toEqual(plain[kind].map(short));
        // The last reading of an odometer may lie before a parking or stop. Only trips are independent of earlier fixes.
        if (slow.mileage === 'mileage_mileage_sensor' && kind !== 'trips') continue;
        fast[kind].forEach(({ distanceMeters }, i) => {
          expect(Math.abs(distanceMeters - plain[kind][i]!.distanceMeters), message).toBeLessThan(1e-3);
        });
      }
      trips += fast.trips.length;
    }
    expect(trips).toBeGreaterThan(volume(5000));
  });

  it('finds the same trips in every period that contains them', () => {
    let compared = 0;
    for (let seed = 0; seed < volume(5000); seed++) {
      const random = seeded(1_000_000 + seed);
      const { settings, options, slow } = randomSettings(random);
      const fixes = drive(random, 80);
      const [first, last] = [fixes[0]!.time, fixes.at(-1)!.time];
      const begin = first + Math.floor((last - first) * random() * 0.7);
      const end = begin + Math.floor((last - begin) * random());
      const period = fixes.filter(({ time }) => time >= begin && time <= end);
      const whole = report(fixes, settings, options).trips;
      const part = report(period, settings, options).trips;
      const isHeld = ({ from, to }: MovementItem): boolean =>
        period.length > 0 &&
        from > period[0]!.time &&
        to + slow.minparktime * 1000 < end &&
        to + slow.maxintervalmsg * 1000 < end;
      const held = whole.filter(isHeld);
      compared += held.length;
      for (const trip of held) expect(part, `seed ${1_000_000 + seed}`).toContainEqual(trip);
    }
    expect(compared).toBeGreaterThan(volume(5000) / 4);
  });
});

function short({ from, to, maxSpeedKph }: SlowItem): unknown[] {
  return [(from - START) / 1000, (to - START) / 1000, maxSpeedKph === null ? null : maxSpeedKph.toFixed(6)];
}
