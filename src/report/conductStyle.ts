/** The style of speeding, closed hours and routes. Every colour has a word beside it. */

export const CONDUCT_STYLE = `
:root { --fast: #c4001d; --closed: #c4001d; --covered: #1a7f37; --unseen: #8a94a3; --missed: #e07a10; --ahead: #c3cad4; }
@media (prefers-color-scheme: dark) { :root { --fast: #ff6b5e; --closed: #ff8a80; --covered: #4ac26b; --unseen: #8593a5; --missed: #f0a04b;
  --ahead: #4a5667; } }
.closed { fill: var(--closed); } .fast { fill: var(--fast); } .row .closed, .row .fast { cursor: pointer; }
.map-label.limit-label { color: #1d2430; background: #fff; border: 2.5px solid #c4001d; border-radius: 12px; padding: 1px 5px; text-shadow: none; }
.along { display: block; width: 150px; height: 12px; background: var(--ahead); border-radius: 3px; }
.part.covered { fill: var(--covered); } .part.no_data { fill: var(--unseen); } .part.missed { fill: var(--missed); } .part.ahead { fill: var(--ahead); }
#panel-route h2 { font-size: 15px; margin: 10px; overflow-wrap: anywhere; } #panel-route h2 .note { font-weight: 400; }
`;
