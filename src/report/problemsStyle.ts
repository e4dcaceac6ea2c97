/** The style of the list of problems, of the replay, of phones and of paper. */

export const PROBLEMS_STYLE = `
#problems h2 { font-size: 15px; margin: 10px 0 6px; }
.unread { border: 1px solid var(--bad); border-left-width: 5px; border-radius: 6px; padding: 6px 10px; margin: 10px 0; background: var(--card);
  overflow-wrap: anywhere; }
.kinds { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.kinds button { font: inherit; font-weight: 600; color: var(--mood); background: var(--card); border: 1.5px solid var(--mood); border-radius: 8px;
  padding: 4px 10px; cursor: pointer; text-align: left; overflow-wrap: anywhere; min-width: 0; }
.kinds button[aria-pressed=true] { background: var(--mood); color: var(--card); }
ol.problems { list-style: none; margin: 8px 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr));
  gap: 0 18px; }
.problems li { display: flex; gap: 3px 8px; align-items: baseline; border-top: 1px solid var(--line); padding: 4px 0; min-width: 0; }
.problems a { color: var(--ink); text-decoration: none; flex: 1; min-width: 0; overflow-wrap: anywhere; }
.problems a:hover { color: var(--accent); text-decoration: underline; }
.problems b { color: var(--mood); }
.problems .note { flex: none; max-width: 46%; text-align: right; overflow-wrap: anywhere; }
#problems > .small { margin-top: 6px; }
.unread a { color: var(--accent); }
footer h2 { font-size: 13px; margin: 0 0 6px; }
.dimmed .leaflet-tracks-pane, .dimmed .leaflet-visits-pane { opacity: .16; }
.dimmed .unit-label { opacity: .25; }
@media (prefers-color-scheme: dark) { .leaflet-tile-pane img { filter: invert(1) hue-rotate(180deg) brightness(.85) contrast(.85); } }
.leaflet-container .leaflet-control-attribution { background: var(--card); color: var(--soft); opacity: .9; }
.replay { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 6px 10px; margin-top: 8px; }
.replay input { flex: 1 1 160px; min-width: 0; accent-color: var(--accent); }
.replay output { font-variant-numeric: tabular-nums; white-space: nowrap; min-width: 19ch; }
.replay button, .replay select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 9px; cursor: pointer; }
.save { margin-left: auto; display: inline-flex; gap: 4px; }
.cursor { stroke: var(--ink); stroke-width: 1.5; }
.timeline .row.marked { background: var(--hit); }
@media (max-width: 760px) {
  .scroll thead tr { display: flex; flex-wrap: wrap; gap: 0 4px; border-bottom: 1px solid var(--line); }
  .scroll table, .scroll tbody, .scroll tfoot, .scroll thead { display: block; }
  .scroll tbody tr, .scroll tfoot tr { display: flex; flex-wrap: wrap; gap: 1px 12px; border-top: 1px solid var(--line); padding: 6px; }
  .scroll tbody td, .scroll tfoot td { border: 0; padding: 0; text-align: left; min-width: 0; }
  .scroll td.text:first-child { flex: 1 1 100%; font-weight: 600; }
  .scroll td[data-title]:not(:first-child)::before { content: attr(data-title) ' '; color: var(--soft); font-size: 11.5px; font-weight: 400; }
  .scroll td:empty { display: none; }
  .problems .note { max-width: 40%; font-size: 11.5px; }
  .replay { flex-wrap: nowrap; padding: 3px 6px; margin-top: 4px; } .replay select { display: none; }
  .replay input { flex: 1 1 40px; } .replay output { min-width: 0; font-size: 11.5px; }
}
@media print {
  @page { size: A4 landscape; margin: 10mm; }
  :root { color-scheme: light; --bg: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #1667b7; --land: #fff; --grid: #ddd; --bad: #b3261e;
    --ok: #1a7f37; --now: #1667b7; --wait: #5b6676; --warn: #8a6100; --none: #7046b8; }
  body { font-size: 10pt; }
  main { display: flex; flex-direction: column; align-items: stretch; padding: 0; } header, footer { padding: 0; max-width: none; }
  .mapside { position: static; order: 1; break-before: page; break-inside: avoid; } #map { min-height: 0; max-height: none; break-inside: avoid; }
  .panel, .scroll, #panel-trips > .scroll { border: 0; overflow: visible; max-height: none; }
  .tools, .tabs, .replay, .more, .leaflet-control-zoom, #problems .small, .detail .small, label.unit input, td input { display: none; }
  .swatch, .graph rect { print-color-adjust: exact; } footer h2 { margin: 6px 0 3px; }
  .cards { display: flex; flex-wrap: nowrap; gap: 4px; margin: 3px 0; } .card { flex: 1; min-width: 0; padding: 2px 6px; } .card b { font-size: 10pt; } .card span { font-size: 8pt; }
  table { font-size: 8pt; table-layout: auto; } td, th { font-size: 8pt; padding: 1.5pt 3pt; white-space: normal !important; overflow-wrap: anywhere; }
  td.time, td.num { white-space: nowrap !important; }
  thead th { padding: 1.5pt 4pt; } th button { padding: 0; font-size: 8pt; white-space: normal; overflow-wrap: normal; }
  thead { display: table-header-group; } tr { break-inside: avoid; } tfoot { display: table-row-group; }
}
`;
