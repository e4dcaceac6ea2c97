/** The style of trips, timelines and speeds. Every status has a word besides its colour. */

export const TRIPS_STYLE = `
:root { --ok: #1a7f37; --now: #1667b7; --wait: #5b6676; --warn: #8a6100; --bad: #b3261e; --none: #7046b8;
  --trip: #1f8a5b; --park: #9aa6b6; --stop: #d97a1c; }
@media (prefers-color-scheme: dark) { :root { --ok: #4ac26b; --now: #6fb3f2; --wait: #9aa6b6; --warn: #e3b341; --bad: #ff8a80;
  --none: #b79cf0; --trip: #3fb37d; --park: #5a6675; --stop: #e69138; } }
.ok { --mood: var(--ok); } .now { --mood: var(--now); } .wait { --mood: var(--wait); } .warn { --mood: var(--warn); }
.bad { --mood: var(--bad); } .none { --mood: var(--none); }
.chip { display: inline-block; color: var(--mood); border: 1px solid var(--mood); border-radius: 9px; padding: 0 7px; font-size: 11.5px;
  line-height: 17px; font-weight: 600; }
#panel-trips > .scroll { max-height: 238px; overflow: auto; border-bottom: 1px solid var(--line); }
#panel-trips > .scroll td:first-child { min-width: 128px; }
#panel-trips > .scroll th { position: sticky; top: 0; background: var(--card); z-index: 1; }
.detail { padding: 10px; min-width: 0; }
.detail h2 { font-size: 15px; margin: 0 0 2px; overflow-wrap: anywhere; } .detail p { margin: 2px 0 8px; overflow-wrap: anywhere; }
.detail h2 .chip { vertical-align: 2px; }
button.small { font: inherit; font-size: 12.5px; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 9px; margin-top: 8px; cursor: pointer; }
table.points th { color: var(--soft); font-weight: 600; padding: 4px 6px; } td.plan { min-width: 104px; }
.graph { display: block; max-width: 100%; } .graph text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.key .graph { display: inline-block; vertical-align: -1px; }
.graph .rule { stroke: var(--line); stroke-width: 1; }
.graph .way { fill: none; stroke: var(--ink); stroke-width: 1.6; stroke-linejoin: round; }
.graph .window { fill: var(--mood); fill-opacity: .22; stroke: var(--mood); stroke-width: 1; }
.graph .stay { stroke: var(--mood); stroke-width: 5; stroke-opacity: .85; }
.graph .bounds { stroke: var(--mood); stroke-width: 2.5; stroke-dasharray: 2 3; }
.graph .expected { fill: var(--card); stroke: var(--mood); stroke-width: 2; }
.graph .event { stroke: var(--accent); stroke-width: 1.2; stroke-dasharray: 3 3; }
.graph .label { fill: var(--ink); font-weight: 600; }
.key { display: inline-flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; } .key > span { white-space: nowrap; }
.key .swatch { margin-right: 4px; vertical-align: -1px; } .key[hidden] { display: none; }
.timeline { padding: 0 10px 6px; min-width: 0; } .timeline .row { border-top: 1px solid var(--line); padding: 3px 0 1px; }
.timeline .find { font-size: 12.5px; } .timeline svg { display: block; max-width: 100%; }
.timeline .row svg { background: var(--bg); border-radius: 4px; }
.move.trip { fill: var(--trip); } .move.parking { fill: var(--park); } .move.stop { fill: var(--stop); }
.move.unknown { fill: var(--card); stroke: var(--soft); stroke-dasharray: 2 2; }
.stayed { fill: var(--accent); fill-opacity: .75; } .row .move, .row .stayed { cursor: pointer; }
`;
