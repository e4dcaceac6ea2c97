declare module 'topojson-client' {
  /** The GeoJSON of an object of a topology. */
  export function feature(topology: object, object: object): object;
}
