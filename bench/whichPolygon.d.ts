/** Types for which-polygon, which ships none. */
declare module 'which-polygon' {
  import type { FeatureCollection, Polygon } from 'geojson';

  function whichPolygon<Properties>(
    data: FeatureCollection<Polygon, Properties>,
  ): (position: [number, number], multi: true) => Properties[] | undefined;
  export default whichPolygon;
}
