/** Declares what the tests and the bench use; the package ships no types. */
declare module '@mapbox/polyline' {
  const polyline: {
    decode(text: string, precision?: number): [lat: number, lon: number][];
    encode(line: readonly (readonly [lat: number, lon: number])[], precision?: number): string;
  };
  export default polyline;
}
