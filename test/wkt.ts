/** The positions of a line or ring, written as in WKT: `0 0, 10 0, 10 10`. */
export function wkt(text: string): [number, number][] {
  return text.split(',').map((pair) => {
    const numbers = pair.trim().split(/\s+/).map(Number);
    if (numbers.length !== 2 || numbers.some(Number.isNaN))
      throw new Error(`expected two numbers, received ${pair}`);
    return numbers as [number, number];
  });
}
