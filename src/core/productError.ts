/** The error of a product of doubles, which is a double itself (Dekker, DOI 10.1007/BF01397083). */

/** Factor 2^27 + 1, which splits a double into two halves whose products are exact. */
const SPLITTER = 134_217_729;

/** The exact value of a × b - product, where `product` is the rounded a × b. No part may overflow or underflow. */
export function productError(a: number, b: number, product: number): number {
  const aBig = SPLITTER * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = SPLITTER * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
