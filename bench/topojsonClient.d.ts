declare module 'topojson-client' {
  /** The GeoJSON of an object of a topology. */
  export function feature(topology: object, object: object): object;
  /** The lines of a topology that `isKept` keeps, each once. */
  export function mesh(topology: object, object: object, isKept: (a: object, b: object) => boolean): object;
}
