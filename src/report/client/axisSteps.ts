/** Round steps of axes. */

/** Steps of time axes, milliseconds. */
export const MINUTE_STEPS: readonly number[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080,
].map((minutes) => minutes * 60_000);

export const METER_STEPS: readonly number[] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((power) =>
  [1, 2, 5].map((value) => value * power),
);
