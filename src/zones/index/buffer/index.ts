/** An index as one buffer. */

export { openIndex, packIndex } from './indexBuffer.js';
