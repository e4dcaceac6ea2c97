import fc from 'fast-check';
import { expect, it } from 'vitest';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { Ruler } from '../../../src/tracks/stays/ruler.js';
import { volume } from '../../volume.js';

it('differs from the geodesic by at most a thousandth below 2 km, and not beyond, anywhere', () => {
  const ruler = new Ruler();
  const near = fc.double({ min: -0.04, max: 0.04, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -89.96, max: 89.96, noNaN: true }),
      near,
      near,
      (lon, lat, east, north) => {
        const step = lon + east / Math.cos((lat * Math.PI) / 180);
        const other = step > 180 ? step - 360 : step < -180 ? step + 360 : step;
        if (Math.abs(other) > 180) return;
        const exact = geodesicDistance(lon, lat, other, lat + north);
        const meters = ruler.meters(lon, lat, other, lat + north);
        expect(Math.abs(meters - exact)).toBeLessThanOrEqual(exact < 1990 ? 1e-3 * exact + 1e-9 : 2.1);
      },
    ),
    { numRuns: volume(40_000) },
  );
});
