import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

/** The code of docs/stream-processors.md: its TypeScript compiles, and the bundle for other engines needs nothing of Node or of a page. */

const ROOT = resolve(import.meta.dirname, '../..');
const OUT = resolve(ROOT, 'out/processors');
const PAGE = readFileSync(`${ROOT}/docs/stream-processors.md`, 'utf8');
const run = promisify(execFile);

const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);

describe('the page of stream processors', () => {
  test('has a section for each, and its TypeScript compiles under strict rules', async () => {
    for (const name of ['Restate', 'Durable Objects', 'Kafka Streams', 'Flink']) expect(PAGE).toContain(name);
    const codes = blocks('ts');
    expect(codes).toHaveLength(3);
    rmSync(OUT, { recursive: true, force: true });
    mkdirSync(OUT, { recursive: true });
    for (const [i, code] of codes.entries()) writeFileSync(`${OUT}/block${i}.ts`, `${code}export {};\n`);
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    const config = {
      compilerOptions: { ...options, lib: ['es2023', 'webworker'] },
      files: codes.map((_, i) => `block${i}.ts`),
    };
    writeFileSync(`${OUT}/tsconfig.json`, JSON.stringify(config));
    const { stdout } = await run('node', ['node_modules/typescript-native/bin/tsc', '-p', OUT], {
      cwd: ROOT,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  test('its bundle runs in an engine without Node, by the texts that Java passes', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { unitOperator } from 'wayzone/operator'; export { ZoneIndex } from 'wayzone'",
        resolveDir: ROOT,
      },
      bundle: true,
      format: 'iife',
      globalName: 'wayzone',
      write: false,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
    });
    const [, source] = /^var source = """\n([\s\S]*?)\n {2}""";$/m.exec(PAGE)!;
    const context = createContext({});
    runInContext(`${outputFiles[0]!.text}\n${source}`, context);
    const step = (state: string | null, message: object): [string, string] => {
      Object.assign(context, { given: [state, JSON.stringify(message)] });
      return JSON.parse(runInContext('JSON.stringify(step(...given))', context) as string) as [
        string,
        string,
      ];
    };
    const depot = { id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };
    Object.assign(context, { rows: JSON.stringify([depot]) });
    runInContext('load(1, rows)', context);
    const fix = (seconds: number, lon: number) => ({
      time: 1_772_438_400_000 + 1000 * seconds,
      lon,
      lat: 55.7,
    });
    const message = (...list: object[]) => ({
      unitId: 'truck',
      zonesVersion: 1,
      input: { kind: 'fixes', fixes: list },
    });
    const [state] = step(null, message(fix(0, 37.58)));
    const [, rest] = step(state, message(fix(60, 37.6)));
    const { outputs, wakeAt } = JSON.parse(rest) as {
      outputs: { number: number; event: { type: string } }[];
      wakeAt: number;
    };
    expect(outputs.map(({ number, event }) => [number, event.type])).toEqual([[1, 'enter']]);
    expect(wakeAt).toBe(1_772_438_460_000 + 3_600_001);
  });
});
