/** Advice in a message about a GeoJSON object that was passed in place of a zone or a list of zones. */

const GEOJSON_TYPE = /^(?:Feature(?:Collection)?|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)$/;

/** The hint for the member `type` of a value, or '' for a type that GeoJSON (RFC 7946, section 1.4) does not name. */
export function geoJsonHint(type: unknown): string {
  return typeof type === 'string' && GEOJSON_TYPE.test(type)
    ? ` (a GeoJSON ${type} is read by fromGeoJson of wayzone/interchange)`
    : '';
}
