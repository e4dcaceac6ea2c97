import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromGeoJson, fromKml, toKml } from '../../src/interchange/index.js';
import { type Need, needs } from '../needs.js';
import { asGiven, testFolder, wayzone } from './wayzone.js';

/** Writing an output keeps the kind of file at its path (file, pipe, device, link). A failed write gives one line of error and exit code 1. */

const PROGRAM = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;
const { at, put } = testFolder('outputs');
const ROOT: Need = { name: 'root', isThere: process.getuid?.() === 0 };
const FULL: Need = { name: '/dev/full', isThere: existsSync('/dev/full') };
/** Some containers forbid mounting, even for root. */
const TMPFS: Need = { name: 'a tmpfs that may be mounted', isThere: ROOT.isThere && canMount() };

const zones = Array.from({ length: 2000 }, (_, i) => ({
  id: `zone ${i}`,
  name: `Zone ${i}`,
  type: { key: 'point' as const },
  geometry: [[37 + i / 10_000, 55] as const],
}));
const kml = put('zones.kml', toKml(zones));
const small = put('small.kml', toKml(zones.slice(0, 3)));

interface Ending {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function program(argv: readonly string[], stdout: number | 'pipe' = 'pipe'): Ending {
  const {
    status,
    stdout: out,
    stderr,
  } = spawnSync(process.execPath, [PROGRAM, ...argv], {
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  });
  return { code: status, out: out ?? '', err: stderr };
}

function canMount(): boolean {
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', at('.')]).status === 0;
}

const idsOf = (text: string | Buffer): number => fromGeoJson(text).value.zones.length;
const parts = (): string[] => readdirSync(at('.')).filter((name) => name.endsWith('.part'));

describe('the file at the output path', () => {
  test('a pipe stays a pipe and gets the output', async () => {
    const pipe = at('pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
    const read = new Promise<string>((resolve) => {
      let text = '';
      reader.stdout.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      reader.on('close', () => resolve(text));
    });
    const { code, out } = await wayzone('convert', kml, pipe, '--to', 'geojson');
    expect(code).toBe(0);
    expect(out).toContain('2000 zones');
    expect(idsOf(await read)).toBe(2000);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(parts()).toEqual([]);
  });

  test('/dev/stdout gets only the output', () => {
    const { code, out, err } = program(['convert', kml, '/dev/stdout', '--to', 'geojson']);
    expect(code).toBe(0);
    expect(idsOf(out)).toBe(2000);
    expect(err).toContain('2000 zones; written to /dev/stdout');
    const file = at('redirected');
    writeFileSync(file, '');
    const appended = program(['convert', small, '/dev/stdout', '--to', 'geojson'], openSync(file, 'a'));
    expect(appended.code).toBe(0);
    expect(idsOf(readFileSync(file))).toBe(3);
  });

  test('a device stays a device', async () => {
    const { code } = await wayzone('convert', kml, '/dev/null', '--to', 'geojson');
    expect(code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('a symbolic link stays, and its target is replaced or created', async () => {
    mkdirSync(at('behind'));
    const target = put('behind/real.geojson', 'old');
    symlinkSync('behind/real.geojson', at('link.geojson'));
    symlinkSync('link.geojson', at('second.geojson'));
    await wayzone('convert', kml, at('second.geojson'));
    expect(lstatSync(at('second.geojson')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(at('link.geojson'))).toBe('behind/real.geojson');
    expect(idsOf(readFileSync(target))).toBe(2000);
    symlinkSync('behind/new.geojson', at('dangling.geojson'));
    await wayzone('convert', kml, at('dangling.geojson'));
    expect(idsOf(readFileSync(at('behind/new.geojson')))).toBe(2000);
    expect(lstatSync(at('dangling.geojson')).isSymbolicLink()).toBe(true);
    symlinkSync('round.geojson', at('round.geojson'));
    const round = await wayzone('convert', kml, at('round.geojson'));
    expect(round).toMatchObject({ code: 1 });
    expect(round.err).toContain(`cannot write ${at('round.geojson')}: its symbolic links form a circle`);
    expect(readdirSync(at('behind')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test.each([0o600, 0o664, 0o751])('the file mode %o stays', async (mode) => {
    const file = put(`mode-${mode}.geojson`, 'old');
    chmodSync(file, mode);
    await wayzone('convert', kml, file);
    expect(statSync(file).mode & 0o7777).toBe(mode);
    expect(idsOf(readFileSync(file))).toBe(2000);
    await wayzone('index', kml, '--out', put(`mode-${mode}.wzi`, 'old'));
    expect(statSync(at(`mode-${mode}.wzi`)).mode & 0o7777).toBe(
      0o644 & statSync(at(`mode-${mode}.wzi`)).mode,
    );
  });

  needs(ROOT).test('the owner of the file stays (needs root)', async () => {
    const file = put('owned.geojson', 'old');
    chownSync(file, 1234, 2345);
    chmodSync(file, 0o640);
    await wayzone('convert', kml, file);
    expect(statSync(file)).toMatchObject({ uid: 1234, gid: 2345 });
    expect(statSync(file).mode & 0o7777).toBe(0o640);
  });
});

describe('an output that cannot be written', () => {
  test('a missing folder, and a folder at the file’s path, are reported by the user’s path', async () => {
    const missing = at('missing/zones.geojson');
    const { code, out, err } = await wayzone('convert', kml, missing);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(`wayzone: cannot write ${missing}: its folder does not exist (output-unwritable)\n`);
    mkdirSync(at('folder.geojson'));
    expect((await wayzone('convert', kml, at('folder.geojson'))).err).toContain('it is a folder');
    const inFile = join(small, 'zones.geojson');
    expect((await wayzone('convert', kml, inFile)).err).toContain(
      `cannot write ${inFile}: a part of its path is not a folder`,
    );
    expect((await wayzone('buffer', kml, '--out', inFile)).err).toContain('(output-unwritable)');
  });

  const FULL_COMMANDS: readonly (readonly string[])[] = [
    ['measure', kml],
    ['locate', kml, '--at', '55,37', '--format', 'ndjson'],
    ['validate', kml],
    ['buffer', kml],
    ['--help'],
    ['convert', kml, '/dev/full', '--to', 'geojson'],
  ];
  needs(FULL).test.each(FULL_COMMANDS.map((argv) => [argv[0], argv] as const))(
    'a full device gives one line and exit code 1, %s (needs /dev/full)',
    (_, argv) => {
      const { code, err } = program(argv, openSync('/dev/full', 'w'));
      expect(code).toBe(1);
      const last = err.trimEnd().split('\n').at(-1);
      expect(last).toMatch(/^wayzone: cannot write .*: no space left on the device \(output-unwritable\)$/);
      expect(err).not.toMatch(/\n\s+at /);
    },
  );

  needs(TMPFS).test('a partial write to a full disk fails (needs a tmpfs that may be mounted)', () => {
    mkdirSync(at('disk'));
    const script = `mount -t tmpfs -o size=64k none "$1" || exit 77
      "$2" "$3" measure "$4" > "$1/out.csv" 2> "$5"; echo "code $?"; wc -c < "$1/out.csv"
      "$2" "$3" convert "$4" "$1/x.geojson" 2>> "$5"; echo "code $?"; ls -A "$1"`;
    const err = at('disk.err');
    const run = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', at('disk'), process.execPath, PROGRAM, kml, err],
      {
        encoding: 'utf8',
      },
    );
    expect(run.stdout.split('\n').filter((line) => line.startsWith('code'))).toEqual(['code 1', 'code 1']);
    const lines = readFileSync(err, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toContain('no space left on the device (output-unwritable)');
    expect(run.stdout).not.toContain('.part');
  });
});

describe('an output that is also an input', () => {
  test('is rejected under each of its names and stays unchanged', async () => {
    symlinkSync('zones.kml', at('zones-link.kml'));
    linkSync(kml, at('zones-hard.kml'));
    const before = readFileSync(kml);
    for (const output of [kml, join(at('.'), '.', 'zones.kml'), at('zones-link.kml'), at('zones-hard.kml')]) {
      const { code, out, err } = await asGiven('convert', kml, output);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`${output} is an input too, and would be overwritten; --force overwrites it`);
    }
    const issues = await asGiven('convert', kml, at('x.geojson'), '--issues', kml);
    expect(issues.err).toContain('(output-is-input)');
    const twice = await asGiven('convert', kml, at('x.geojson'), '--issues', at('x.geojson'));
    expect(twice.err).toContain('another output');
    expect(existsSync(at('x.geojson'))).toBe(false);
    const tracks = put('day.csv', 'unit,time,lat,lon\na,2020-01-01T00:00:00Z,55,37\n');
    mkdirSync(at('report'));
    const inReport = put('report/zones.kml', toKml(zones.slice(0, 2)));
    const report = await asGiven('report', '--zones', inReport, '--tracks', tracks, '--out', at('report'));
    expect(report.err).toContain('name another folder in --out (output-is-input)');
    expect(readdirSync(at('report'))).toEqual(['zones.kml']);
    expect((await asGiven('buffer', kml, '--out', kml)).err).toContain('(output-is-input)');
    expect(readFileSync(kml).equals(before)).toBe(true);
  });

  test('is overwritten with --force', async () => {
    const own = put('own.kml', toKml(zones.slice(0, 5)));
    expect(await wayzone('convert', own, own, '--force')).toMatchObject({ code: 0 });
    expect(fromKml(readFileSync(own)).value.zones).toEqual(zones.slice(0, 5));
  });
});
