import { test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { differences } from './oracle/differences.js';
import { countJoints, reportOf } from './oracle/slowReport.js';
import { slowRun } from './oracle/slowRun.js';
import { randomRun } from './randomRuns.js';
import { literalOf, shrinkRun } from './shrinkRun.js';
const N = Number(process.env.N ?? 300), SHOW = Number(process.env.SHOW ?? 6), FROM = Number(process.env.FROM ?? 0);
test('x', () => {
  const tally: Record<string, number[]> = {};
  const apart = (o: any): string[] => { const run = slowRun(o.trip, o.date, readTrack(o.fixes), o.options); if (countJoints(run) > 4) return []; return differences(reportOf(run), evaluateTrip(o.trip, o.date, readTrack(o.fixes), o.options)); };
  let bad = 0;
  for (let seed = FROM; seed < FROM + N; seed++) {
    const run = randomRun(seeded(seed));
    let d: string[]; try { d = apart(run); } catch (e) { d = ['THROW ' + String(e)]; }
    if (d.length === 0) continue;
    bad++;
    const key = d.map((x) => x.split(':')[0]!.replace(/\d+/g, 'N')).filter((x, i, l) => l.indexOf(x) === i).slice(0, 3).join(' ');
    (tally[key] ??= []).push(seed);
    if (tally[key]!.length <= 1 && Object.keys(tally).length <= SHOW) { const s = shrinkRun(run, (o) => apart(o).length > 0); console.log(`#### seed ${seed}\n${literalOf(s)}\n${(() => { try { return apart(s).join('\n'); } catch (e) { return String(e); } })()}`); }
  }
  console.log(bad, 'of', N, tally);
});
