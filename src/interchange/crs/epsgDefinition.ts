/** Definitions of the built-in EPSG codes as proj strings (EPSG register; datum shifts are position vector transformations). */

import type { Datum } from './epsgRegister.js';

/** EPSG operation 5044, GOST R 51794-2008, for all of Russia. */
const PULKOVO_1942 = '+ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22';
/** EPSG operation 5043, GOST R 51794-2008. */
const PULKOVO_1995 = '+ellps=krass +towgs84=24.47,-130.89,-81.56,0,0,0.13,-0.22';
/** GOST 32453-2017. EPSG operation 9773 treats it as WGS84, accurate to a metre. */
const GSK_2011 = '+a=6378136.5 +rf=298.2564151 +towgs84=0,0,0,0,0,0,0';

const MERCATOR = '+proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0';
const SINGLE: ReadonlyMap<number, string> = new Map([
  [3857, `${MERCATOR} +a=6378137 +b=6378137 +lat_ts=0 +nadgrids=@null +units=m +no_defs`],
  [3395, `${MERCATOR} +datum=WGS84 +units=m +no_defs`],
  [4284, `+proj=longlat ${PULKOVO_1942} +no_defs`],
  [4200, `+proj=longlat ${PULKOVO_1995} +no_defs`],
  [7683, `+proj=longlat ${GSK_2011} +no_defs`],
]);

/** Gauss-Krüger zones of 6°, by ranges of codes. The number of a zone is its code minus `zero`. */
const GAUSS_KRUEGER: readonly (readonly [first: number, last: number, zero: number, datum: string])[] = [
  [28402, 28432, 28400, PULKOVO_1942],
  [20004, 20032, 20000, PULKOVO_1995],
  [20904, 20932, 20900, GSK_2011],
];

/** The definition of `EPSG:<code>`. Null for a code that is not built in. */
export function epsgDefinition(name: string): string | null {
  const digits = /^EPSG:(\d{4,5})$/.exec(name)?.[1];
  if (digits === undefined) return null;
  const code = Number(digits);
  const single = SINGLE.get(code);
  if (single !== undefined) return single;
  const utm = code % 100;
  if (utm >= 1 && utm <= 60 && (code - utm === 32600 || code - utm === 32700)) {
    return `+proj=utm +zone=${utm}${code > 32700 ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`;
  }
  for (const [first, last, zero, datum] of GAUSS_KRUEGER) {
    if (code < first || code > last) continue;
    const zone = code - zero;
    const meridian = zone <= 30 ? 6 * zone - 3 : 6 * zone - 363;
    return `+proj=tmerc +lat_0=0 +lon_0=${meridian} +k=1 +x_0=${zone}500000 +y_0=0 ${datum} +units=m +no_defs`;
  }
  return null;
}

/** The words of proj4 for the shift of a datum. Without a known shift, degrees are not changed, as in PROJ. */
export function shiftWord({ shift, errorMeters }: Datum): string {
  if (errorMeters === Number.POSITIVE_INFINITY) return '+nadgrids=@null';
  return `+towgs84=${shift === '' ? '0,0,0' : shift}`;
}
