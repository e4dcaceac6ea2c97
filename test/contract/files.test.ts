import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Files without one main export, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'host/src/auth/apiKeys.ts': 'hash and check of an API key: functions of equal rank',
  'host/src/auth/tickets.ts': 'tickets issued and redeemed: functions of equal rank',
  'host/src/auth/tokens.ts': 'tokens signed and verified: functions of equal rank',
  'host/src/delivery/enqueue.ts': 'events and notifications made deliveries: functions of equal rank',
  'host/src/delivery/rules.ts': 'functions of one subject: rules of notifications',
  'host/src/live/fixes.ts': 'functions of one subject: fixes as rows',
  'host/src/page/client/choices.ts': 'what a browser remembers: functions of equal rank',
  'host/src/durations.ts': 'constants of one subject: milliseconds of spans of time',
  'host/src/schemaParts.ts': 'constants of one subject: schemas of values',
  'host/src/resources/crud.ts': 'declarations of routes: functions of equal rank',
  'host/src/resources/times.ts': 'times in requests: functions of equal rank',
  'host/src/unitSchemas.ts': "schemas of one subject: answers of a unit's day",
  'host/src/resources/unitRow.ts': 'units read and written: functions of equal rank',
  'host/src/storage/entryColumns.ts':
    'labels of entries put into rows and taken away: functions of equal rank',
  'host/src/storage/changeHistory.ts': 'changes recorded: functions of equal rank',
  'host/src/storage/rowTexts.ts': 'rows read as texts: functions of equal rank',
  'host/src/storage/rows.ts': 'rows read and written: functions of equal rank',
  'host/src/stream/fixOrder.ts': 'functions of one subject: the order of fixes',
  'host/src/work/bodyJobs.ts': 'computations on bodies of requests: functions of equal rank',
  'host/src/jobs/jobTypes.ts': 'types of one subject: computations of processes',
  'src/cli/commands/files/fileCommands.ts': 'declarations of commands: functions of equal rank',
  'src/cli/commands/report/reportFlags.ts': 'flags of one command: functions of equal rank',
  'src/cli/commands/tracks/trackCommands.ts': 'declarations of commands: functions of equal rank',
  'src/cli/commands/tracks/trackRows.ts': 'rows of units: commands of equal rank',
  'src/cli/commands/zones/zoneCommands.ts': 'declarations of commands: functions of equal rank',
  'src/cli/flags/options.ts': 'flags that several commands share: functions of equal rank',
  'src/cli/io/terminal.ts': 'functions of one subject: texts for the terminal',
  'src/interchange/crs/epsgRegister.ts': 'the register by code and by name: functions of equal rank',
  'src/core/ascii.ts': 'constants of one subject: bytes of characters',
  'src/core/durations.ts': 'constants of one subject: spans of time',
  'src/core/angles.ts': 'functions of one subject: degrees and longitudes',
  'src/operator/runEvents.ts': 'functions of one subject: events of runs as outputs, and their differences',
  'src/operator/unitEvents.ts': 'functions of one subject: items of units as outputs, and their differences',
  'src/core/answers.ts': "types of one subject: the endpoints' requests and answers",
  'src/core/trackSettings.ts': 'types of one subject: custom fields of units',
  'src/core/errors.ts': 'WayzoneError with the functions that write its messages',
  'src/core/geometry.ts': 'types of one subject: positions, boxes and polygons',
  'src/core/input.ts': "functions of one subject: reading a caller's arguments",
  'src/core/options.ts': 'functions of one subject: tables of options, and their check and reading',
  'src/core/numbers.ts': 'functions of one subject: sums and tiny numbers',
  'src/core/wire.ts': 'types of one subject: the shapes of the wire',
  'src/geodesy/disc.ts': 'area, perimeter and ring of a disc: functions of equal rank',
  'src/geodesy/ellipsoid.ts': 'constants and functions of one subject: WGS84',
  'src/geodesy/karney.ts':
    'one published algorithm (Karney 2013) with its directions: functions of equal rank',
  'src/geodesy/longEdge.ts': 'length and area of a long edge: functions of equal rank',
  'src/geodesy/lowerBounds.ts': 'bounds for points, edges and boxes: functions of equal rank',
  'src/interchange/json/jsonBytes.ts': 'constants and functions of one subject: marks of JSON in bytes',
  'src/interchange/kml/kmlWire.ts': 'fields of the wire in KML, written and read: functions of equal rank',
  'src/tiles/drawZone.ts': 'a drawn zone, and the pen that draws it',
  'src/tiles/tileWriter.ts': 'layers of a tile, their properties and lines: parts of one format',
  'src/tiles/tileZones.ts': 'zones in boxes: functions of equal rank',
  'src/tiles/zoneSize.ts': 'what the size of a zone decides: functions of equal rank',
  'src/algebra/enclose.ts': 'rings around rings: functions of equal rank',
  'src/algebra/fitFrame.ts': 'the frame of a zone: its type and the function that makes it',
  'src/tracks/meetings/pairMachine.ts': 'the transitions of one state machine: functions of equal rank',
  'src/tracks/route/routeParts.ts': 'the transitions of one state machine: functions of equal rank',
  'src/tracks/route/placeLattice.ts': 'a lattice and what is done with it: functions of equal rank',
  'src/report/client/shared/dom.ts': 'functions of one subject: elements of a page',
  'src/report/client/savedTable.ts': 'functions of one subject: a table as a file',
  'src/report/client/shared/formats.ts': 'functions of one subject: numbers and durations as texts',
  'src/report/client/conductTables.ts': "the page's tables: functions of equal rank",
  'src/report/client/tables.ts': "the page's tables: functions of equal rank",
  'src/routing/engineAnswer.ts': "functions of one subject: reading the fields of an engine's answer",
  'src/schemas/answers.ts': "schemas of one subject: the endpoints' requests and answers",
  'src/schemas/trackResults.ts': 'schemas of one subject: results of tracks',
  'src/schemas/trackSettings.ts': "schemas of one subject: settings of a unit's tracks",
  'src/tracks/visitMachine.ts': 'the transitions of one state machine: functions of equal rank',
  'src/zones/index/bufferFormat.ts': 'sections of a buffer, written and opened: functions of equal rank',
  'src/zones/index/indexBuffer.ts': 'an index as a buffer, written and opened: functions of equal rank',
  'src/zones/index/types.ts': 'types of one subject: input and output of an index',
  'src/zones/kinds/dispatch.ts': 'the choice between kinds, one function for each question',
  'src/zones/kinds/kind.ts': 'codes and types of one subject: the answers of kinds',
  'src/zones/kinds/polygon.ts': 'the answers of one kind of zone: functions of equal rank',
  'src/zones/kinds/metricBounds.ts': 'distance bounds and boxes of pieces: functions of equal rank',
  'src/zones/kinds/line.ts': 'the answers of one kind of zone: functions of equal rank',
  'src/tracks/rejection.ts': 'functions of one subject: faults of fixes and the examples of them',
  'src/trips/judge/summarise.ts': 'the totals, violations and events of a report: functions of equal rank',
};

/** The files of the library and of the host. */
const FILES: readonly string[] = execFileSync('git', ['ls-files', 'src', 'host/src'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /(?<!\.d)\.ts$/.test(file) && basename(file) !== 'index.ts')
  .filter((file) => existsSync(resolve(ROOT, file)));

/** A name without case and underscores: `MAX_TURNS` and `maxTurns` become equal. */
const folded = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

function exportsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(resolve(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      return clause !== undefined && ts.isNamedExports(clause)
        ? clause.elements.map(({ name }) => name.text)
        : [];
    }
    const isExport =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExport) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    }
    const { name } = statement as ts.DeclarationStatement;
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}

/** `trip.ts` in `schemas/` may export `TripSchema`: the file's name plus the singular of the folder. A file without exports is a program. */
function hasMainExport(file: string): boolean {
  const names = exportsOf(file).map(folded);
  const own = folded(basename(file, '.ts'));
  const noun = basename(dirname(file)).replace(/s$/, '');
  return names.length === 0 || names.includes(own) || names.includes(own + noun);
}

describe('file = main export', () => {
  test('there are files to check', () => {
    expect(FILES.length).toBeGreaterThan(400);
  });

  test('each file exports something with its own name', () => {
    const wrong = FILES.filter((file) => !(file in EXCEPTIONS) && !hasMainExport(file));
    expect(wrong).toEqual([]);
  });

  test('every exception is still needed', () => {
    const needless = Object.keys(EXCEPTIONS).filter((file) => !FILES.includes(file) || hasMainExport(file));
    expect(needless).toEqual([]);
  });
});
