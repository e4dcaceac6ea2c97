/** Makes a run that fails a check smaller, and writes it as literal text. */

import type { RandomRun } from './randomRuns.js';

/** Leaves out options, days, points, planned times, fixes and columns as long as the run still fails. */
export function shrinkRun(run: RandomRun, fails: (run: RandomRun) => boolean): RandomRun {
  const stillFails = (other: RandomRun): boolean => {
    try {
      return fails(other);
    } catch {
      return false;
    }
  };
  let smallest = run;
  for (let isSmaller = true; isSmaller; ) {
    const next = smaller(smallest).find(stillFails);
    isSmaller = next !== undefined;
    if (next) smallest = next;
  }
  return smallest;
}

function smaller(run: RandomRun): RandomRun[] {
  const { trip, fixes, options } = run;
  const without = <Row extends object>(row: Row, key: string): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== key)) as Row;
  const points = trip.points.map((_, index) => ({
    ...run,
    trip: { ...trip, points: trip.points.filter((_point, k) => k !== index) },
  }));
  const plans = trip.points.flatMap((point, index) =>
    (['arrival', 'departure'] as const)
      .filter((name) => point[name])
      .map((name) => ({
        ...run,
        trip: {
          ...trip,
          points: trip.points.map((other, k) => (k === index ? { ...point, [name]: null } : other)),
        },
      })),
  );
  const days = trip.dates.length > 1 ? [{ ...run, trip: { ...trip, dates: [run.date] } }] : [];
  const settings = Object.keys(options)
    .filter((name) => name !== 'timeZone')
    .map((name) => ({ ...run, options: without(options, name) }));
  const columns = ['speedKph', 'ignition']
    .filter((name) => fixes.some((fix) => name in fix))
    .map((name) => ({ ...run, fixes: fixes.map((fix) => without(fix, name)) }));
  const blocks: RandomRun[] = [];
  for (let size = Math.ceil(fixes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < fixes.length; from += size)
      blocks.push({ ...run, fixes: fixes.filter((_, k) => k < from || k >= from + size) });
  }
  return [
    ...settings,
    ...days,
    ...points.filter(({ trip: { points: left } }) => left.length > 0),
    ...plans,
    ...columns,
    ...blocks,
  ];
}

/** The run as text that can be pasted into a test. */
export function literalOf({ trip, date, fixes, options }: RandomRun): string {
  const clock = (time: number): string => new Date(time).toISOString().slice(0, 19);
  const lines = fixes.map(({ time, lon, lat, speedKph, ignition }) =>
    [
      clock(time),
      lon,
      lat,
      speedKph === undefined ? '' : `${speedKph} km/h`,
      ignition === false ? 'off' : ignition ? 'on' : '',
    ]
      .join(' ')
      .trim(),
  );
  const plan = trip.points.map(({ name, geometry, width, arrival, departure }) => {
    const time = (word: string, at: typeof arrival): string =>
      at ? ` ${word} ${at.time}${at.deviation_minutes === undefined ? '' : `±${at.deviation_minutes}`}` : '';
    return `${name} ${JSON.stringify(geometry![0])} ${width} m${time('arrive', arrival)}${time('depart', departure)}`;
  });
  const about = [
    trip.activation_type?.key ?? 'activation by default',
    trip.passage_order_type.key,
    trip.dates.join(' '),
    `run of ${date}`,
    JSON.stringify({ ...options, ...(options.now === undefined ? {} : { now: clock(options.now) }) }),
  ];
  return [about.join(', '), ...plan, ...lines].join('\n');
}
