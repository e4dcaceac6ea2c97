/** The search for nearest zones. */

export { NearSearch } from './nearSearch.js';
