/** Joins the content of several files. */

import type { ForeignData, Issue } from '../../../core/fix.js';
import { freeName } from '../../../interchange/common/textProperties.js';

/**
 * Joins the content in the order of the files. An id that an earlier file has becomes `id~2` with a warning, also in the groups of its
 * file. The first document properties are kept.
 */
export function mergeData(files: readonly ForeignData[]): ForeignData {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only;
  const issues: Issue[] = [];
  const taken = { zones: new Set<string>(), groups: new Set<string>(), routes: new Set<string>() };
  const renamed = <Row extends { readonly id: string }>(
    rows: readonly Row[],
    what: keyof typeof taken,
  ): Row[] => {
    const ids = taken[what];
    const own = rows.map((row) => {
      const id = freeName(row.id, ids);
      if (id === row.id) return row;
      const message = `expected an id that no other file has, received ${JSON.stringify(row.id)}; it is now ${JSON.stringify(id)}`;
      issues.push({ code: 'duplicate-id', severity: 'warning', field: `${what}.id`, message });
      return { ...row, id };
    });
    for (const { id } of own) ids.add(id);
    return own;
  };
  const values = files.map(({ value }) => {
    const zones = renamed(value.zones, 'zones');
    const ids = new Map(value.zones.map(({ id }, i) => [id, zones[i]!.id]));
    const groups = renamed(value.groups, 'groups').map((group) => ({
      ...group,
      geozones: group.geozones.map((zone) => ({ ...zone, id: ids.get(zone.id) ?? zone.id })),
    }));
    return { ...value, zones, groups, routes: renamed(value.routes, 'routes') };
  });
  const document = values.find((value) => value.document !== undefined)?.document;
  return {
    value: {
      zones: values.flatMap(({ zones }) => zones),
      groups: values.flatMap(({ groups }) => groups),
      routes: values.flatMap(({ routes }) => routes),
      tracks: values.flatMap(({ tracks }) => tracks),
      ...(document === undefined ? {} : { document }),
    },
    issues,
  };
}
