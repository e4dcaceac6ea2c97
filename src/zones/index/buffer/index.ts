/** An index as one buffer. */

export { openIndex, writeIndex } from './indexBuffer.js';
