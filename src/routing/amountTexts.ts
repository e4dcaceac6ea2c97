/** Distances and durations as texts in a language. */

import { inputError } from '../core/errors.js';

/** Functions that write amounts in one language. */
export interface AmountTexts {
  readonly distance: (meters: number) => string;
  readonly duration: (seconds: number) => string;
}

/**
 * Texts of amounts in a language. Distances: whole metres below 1 km, kilometres with one decimal below 100 km, whole kilometres beyond. Durations:
 * whole minutes (at least one unless the duration is 0), with hours from 60 minutes on. Error: `language-unknown` for a value that is not a language
 * tag.
 */
export function amountTexts(language: string): AmountTexts {
  const unit = (name: string, digits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
  const meter = unitOrUnknown(language, () => unit('meter', 0));
  const [kilometer, wholeKilometer] = [unit('kilometer', 1), unit('kilometer', 0)];
  const [hour, minute] = [unit('hour', 0), unit('minute', 0)];
  return {
    distance(meters) {
      if (Math.round(meters) < 1000) return meter.format(meters);
      return (meters < 99_950 ? kilometer : wholeKilometer).format(meters / 1000);
    },
    duration(seconds) {
      const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
      if (minutes < 60) return minute.format(minutes);
      const rest = minutes % 60;
      const hours = hour.format((minutes - rest) / 60);
      return rest === 0 ? hours : `${hours} ${minute.format(rest)}`;
    },
  };
}

export function unitOrUnknown<T>(language: unknown, make: () => T): T {
  try {
    if (typeof language === 'string' && language !== '') return make();
  } catch {
    // `Intl` throws a RangeError for a text that is not a BCP 47 tag.
  }
  throw inputError('language-unknown', 'options.language', 'a language tag (BCP 47)', language);
}
