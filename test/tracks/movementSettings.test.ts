import { describe, expect, it } from 'vitest';
import { detectTrips, readTrack, type TripDetectorFields } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { drive, randomSettings } from './drives.js';
import { slowMovement } from './oracle/slowMovement.js';
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
      for (const kind of ['trips', 'parkings', 'stops', 'unknown'] as const) {
        const message = `seed ${seed}, ${kind}, ${JSON.stringify(slow)}`;
        expect(fast[kind].map(short(track.time[0]!)), message).toEqual(
          plain[kind].map(({ from, to, reason }) => [from, to, reason]),
        );
        fast[kind].forEach(({ distanceMeters }, i) => {
          const own = plain[kind][i]!.distanceMeters;
          if (own !== null) expect(Math.abs(distanceMeters - own), message).toBeLessThan(1e-3);
        });
      }
      trips += fast.trips.length;
    }
    expect(trips).toBeGreaterThan(volume(5000));
  });
});

function short(first: number): (item: { from: number; to: number; reason?: string }) => unknown[] {
  return ({ from, to, reason }) => [(from - first) / 1000, (to - first) / 1000, reason];
}
