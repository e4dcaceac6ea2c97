/** Parts of a track by speed, as packed lines. */

import type { TrackGradation } from '../core/trackSettings.js';
import type { GradedRun } from '../tracks/index.js';
import { packPositions } from './trackLines.js';

/** Colours for speeds from standstill to more than motorways allow, distinguishable on the page. */
export const DEFAULT_GRADATION: TrackGradation = {
  styles: [
    { max: 3, hex_color: '#7A8594' },
    { max: 20, hex_color: '#1585D8' },
    { max: 40, hex_color: '#1BB934' },
    { max: 60, hex_color: '#E6B422' },
    { max: 90, hex_color: '#E6642F' },
    { max: null, hex_color: '#C2185B' },
  ],
};

export interface PageStyle {
  readonly max: number | null;
  readonly color: string;
}

export function pageStyles({ styles }: TrackGradation): PageStyle[] {
  return styles.map(({ max, hex_color }) => ({ max, color: pageColor(hex_color) }));
}

/** The colour, or blue if it is invalid. */
export function pageColor(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : '#1585D8';
}

/** A part of a track: `[index of the style, packed line]`. */
export type PageGrade = readonly [style: number, line: readonly number[]];

export function pageGrades(
  runs: readonly GradedRun[],
  { styles }: TrackGradation,
  toleranceMeters: number,
): PageGrade[] {
  return runs.map(({ hex_color, points }) => [
    styles.findIndex((style) => style.hex_color === hex_color),
    packPositions(points, toleranceMeters),
  ]);
}
