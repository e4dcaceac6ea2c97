/** Declares what the tests use of jsts, whose modules have no types. */

declare module 'jsts/org/locationtech/jts/geom/Coordinate.js' {
  export default class Coordinate {
    constructor(x: number, y: number);
  }
}

declare module 'jsts/org/locationtech/jts/geom/GeometryFactory.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
  export interface LinearRing {
    readonly isLinearRing: true;
  }
  export interface Polygonal {
    readonly isPolygonal: true;
  }
  export default class GeometryFactory {
    createLinearRing(coordinates: Coordinate[]): LinearRing;
    createPolygon(shell: LinearRing, holes: LinearRing[]): Polygonal;
    createMultiPolygon(polygons: Polygonal[]): Polygonal;
  }
}

declare module 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js' {
  import type { Polygonal } from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
  export default class IsValidOp {
    constructor(geometry: Polygonal);
    getValidationError(): { getMessage(): string } | null;
  }
}
