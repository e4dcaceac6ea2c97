import type library = require('geographiclib-geodesic');

let loaded: typeof library | null = null;

/** `geographiclib-geodesic`, loaded at the first call. */
const load = (): typeof library => {
  loaded ??= require('geographiclib-geodesic') as typeof library;
  return loaded;
};

export = load;
