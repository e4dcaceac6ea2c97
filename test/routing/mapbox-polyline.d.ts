/** The package ships no types; this says what the tests and the bench use of it. */
declare module '@mapbox/polyline' {
  const polyline: {
    decode(text: string, precision?: number): [lat: number, lon: number][];
    encode(line: readonly (readonly [lat: number, lon: number])[], precision?: number): string;
  };
  export default polyline;
}
