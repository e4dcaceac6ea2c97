import library from 'geographiclib-geodesic';

/** `geographiclib-geodesic`. In a page nothing loads late. */
const load = (): typeof library => library;

export default load;
