"""How the page of a difference looks: by day and by night, on a desk, a telephone and paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #211d1a; --paper: #f6efe0; --desk: #e6dcc8; --line: #cbbea6; --soft: #665c4f;
  --red: #b3382a; --green: #4f6a1e; --amber: #96650a; --mark: #c5007f; --gone: #f3d9d0;
  --come: #e2e9cb; --dots: #d8ccb5; --shade: #2a1f1433; --mm: 1mm;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f0e6d2; --paper: #262220; --desk: #181514; --line: #48413a; --soft: #ab9f8b;
    --red: #ee7a66; --green: #a9c060; --amber: #e3b155; --mark: #c5007f; --gone: #4a2a24;
    --come: #36401f; --dots: #221e1b; --shade: #000a;
  }
}
* { box-sizing: border-box }
[hidden] { display: none !important }
html { scroll-padding-top: 64px; -webkit-text-size-adjust: 100% }
body {
  margin: 0; background: var(--desk); color: var(--ink);
  font: 16px/1.45 "Fira Sans Condensed", "Roboto Condensed", "Arial Narrow", system-ui, sans-serif;
}
.inner { max-width: 1220px; margin: 0 auto; padding: 0 28px }
a { color: inherit }
:focus-visible { outline: 2px solid var(--red); outline-offset: 2px }
code { font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; overflow-wrap: anywhere }

header { background: var(--paper); border-bottom: 3px solid var(--ink) }
header .inner { padding-top: 26px; padding-bottom: 22px }
.game { margin: 0; color: var(--soft); font-size: 14px; letter-spacing: .08em;
  text-transform: uppercase }
h1 { margin: 0 0 6px; font-size: 34px; line-height: 1.1 }
.between { margin: 0; color: var(--soft) }
.between b { color: var(--ink); font-weight: 600 }
.sums { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0 0; padding: 0; list-style: none }
.sums a { display: block; min-width: 104px; padding: 8px 14px 9px; border: 1px solid var(--line);
  border-radius: 4px; background: var(--desk); text-decoration: none; line-height: 1.2 }
.sums a:hover { border-color: var(--ink) }
.sums b { display: block; font-size: 26px; line-height: 1.1; font-variant-numeric: tabular-nums }
.sums .bad { border-color: var(--red); color: var(--red) }
.sums .good { color: var(--green) }
.notes { margin: 16px 0 0; padding: 10px 14px; border-left: 4px solid var(--amber);
  background: var(--desk); border-radius: 0 4px 4px 0 }
.notes p { margin: 0 }
.nothing { padding: 15vh 0; text-align: center; font-size: 22px; color: var(--soft) }

.tools { position: sticky; top: 0; z-index: 5; background: var(--paper);
  border-bottom: 1px solid var(--line); box-shadow: 0 4px 14px -10px var(--shade) }
.tools .inner { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px;
  padding-top: 8px; padding-bottom: 8px }
.group { display: inline-flex; align-items: center }
.tools button { font: inherit; font-size: 15px; color: inherit; padding: 4px 11px;
  border: 1px solid var(--line); background: var(--desk); cursor: pointer }
.group button + button { margin-left: -1px }
.group button:first-of-type { border-radius: 3px 0 0 3px }
.group button:last-of-type { border-radius: 0 3px 3px 0 }
.group button:only-of-type { border-radius: 3px }
.tools button:hover { border-color: var(--ink); position: relative }
.tools [aria-pressed="true"] { background: var(--ink); border-color: var(--ink);
  color: var(--paper) }
.tools kbd { margin-left: 6px; font: inherit; font-size: 12px; opacity: .6 }

main { padding-bottom: 60px }
h2 { margin: 40px 0 12px; padding-bottom: 5px; border-bottom: 2px solid var(--ink);
  font-size: 24px; line-height: 1.2 }
h2 small, h3 small { padding-left: 8px; font-size: 15px; font-weight: 400; color: var(--soft) }
h3 { margin: 26px 0 12px; font-size: 16px; letter-spacing: .06em; text-transform: uppercase }
h3 small, h3.file { letter-spacing: 0; text-transform: none }
.card { margin: 0 0 18px; padding: 16px 20px 18px; background: var(--paper); border-radius: 6px;
  box-shadow: 0 1px 2px var(--shade) }
.card:focus { outline: 2px solid var(--red); outline-offset: 2px }
h4 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 3px 12px; margin: 0 0 12px;
  font-size: 19px; line-height: 1.25; overflow-wrap: anywhere }
h4 small { font-size: 14px; font-weight: 400; color: var(--soft) }
.tag { padding: 1px 8px 2px; border-radius: 3px; font-size: 13px; font-weight: 600;
  background: var(--desk); color: var(--soft); white-space: nowrap }
.tag.new, .tag.mended { background: var(--come); color: var(--green) }
.tag.gone, .tag.broken { background: var(--gone); color: var(--red) }
.tag.warning { color: var(--amber); background: var(--desk) }
.body { display: flex; flex-wrap: wrap; gap: 18px 34px; align-items: flex-start }
.faces { display: flex; flex-wrap: wrap; gap: 20px 34px; max-width: 100% }
figure { margin: 0; max-width: 100% }
figcaption { display: flex; gap: 8px; margin-bottom: 6px; font-size: 14px; color: var(--soft) }
figcaption b { color: var(--ink); font-weight: 600 }
.stage { display: flex; align-items: flex-start; gap: 14px; max-width: 100% }
.at { position: relative; flex: 0 1 auto; min-width: 0 }
.at > span { display: block; margin-bottom: 3px; font-size: 12px; letter-spacing: .06em;
  text-transform: uppercase; color: var(--soft) }
.at .pic { position: relative; width: calc(var(--w) * var(--mm)); max-width: 100%;
  aspect-ratio: var(--w) / var(--h) }
.at img { display: block; width: 100%; height: 100%; filter: drop-shadow(0 1px 3px var(--shade)) }
.at svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none }
.at rect { fill: none; stroke: #fff; stroke-width: 5; vector-effect: non-scaling-stroke }
.at rect:nth-child(even) { stroke: var(--mark); stroke-width: 2 }
.none { display: grid; place-items: center; padding: 8px; border: 2px dashed var(--line);
  border-radius: 6px; color: var(--soft); font-size: 14px; text-align: center;
  overflow-wrap: anywhere }
.why { max-width: 60ch; margin: 7px 0 0; font-size: 14px; color: var(--soft) }
.slide { display: none; width: calc(var(--w) * var(--mm)); max-width: 100%;
  margin: 8px 0 0; accent-color: var(--red) }
.fields { flex: 1 1 300px; min-width: min(300px, 100%); max-width: 680px; margin: 0 }
.fields > div { padding: 5px 0 6px; border-top: 1px solid var(--line) }
.fields > div:first-child { border-top: 0; padding-top: 0 }
dt { font-size: 13px; color: var(--soft) }
dt b { font-weight: 600; color: var(--ink) }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line }
del { padding: 0 3px; border-radius: 2px; background: var(--gone);
  text-decoration-color: var(--red) }
ins { padding: 0 3px; border-radius: 2px; background: var(--come); text-decoration: none;
  font-weight: 600 }

.list { margin: 0; padding: 0; list-style: none }
.list > li { margin: 0 0 8px; padding: 10px 16px 11px; background: var(--paper);
  border-radius: 4px; border-left: 4px solid var(--line); overflow-wrap: anywhere }
.list > .broken, .list > .error { border-color: var(--red) }
.list > .mended, .list > .was { border-color: var(--green) }
.list > .warning { border-color: var(--amber) }
.list p { margin: 0 }
.list .place { font-size: 14px; color: var(--soft) }
.list .id { margin-right: 8px; font-weight: 600 }
.rule p + p { margin-top: 3px }
.edit b { font-weight: 600 }
.measures { display: grid; grid-template-columns: minmax(140px, max-content) max-content 1fr;
  gap: 2px 20px; align-items: center; margin: 7px 0 0; font-size: 15px }
.measures .figure { font-variant-numeric: tabular-nums; white-space: nowrap }
.measures .figure b { font-weight: 600 }
.measures .off { color: var(--red) }
.measures .bounds { color: var(--soft); font-size: 14px }
.bar { vertical-align: -3px; margin-left: 8px }
.bar .ground { stroke: var(--line); stroke-width: 2 }
.bar .band { stroke: var(--green); stroke-width: 6; opacity: .45 }
.bar .then { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5 }
.bar .now { fill: var(--ink) } .bar .now.off { fill: var(--red) }
table { border-collapse: collapse; width: 100%; background: var(--paper); border-radius: 4px }
th, td { padding: 7px 16px; border-top: 1px solid var(--line); text-align: left;
  vertical-align: top }
thead th { border-top: 0 }
th small { font-weight: 400; color: var(--soft) }
thead th { font-size: 13px; font-weight: 600; color: var(--soft) }
tbody th { font-weight: 600 }
td { font-variant-numeric: tabular-nums }
.wide { overflow-x: auto }
footer { padding: 20px 0 40px; color: var(--soft); font-size: 14px }

[data-view="slider"] .two, [data-view="blink"] .two { display: grid }
[data-view="slider"] .two .at, [data-view="blink"] .two .at { grid-area: 1 / 1;
  justify-self: start; max-width: 100% }
[data-view="slider"] .two .at > span, [data-view="blink"] .two .at > span { display: none }
[data-view="slider"] .two { touch-action: pan-y; cursor: ew-resize }
[data-view="slider"] .two .new .pic { clip-path: inset(-6px -6px -6px calc(var(--cut, 50) * 1%)) }
[data-view="slider"] .two + .slide { display: block }
[data-view="slider"] .two .new::after { content: ""; position: absolute; top: 0; bottom: 0;
  left: calc(var(--cut, 50) * 1%); border-left: 2px solid var(--mark); pointer-events: none }
[data-view="blink"][data-flip="old"] .two .new { visibility: hidden }
[data-view="blink"][data-flip="new"] .two .old { visibility: hidden }
[data-view="blink"][data-flip="old"] figcaption::after { content: "before" }
[data-view="blink"][data-flip="new"] figcaption::after { content: "after" }
[data-view="blink"] figcaption::after { margin-left: auto; padding-right: 2px;
  text-transform: uppercase; letter-spacing: .06em; font-size: 12px }
[data-marks="off"] .at svg { display: none }

@media (max-width: 720px) {
  :root { --mm: .62mm } html { scroll-padding-top: 104px }
  .inner { padding: 0 14px }
  header .inner { padding-top: 18px }
  h1 { font-size: 27px } h2 { margin-top: 30px; font-size: 21px }
  .sums { gap: 7px } .sums a { min-width: 0; padding: 6px 10px 7px; font-size: 14px }
  .sums b { font-size: 21px }
  .card { margin-inline: -14px; padding: 14px; border-radius: 0 }
  .tools .inner { gap: 6px 10px; padding-top: 6px; padding-bottom: 6px }
  .tools button { padding: 5px 9px; font-size: 14px } .tools kbd { display: none }
  .stage { gap: 10px }
  .measures { grid-template-columns: 1fr max-content } .measures .bounds { grid-column: 1 / -1 }
  th, td { padding: 6px 10px }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --desk: #fff; --line: #bbb;
    --soft: #444; --red: #a02418; --green: #3c5212; --amber: #7a5208; --gone: #fbe3dd;
    --come: #e9efd6; --shade: #0000; --mm: .8mm }
  .tools, .slide { display: none !important }
  body { font-size: 10.5pt } .inner { max-width: none; padding: 0 }
  .card { padding: 3mm 0; border-top: .2mm solid #bbb; border-radius: 0; break-inside: avoid }
  h2, h3 { break-after: avoid } .list > li, tr { break-inside: avoid }
  del, ins, .tag { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""
