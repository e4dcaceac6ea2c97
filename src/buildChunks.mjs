/**
 * Chooses which chunks of a build become one file. To open a file takes Node as long as to compile some 30 kB of code, so small chunks are merged,
 * although some entries then load code they do not need: greedily, while the sum over all entries falls.
 */

/** Cost of a file besides its code, bytes. */
const FILE_BYTES = 30_000;

/**
 * The modules that each entry has to load besides its own: a list for each path of an entry's source. A bundler that splits by entries then makes one
 * file of the chunks to be merged. `outputs` is part of esbuild's metafile, `weightOf` tells how often an entry is loaded; one of
 * infinite weight gets no code that it does not need. `isPublic` tells whether pages may load an entry: it gets no code that no public entry needs.
 * No entry gets an import of a package or of Node that it did not have.
 */
export function mergeChunks(outputs, weightOf, isPublic) {
  const paths = Object.keys(outputs);
  const entries = paths.filter((path) => outputs[path].entryPoint !== undefined);
  const weights = entries.map((path) => weightOf(outputs[path].entryPoint));
  const closures = new Map(paths.map((path) => [path, closureOf(outputs, path)]));
  /** The entries that load a chunk, a bit for each. */
  const setOf = new Map(
    paths.map((path) => [path, bitsOf(entries.map((entry) => closures.get(entry).has(path)))]),
  );
  const own = new Map(setOf);
  const publicSet = bitsOf(entries.map((entry) => isPublic(outputs[entry].entryPoint)));
  const importedBy = new Map();
  for (const path of paths)
    for (const name of packagesOf(outputs[path]))
      importedBy.set(name, (importedBy.get(name) ?? 0n) | own.get(path));
  const exactSet = bitsOf(weights.map((weight) => weight === Infinity));
  /** The entries that may load a chunk. */
  const allowedOf = (path) =>
    packagesOf(outputs[path]).reduce(
      (set, name) => set & importedBy.get(name),
      (own.get(path) | ~exactSet) & ((own.get(path) & publicSet) === 0n ? ~publicSet : -1n),
    );

  /** Files by their sets: chunks of one set are one file. */
  const files = new Map();
  function put(path, set) {
    const file = files.get(set) ?? { set, bytes: 0, chunks: [], needs: new Set(), allowed: -1n };
    files.set(set, file);
    setOf.set(path, set);
    file.chunks.push(path);
    file.allowed &= allowedOf(path);
    for (const { bytesInOutput } of Object.values(outputs[path].inputs)) file.bytes += bytesInOutput;
    for (const needed of closures.get(path)) file.needs.add(needed);
  }
  for (const [path, set] of own) put(path, set);

  const weighed = new Map();
  function weightOfSet(set) {
    if (!weighed.has(set))
      weighed.set(
        set,
        weights.reduce((sum, weight, i) => sum + (has(set, i) && weight < Infinity ? weight : 0), 0),
      );
    return weighed.get(set);
  }
  const costOf = (set, bytes) => weightOfSet(set) * (bytes + FILE_BYTES);

  /** The files that change when the entries of both load both: the two, and what they import. */
  function changedBy(a, b) {
    const set = a.set | b.set;
    const imported = [...a.needs, ...b.needs].map((path) => files.get(setOf.get(path)));
    return new Set([a, b, ...imported.filter((file) => (file.set | set) !== file.set)]);
  }
  function gainOf(a, b) {
    const changed = changedBy(a, b);
    const sizes = new Map();
    let gain = 0;
    for (const { set, bytes, allowed } of changed) {
      if (((a.set | b.set) & ~allowed) !== 0n) return -Infinity;
      gain += costOf(set, bytes);
      sizes.set(set | a.set | b.set, (sizes.get(set | a.set | b.set) ?? 0) + bytes);
    }
    for (const [set, bytes] of sizes) {
      const file = files.get(set);
      gain -= file === undefined || changed.has(file) ? costOf(set, bytes) : weightOfSet(set) * bytes;
    }
    return gain;
  }
  function merge(a, b) {
    const changed = changedBy(a, b);
    for (const { set } of changed) files.delete(set);
    for (const { set, chunks } of changed) for (const path of chunks) put(path, set | a.set | b.set);
  }

  for (;;) {
    // Code that one entry alone loads is in its own file.
    const all = [...files.values()].filter(({ set }) => (set & (set - 1n)) !== 0n);
    const pairs = all
      .flatMap((a, i) =>
        all.slice(0, i).map((b) => ({ a, b, gain: (a.set & b.set) === 0n ? 0 : gainOf(a, b) })),
      )
      .filter(({ gain }) => gain > 0)
      .sort((one, other) => other.gain - one.gain);
    if (pairs.length === 0) break;
    for (const { a, b, gain } of pairs)
      if (files.get(a.set) === a && files.get(b.set) === b && gainOf(a, b) >= gain) merge(a, b);
  }

  const added = (i) => paths.filter((path) => has(setOf.get(path), i) && !has(own.get(path), i));
  return new Map(
    entries.map((entry, i) => [
      outputs[entry].entryPoint,
      added(i).flatMap((path) => Object.keys(outputs[path].inputs)),
    ]),
  );
}

/** A chunk and all that it imports before it runs. */
function closureOf(outputs, path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { kind, external, path: imported } of outputs[path].imports)
    if (kind === 'import-statement' && !external) closureOf(outputs, imported, found);
  return found;
}

const packagesOf = ({ imports }) =>
  imports.flatMap(({ kind, external, path }) => (kind === 'import-statement' && external ? path : []));

const bitsOf = (flags) => flags.reduce((set, flag, i) => (flag ? set | (1n << BigInt(i)) : set), 0n);
const has = (set, i) => ((set >> BigInt(i)) & 1n) === 1n;
