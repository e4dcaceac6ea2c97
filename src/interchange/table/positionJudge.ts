/** Judges the positions of two columns, or of one column with both: their form, and whether latitude and longitude are exchanged. */

import { dmsDegrees, type PositionForm, pairTexts, wktPoint } from './positionForm.js';
import { tableNumber } from './tableNumber.js';

export class PositionJudge {
  cells = 0;
  degrees = 0;
  dms = 0;
  points = 0;
  /** Number of latitudes beyond 90 whose longitude is within 90. */
  beyond = 0;
  /** Number of positions that can be `ddmm.mmmm`, or integers of small fractions of a degree. */
  readonly fits: Record<'ddmm' | '1e-5' | '1e-6' | '1e-7', number> = {
    ddmm: 0,
    '1e-5': 0,
    '1e-6': 0,
    '1e-7': 0,
  };
  /** Number of positions padded as in NMEA: `5618.31326`, `04400.62598`. */
  padded = 0;
  fractions = 0;
  readonly #decimal: '.' | ',';

  constructor(decimal: '.' | ',') {
    this.#decimal = decimal;
  }

  addPair(text: string): void {
    if (text.trim() === '') return;
    if (wktPoint(text) !== null) {
      this.cells++;
      this.points++;
      return;
    }
    const halves = pairTexts(text);
    if (halves === null) this.cells++;
    else this.add(halves[0], halves[1]);
  }

  add(latText: string, lonText: string): void {
    if (latText.trim() === '' || lonText.trim() === '') return;
    this.cells++;
    const lat = tableNumber(latText.replace(/[°º]\s*$/, ''), this.#decimal);
    const lon = tableNumber(lonText.replace(/[°º]\s*$/, ''), this.#decimal);
    if (lat === null || lon === null) {
      if (dmsDegrees(latText) !== null && dmsDegrees(lonText) !== null) this.dms++;
      return;
    }
    if (/[.,]\d/.test(latText)) this.fractions++;
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 540) this.degrees++;
    else if (Math.abs(lat) <= 180 && Math.abs(lon) <= 90) this.beyond++;
    if (/^\d{4}[.,]\d+$/.test(latText.trim()) && /^\d{5}[.,]\d+$/.test(lonText.trim())) this.padded++;
    if (isMinutes(lat, 90) && isMinutes(lon, 180)) this.fits.ddmm++;
    if (!Number.isInteger(lat) || !Number.isInteger(lon)) return;
    for (const [form, scale] of [
      ['1e-5', 1e5],
      ['1e-6', 1e6],
      ['1e-7', 1e7],
    ] as const) {
      if (Math.abs(lat) <= 90 * scale && Math.abs(lon) <= 180 * scale) this.fits[form]++;
    }
  }

  /** The form shown by the cells; the possible forms if there are several; null if there is none. */
  get form(): PositionForm | 'wkt' | 'exchanged' | readonly PositionForm[] | null {
    const { cells } = this;
    if (cells === 0) return null;
    const most = 0.9 * cells;
    if (this.points >= most) return 'wkt';
    if (this.dms + this.degrees >= most && this.dms > 0) return 'dms';
    if (this.padded >= most) return ['ddmm'];
    if (this.degrees >= most) return 'degrees';
    if (this.beyond >= most) return 'exchanged';
    const names = ['ddmm', '1e-7', '1e-6', '1e-5'] as const;
    const possible = names.filter((form) => this.fits[form] >= most);
    if (possible.length > 0)
      return this.fractions > most
        ? possible.filter((form) => form === 'ddmm')
        : possible.filter((form) => form !== 'ddmm' || this.fractions > 0);
    return this.degrees + this.dms > cells / 2 ? (this.dms > this.degrees ? 'dms' : 'degrees') : null;
  }
}

function isMinutes(value: number, most: number): boolean {
  const size = Math.abs(value);
  const degrees = Math.floor(size / 100);
  return degrees <= most && size - 100 * degrees < 60 && size >= 100;
}
