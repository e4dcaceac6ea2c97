/** The part of a straight step in space that lies in a capsule: within a radius of a segment. */

/** Square of the sine of the angle below which a step and a segment count as parallel. */
const PARALLEL = 1e-18;

/**
 * Computes the fractions `from`, `to` of a step (`step`: x, y, z of both ends) within `radius` of a segment (x, y, z of both ends from `at`
 * on in `space`), and writes them to `span`. False if there are none.
 *
 * A capsule is convex: the fractions in the balls at its ends and in the cylinder between them together are one interval.
 */
export function capsuleSpan(
  step: Float64Array,
  space: Float64Array,
  at: number,
  radius: number,
  span: Float64Array,
): boolean {
  const dx = step[3]! - step[0]!;
  const dy = step[4]! - step[1]!;
  const dz = step[5]! - step[2]!;
  const px = step[0]! - space[at]!;
  const py = step[1]! - space[at + 1]!;
  const pz = step[2]! - space[at + 2]!;
  const sx = space[at + 3]! - space[at]!;
  const sy = space[at + 4]! - space[at + 1]!;
  const sz = space[at + 5]! - space[at + 2]!;
  const way = dx * dx + dy * dy + dz * dz;
  const square = radius * radius;
  span[0] = Number.POSITIVE_INFINITY;
  span[1] = Number.NEGATIVE_INFINITY;
  addRoots(span, way, px * dx + py * dy + pz * dz, px * px + py * py + pz * pz - square, 0, 1);
  const [qx, qy, qz] = [px - sx, py - sy, pz - sz];
  addRoots(span, way, qx * dx + qy * dy + qz * dz, qx * qx + qy * qy + qz * qz - square, 0, 1);
  const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
  if (length > 0) {
    // Along the axis the step goes from `start` by `run`; the rest is across it.
    const [nx, ny, nz] = [sx / length, sy / length, sz / length];
    const start = px * nx + py * ny + pz * nz;
    const run = dx * nx + dy * ny + dz * nz;
    const [ax, ay, az] = [px - start * nx, py - start * ny, pz - start * nz];
    const [bx, by, bz] = [dx - run * nx, dy - run * ny, dz - run * nz];
    let from = 0;
    let to = 1;
    if (run !== 0) {
      const [one, other] = [-start / run, (length - start) / run];
      from = Math.max(from, Math.min(one, other));
      to = Math.min(to, Math.max(one, other));
    } else if (start < 0 || start > length) to = -1;
    const across = bx * bx + by * by + bz * bz;
    addRoots(
      span,
      across > PARALLEL * way ? across : 0,
      ax * bx + ay * by + az * bz,
      ax * ax + ay * ay + az * az - square,
      from,
      to,
    );
  }
  return span[0]! <= span[1]!;
}

/** Widens a span by the t between `from` and `to` at which a t² + 2 b t + c ≤ 0, for a ≥ 0; if a = 0, by all of them if c ≤ 0. */
function addRoots(span: Float64Array, a: number, b: number, c: number, from: number, to: number): void {
  let [low, high] = [from, to];
  if (a === 0) {
    if (c > 0) return;
  } else {
    const discriminant = b * b - a * c;
    if (discriminant < 0) return;
    const root = Math.sqrt(discriminant);
    low = Math.max(from, (-b - root) / a);
    high = Math.min(to, (-b + root) / a);
  }
  if (!(low <= high)) return;
  span[0] = Math.min(span[0]!, low);
  span[1] = Math.max(span[1]!, high);
}
