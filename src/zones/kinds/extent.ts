/** The least and the greatest of some numbers. */

export function extent(values: Float64Array): [least: number, greatest: number] {
  let [least, greatest] = [values[0]!, values[0]!];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}
