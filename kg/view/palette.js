// How types and roles look: colours for light and dark, shapes and dashes, and the swatches of the legend.
"use strict";
const KgPalette = (() => {
  const shapes = JSON.parse(document.getElementById("kg-shapes").textContent);
  // The colours of Okabe and Ito, which colour-blind readers can tell apart, and lighter ones on dark.
  const TYPES = {
    Paper: ["#667385", "#93a1b5"], Method: ["#0072b2", "#4ba6e8"], Dataset: ["#e69f00", "#f0b429"],
    Hardware: ["#009e73", "#2fc699"], Task: ["#b5558d", "#e08fc0"], Metric: ["#d55e00", "#ff8a42"],
  };
  const ROLES = {
    proposes: { name: "proposes", colour: ["#1c2430", "#f2f5f9"], width: 2.8 },
    buildsOn: { name: "builds on", colour: ["#0072b2", "#4ba6e8"], width: 2 },
    usesMethod: { name: "uses", colour: ["#3d9bd3", "#87c8f5"], dashes: [6, 4] },
    comparesTo: { name: "compares with", colour: ["#d55e00", "#ff8a42"] },
    evaluatesOn: { name: "evaluates on", colour: ["#c98a00", "#f0b429"] },
    trainsOn: { name: "trains on", colour: ["#c98a00", "#f0b429"], dashes: [6, 4] },
    runsOn: { name: "runs on", colour: ["#009e73", "#2fc699"] },
    addresses: { name: "addresses", colour: ["#b5558d", "#e08fc0"] },
    measures: { name: "measures", colour: ["#b5558d", "#e08fc0"], dashes: [2, 4] },
    mentions: { name: "only mentions", colour: ["#9aa6b6", "#5b6675"], dashes: [1, 4] },
    isVersionOf: { name: "is a version of", colour: ["#667385", "#93a1b5"], dashes: [2, 3] },
  };
  const INVERSE = {
    proposes: "proposed by", buildsOn: "built on by", usesMethod: "used by", comparesTo: "compared with by",
    evaluatesOn: "evaluated on by", trainsOn: "trained on by", runsOn: "ran on it", addresses: "addressed by",
    measures: "measured by", mentions: "only mentioned by",
  };
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const tone = (pair) => pair[dark.matches ? 1 : 0];
  const SVG = "http://www.w3.org/2000/svg";
  const OUTLINES = {
    square: "M5 2H17V14H5Z", dot: "M11 2A6 6 0 1 1 10.99 2Z", diamond: "M11 0.5L18.5 8L11 15.5L3.5 8Z",
    triangle: "M11 1.5L18 14H4Z", triangleDown: "M11 14.5L18 2H4Z", hexagon: "M7.5 2H14.5L18 8L14.5 14H7.5L4 8Z",
  };
  function swatch(attributes) {
    const svg = document.createElementNS(SVG, "svg");
    Object.entries({ class: "swatch", viewBox: "0 0 22 16", "aria-hidden": "true" }).forEach(([k, v]) => svg.setAttribute(k, v));
    const path = document.createElementNS(SVG, "path");
    Object.entries(attributes).forEach(([k, v]) => path.setAttribute(k, v));
    svg.append(path);
    return svg;
  }
  const typeSwatch = (type) => swatch({ d: OUTLINES[shapes[type]], fill: tone(TYPES[type]) });
  const roleSwatch = (role) => swatch({
    d: "M1 8H21", fill: "none", stroke: tone(ROLES[role].colour), "stroke-width": (ROLES[role].width || 1.6) + 0.4,
    "stroke-dasharray": (ROLES[role].dashes || []).join(" "),
  });
  return { TYPES, ROLES, INVERSE, dark, shapes, tone, typeSwatch, roleSwatch };
})();
