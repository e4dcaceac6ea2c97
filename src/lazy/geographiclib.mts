import library from 'geographiclib-geodesic';

/** `geographiclib-geodesic`, for pages: it loads at once, not at the first call. */
const load = (): typeof library => library;

export default load;
