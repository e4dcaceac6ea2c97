/** Formats amounts as texts, and compares them. */

/** `hours:minutes:seconds`; empty for null. */
export function duration(ms: number | null): string {
  if (ms === null) return '';
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Formats numbers in the page's language, with exactly `digits` decimals; empty for null. */
export function numberFormat(language: string): (value: number | null, digits: number) => string {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, digits) => {
    if (value === null) return '';
    let format = formats.get(digits);
    if (format === undefined) {
      format = new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      formats.set(digits, format);
    }
    return format.format(value);
  };
}

/** Compares two values for sorting. Absent values come last in both directions. */
export function compare(a: Sortable, b: Sortable, isDown: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDown ? -order : order;
}

export type Sortable = string | number | null;

/** `template` with each `{key}` replaced by its value. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** About `count` round steps between two values. */
export function ticks(from: number, to: number, count: number, steps: readonly number[]): number[] {
  const step = steps.find((value) => (to - from) / value <= count) ?? steps.at(-1)!;
  const list: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return list;
}
