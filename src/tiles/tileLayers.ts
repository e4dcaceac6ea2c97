/** The four layers of a tile. */

import type { PointGroup } from './pointGroups.js';
import type { TileZone } from './tileContent.js';
import { EXTENT } from './tileFrame.js';
import type { TileLayer } from './tileOptions.js';
import { type LayerMark, LayerWriter, Properties, tileBytes } from './tileWriter.js';

export class TileLayers {
  readonly #chosen: ReadonlySet<TileLayer>;
  readonly #propertiesAt: (ordinal: number) => Properties;
  readonly #areas = new LayerWriter('zones');
  readonly #borders = new LayerWriter('borders');
  readonly #labels = new LayerWriter('labels');
  readonly #points = new LayerWriter('points');
  readonly #all = [this.#areas, this.#borders, this.#labels, this.#points];

  constructor(chosen: ReadonlySet<TileLayer>, propertiesAt: (ordinal: number) => Properties) {
    this.#chosen = chosen;
    this.#propertiesAt = propertiesAt;
  }

  /** Size of the tile so far, bytes. */
  get bytes(): number {
    return this.#all.reduce((sum, layer) => sum + layer.bytes, 0);
  }

  /** Marks of the present ends of the layers. */
  get marks(): readonly LayerMark[] {
    return this.#all.map(({ mark }) => mark);
  }

  /** Removes all that was added after the marks. */
  backTo(marks: readonly LayerMark[]): void {
    for (const [i, layer] of this.#all.entries()) layer.backTo(marks[i]!);
  }

  zone({ ordinal, polygons, lines, label }: TileZone): void {
    const properties = this.#propertiesAt(ordinal);
    const has = (layer: TileLayer): boolean => this.#chosen.has(layer);
    if (polygons.length > 0 && has('zones')) this.#areas.polygons(ordinal, properties, polygons);
    if (lines.length > 0 && has('borders')) this.#borders.lines(ordinal, properties, lines);
    if (label !== null && has('labels')) this.#labels.point(ordinal, properties, label[0], label[1]);
  }

  group({ ordinal, count, x, y }: PointGroup): void {
    if (!this.#chosen.has('points')) return;
    const properties = new Properties();
    if (ordinal !== null) properties.addAll(this.#propertiesAt(ordinal));
    properties.add('count', count);
    this.#points.point(ordinal, properties, x, y);
  }

  /** Adds a label with the number of zones left out, in the middle of the tile, also where `labels` is not chosen. */
  leftOut(count: number): void {
    const number = new Properties();
    number.add('leftOut', count);
    this.#labels.point(null, number, EXTENT / 2, EXTENT / 2);
  }

  finish(): Uint8Array {
    return tileBytes(this.#all);
  }
}
