/** Writes minutes as hours and minutes. */

/** Minutes as `HH:mm`, rounded down. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Minutes east of UTC as `+HH:mm` or `-HH:mm`. */
export function offsetText(minutes: number): string {
  return `${minutes < 0 ? '-' : '+'}${clockText(Math.abs(minutes))}`;
}
