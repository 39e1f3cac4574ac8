// Everything that comes from papers is put into text nodes or drawn on the canvas; nothing is parsed as HTML.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const read = (id) => JSON.parse($(id).textContent);
  const data = read("kg-details");
  const { TYPES, ROLES, INVERSE, dark, shapes, tone, typeSwatch, roleSwatch } = KgPalette;
  const options = read("kg-options");
  // vis-network would give groups colours of its own.
  const whole = { nodes: read("kg-nodes").map(({ group, ...node }) => ({ ...node, kind: group })), edges: read("kg-edges") };
  const KINDS = ["Paper", ...data.types];
  const FIRST = 40;
  const RING = 240;
  const FEW = 8;
  const BEHIND = 14;

  const all = [
    ...data.papers.map((p, id) => ({ ...p, id, type: "Paper" })),
    ...data.things.map((t, i) => ({ ...t, id: i + data.papers.length, type: data.types[t.type], versions: [] })),
  ];
  const assertionsOf = all.map(() => []);
  data.assertions.forEach((a, i) => { assertionsOf[a[0]].push(i); assertionsOf[a[2]].push(i); });
  const spokenOf = new Set(data.assertions.map((a) => a[2]));
  all.forEach((n) => { if (n.family !== undefined) all[n.family].versions.push(n.id); });

  const off = { types: new Set(), roles: new Set(["mentions"]) };
  const nodes = new vis.DataSet();
  const edges = new vis.DataSet();
  const state = { focus: null, selected: null, hovered: null, near: null, ranks: new Map(), labelled: [], crowd: 1 };

  // ---- what is drawn -------------------------------------------------------------------------------------
  const linksOf = (id) => [
    ...assertionsOf[id].map((i) => data.assertions[i]).map(([from, role, to]) => ({ from, to, role: data.roles[role] })),
    ...(all[id].family === undefined ? [] : [{ from: id, to: all[id].family, role: "isVersionOf" }]),
    ...(all[id].versions || []).map((version) => ({ from: version, to: id, role: "isVersionOf" })),
  ];
  const roleShown = (edge) => !off.roles.has(edge.role);

  function paint(node) {
    const colour = tone(TYPES[node.kind]);
    const hollow = node.kind !== "Paper" && !spokenOf.has(node.id);
    const edge = hollow ? colour : tone(["#ffffff", "#12161d"]);
    const fill = hollow ? tone(["#ffffff", "#12161d"]) : colour;
    const strong = { background: fill, border: tone(["#1c2430", "#ffffff"]) };
    const faded = state.near && !state.near.has(node.id);
    return { id: node.id, opacity: faded ? 0.13 : 1, color: { background: fill, border: edge, highlight: strong, hover: strong } };
  }
  function stroke(edge) {
    const { colour, dashes = false, width = 1.6 } = ROLES[edge.role];
    const own = state.selected !== null && (edge.from === state.selected || edge.to === state.selected);
    const resting = Math.max(0.2, Math.min(0.6, 0.6 * Math.sqrt(700 / state.crowd)));
    const opacity = own ? 0.95 : state.near === null ? resting : 0.05;
    const plain = tone(colour);
    return { id: edge.id, dashes, width: own ? width + 0.6 : width, color: { color: plain, highlight: plain, hover: plain, opacity } };
  }
  function repaint() {
    nodes.update(nodes.get().map(paint));
    edges.update(edges.get().map(stroke));
  }
  function filter() {
    const joined = new Set();
    edges.forEach((e) => { if (roleShown(e)) { joined.add(e.from); joined.add(e.to); } });
    const told = new Set();
    edges.forEach((e) => { if (e.role !== "mentions") { told.add(e.from); told.add(e.to); } });
    const gone = (n) => n.id !== state.focus && (off.types.has(n.kind) || (!joined.has(n.id) && (told.has(n.id) || n.kind !== "Paper")));
    nodes.update(nodes.get().map((n) => ({ id: n.id, hidden: gone(n) })));
    edges.update(edges.get().map((e) => ({ id: e.id, hidden: !roleShown(e) })));
    report();
  }
  function report() {
    const shown = nodes.get({ filter: (n) => !n.hidden }).length;
    $("status").textContent = state.focus !== null
      ? `${shown.toLocaleString("en")} nodes around ${all[state.focus].name}`
      : whole.nodes.length < all.length
        ? `Showing ${shown.toLocaleString("en")} of ${all.length.toLocaleString("en")} nodes, the best connected. Search reaches all.`
        : `Showing ${shown.toLocaleString("en")} of ${all.length.toLocaleString("en")} nodes`;
    $("back").hidden = state.focus === null;
  }
  function fill(drawn) {
    state.crowd = Math.max(1, drawn.edges.length);
    edges.clear();
    nodes.clear();
    const ranked = [...drawn.nodes].sort((a, b) =>
      (a.kind === "Paper") - (b.kind === "Paper") || all[b.id].degree - all[a.id].degree || a.id - b.id);
    state.ranks = new Map(ranked.map((n, rank) => [n.id, rank]));
    nodes.add(drawn.nodes.map((n) => ({ ...n, ...paint(n) })));
    edges.add(drawn.edges.map((e) => ({ ...e, ...stroke(e) })));
    filter();
  }
  // Leave a margin, for labels at the rim.
  function fit(ids = nodes.getIds({ filter: (n) => !n.hidden })) {
    network.fit({ nodes: ids, maxZoomLevel: 1.2, animation: false });
    network.moveTo({ scale: network.getScale() * 0.93, animation: false });
  }
  function showWhole() {
    state.focus = null;
    state.near = null;
    fill(whole);
    fit();
  }
  const neighboursOf = (id) => [...new Set(linksOf(id).filter(roleShown).flatMap((e) => [e.from, e.to]))].filter((n) => n !== id)
    .sort((a, b) => all[b].degree - all[a].degree || a - b);
  // The node in the middle, its neighbours on rings around it, those of one type side by side. Where these are
  // few, theirs stand behind them.
  function showAround(id) {
    state.focus = id;
    const neighbours = neighboursOf(id).slice(0, RING).sort((a, b) => KINDS.indexOf(all[a].type) - KINDS.indexOf(all[b].type) || a - b);
    const rings = Math.max(1, Math.ceil(neighbours.length / 40));
    const spot = (turn, radius) => {
      const angle = 2 * Math.PI * turn - Math.PI / 2;
      return [Math.round(1.35 * radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))];
    };
    const places = new Map([[id, [0, 0]]]);
    neighbours.forEach((n, i) => {
      places.set(n, spot(i / neighbours.length, 260 + 120 * (i % rings) + 30 * (neighbours.length > 16 ? i % 2 : 0)));
    });
    if (neighbours.length <= FEW) {
      const sector = Math.min(1 / neighbours.length, 0.5);
      neighbours.forEach((n, i) => {
        const behind = neighboursOf(n).filter((m) => !places.has(m)).slice(0, BEHIND);
        behind.forEach((m, k) => places.set(m, spot(i / neighbours.length + sector * ((k + 0.5) / behind.length - 0.5), 460 + 90 * (k % 2))));
      });
    }
    const node = (n, [x, y]) => ({ id: n, label: all[n].name || " ", shape: shapes[all[n].type], kind: all[n].type, size: all[n].size, x, y });
    const links = new Map();
    for (const n of places.keys()) {
      for (const e of linksOf(n)) {
        if (places.has(e.from) && places.has(e.to)) links.set(`${e.from}-${e.to}-${e.role}`, { ...e, id: `${e.from}-${e.to}-${e.role}` });
      }
    }
    const bends = new Map();
    for (const e of links.values()) {
      const bend = bends.get(`${e.from}-${e.to}`) || 0;
      bends.set(`${e.from}-${e.to}`, bend + 1);
      if (bend) e.smooth = { enabled: true, type: "curvedCW", roundness: 0.14 * bend };
    }
    fill({ nodes: [...places].map(([n, place]) => node(n, place)), edges: [...links.values()] });
    fit();
  }

  // ---- the network ---------------------------------------------------------------------------------------
  // vis-network's own labels cover one another; labels.js draws better ones, so these never reach their threshold.
  options.nodes.scaling = { label: { drawThreshold: 1e9 } };
  const network = new vis.Network($("graph"), { nodes, edges }, options);
  network.on("afterDrawing", (context) => {
    const scale = network.getScale();
    const size = $("graph").getBoundingClientRect();
    const from = network.DOMtoCanvas({ x: -40, y: -40 });
    const to = network.DOMtoCanvas({ x: size.width + 40, y: size.height + 40 });
    const places = network.getPositions();
    const first = (id) => (id === state.hovered || id === state.selected ? -1 : state.ranks.get(id));
    const labelled = nodes.get({ filter: (n) => !n.hidden }).map((n) => ({
      id: n.id, ...places[n.id], size: n.size, label: n.label, paper: n.kind === "Paper", rank: first(n.id),
      faded: state.near !== null && !state.near.has(n.id) && n.id !== state.hovered,
    }));
    const colours = { ink: tone(["#1c2430", "#e8ecf2"]), faint: tone(["#4c5767", "#b3bdcb"]), halo: tone(["#ffffff", "#12161d"]) };
    state.labelled = KgLabels.draw(context, { nodes: labelled, scale, view: [from.x, from.y, to.x, to.y], ...colours });
  });

  // ---- text ----------------------------------------------------------------------------------------------
  function make(tag, { text, className, onclick, ...attributes } = {}, children = []) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    if (onclick) element.addEventListener("click", onclick);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  }
  const counts = (id) => {
    const found = new Map();
    assertionsOf[id].forEach((i) => { const role = data.roles[data.assertions[i][1]]; found.set(role, (found.get(role) || 0) + 1); });
    return [...found].sort((a, b) => data.roles.indexOf(a[0]) - data.roles.indexOf(b[0]));
  };
  const about = (n) => (n.type === "Paper" ? ["Paper", n.venue, n.year].filter(Boolean).join(" · ") : n.type);

  // ---- hover ---------------------------------------------------------------------------------------------
  function tip(lines, event) {
    const box = $("tip");
    box.replaceChildren(make("strong", { text: lines[0] }), ...lines.slice(1).filter(Boolean).map((text) => make("span", { text })));
    box.hidden = false;
    const stage = $("stage").getBoundingClientRect();
    const [x, y] = [event.clientX - stage.left, event.clientY - stage.top];
    box.style.left = `${Math.max(4, Math.min(x + 16, stage.width - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(4, y + 18 + box.offsetHeight > stage.height ? y - box.offsetHeight - 12 : y + 18)}px`;
  }
  network.on("hoverNode", ({ node, event }) => {
    state.hovered = node;
    const n = all[node];
    const name = (role) => (n.type === "Paper" ? ROLES[role].name : INVERSE[role]);
    const roles = counts(node).map(([role, count]) => `${name(role)} ${count}`).join(", ");
    tip([n.name, about(n), roles, (n.aliases || []).length ? `also ${n.aliases.slice(0, 6).join(", ")}` : ""], event);
  });
  network.on("hoverEdge", ({ edge, event }) => {
    if (state.hovered !== null) return;
    const { from, to, role } = edges.get(edge);
    const said = data.assertions.find((a) => a[0] === from && a[2] === to && data.roles[a[1]] === role);
    const sentence = said && said[4].length ? `“${data.sentences[said[4][0][0]]}”` : "";
    tip([`${all[from].name} ${ROLES[role].name} ${all[to].name}`, sentence], event);
  });
  network.on("blurNode", () => { state.hovered = null; $("tip").hidden = true; });
  network.on("blurEdge", () => { if (state.hovered === null) $("tip").hidden = true; });
  network.on("dragStart", () => { $("tip").hidden = true; });

  // ---- the panel -----------------------------------------------------------------------------------------
  function quote([sentence, start, length, field]) {
    const text = data.sentences[sentence];
    const parts = length ? [text.slice(0, start), make("mark", { text: text.slice(start, start + length) }), text.slice(start + length)] : [text];
    const where = data.fields[field] === "abstract" ? [] : [" ", make("span", { className: "field", text: data.fields[field] })];
    return make("p", {}, [...parts, ...where]);
  }
  const reference = (id) => make("button", { type: "button", className: "ref", text: all[id].name, onclick: () => select(id) });
  function assertion(id, a) {
    const sure = make("span", { className: "sure", text: a[3].toFixed(2), title: "confidence" });
    const head = make("div", { className: "head" }, [reference(a[0] === id ? a[2] : a[0]), sure]);
    return make("div", { className: "said" }, [head, ...a[4].map(quote)]);
  }
  function group(id, role, found) {
    const title = all[id].type === "Paper" ? ROLES[role].name : INVERSE[role];
    const list = make("div", {}, found.slice(0, FIRST).map((a) => assertion(id, a)));
    const heading = make("h3", {}, [roleSwatch(role), make("span", { text: `${title} (${found.length})` })]);
    if (found.length <= FIRST) return [heading, list];
    const rest = make("button", { type: "button", text: `Show all ${found.length}`, onclick: () => {
      rest.replaceWith(...found.slice(FIRST).map((a) => assertion(id, a)));
    } });
    return [heading, list, rest];
  }
  // A link is followed only by a click, and only if it is http or https.
  function link(address, text) {
    if (!/^https?:\/\//i.test(address)) return make("span", { text });
    return make("a", { href: address, text, rel: "noopener noreferrer", target: "_blank" });
  }
  const apart = (items) => items.flatMap((item, i) => (i ? [", ", item] : [item]));
  function facts(n) {
    const rows = [
      ["authors", n.authors && [n.authors.join(", ")]],
      ["identifier", n.key && !n.key.startsWith("text:") && [n.key]],
      ["link", n.url && [link(n.url, n.url)]],
      ["also", n.aliases && [n.aliases.join(", ")]],
      ["also a", n.also && [n.also.join(", ")]],
      ["version of", n.family !== undefined && [reference(n.family)]],
      ["versions", n.versions && n.versions.length && apart(n.versions.map(reference))],
      ["introduced by", n.introducedBy && [n.introducedBy]],
      ["homepage", n.homepage && [link(n.homepage, n.homepage)]],
      ["Wikidata", n.wikidata && [link(/^Q\d+$/.test(n.wikidata) ? `https://www.wikidata.org/wiki/${n.wikidata}` : "", n.wikidata)]],
    ];
    return make("dl", {}, rows.filter(([, value]) => value).flatMap(([term, value]) => [make("dt", { text: term }), make("dd", {}, value)]));
  }
  // The drawing stays where it is when the panel takes part of its room, so that a second click hits what the first did.
  function showPanel(open) {
    if ($("panel").hidden !== open) return;
    const corner = network.DOMtoCanvas({ x: 0, y: 0 });
    const scale = network.getScale();
    $("panel").hidden = !open;
    network.setSize("100%", "100%");
    const { clientWidth, clientHeight } = $("graph");
    network.moveTo({ position: { x: corner.x + clientWidth / 2 / scale, y: corner.y + clientHeight / 2 / scale }, scale, animation: false });
    network.redraw();
  }
  // Bring a node into sight, if it is not.
  function reveal(id) {
    const { x, y } = network.canvasToDOM(network.getPosition(id));
    if (x < 10 || y < 10 || x > $("graph").clientWidth - 30 || y > $("graph").clientHeight - 30) network.focus(id, { animation: false });
  }
  function openPanel(id) {
    const n = all[id];
    const close = make("button", { type: "button", className: "close", "aria-label": "Close details", text: "✕", onclick: () => select(null) });
    const around = make("button", { type: "button", id: "around", text: "Show its neighbourhood", onclick: () => { showAround(id); mark(id); } });
    const found = data.roles.map((role, i) => [role, assertionsOf[id].map((a) => data.assertions[a]).filter((a) => a[1] === i)]);
    $("panel").replaceChildren(
      make("div", { className: "top" }, [typeSwatch(n.type), make("span", { text: about(n) }), close]),
      make("h2", { text: n.name }), facts(n), around,
      ...found.filter(([, list]) => list.length).flatMap(([role, list]) => group(id, role, list)),
    );
    showPanel(true);
    $("panel").scrollTop = 0;
  }
  function mark(id) {
    state.selected = id;
    state.near = id === null || id === state.focus ? null : new Set([id, ...neighboursOf(id)]);
    if (id === null) network.unselectAll(); else if (nodes.get(id)) network.selectNodes([id], false);
    repaint();
  }
  function select(id) {
    $("tip").hidden = true;
    if (id === null) {
      showPanel(false);
      mark(null);
      return;
    }
    openPanel(id);
    const drawn = nodes.get(id);
    if (!drawn || drawn.hidden) showAround(id);
    mark(id);
    reveal(id);
  }
  network.on("click", ({ nodes: [node], edges: [edge] }) => {
    if (node !== undefined) select(node);
    else select(edge === undefined ? null : edges.get(edge).from);
  });
  network.on("doubleClick", ({ nodes: [node] }) => { if (node !== undefined) { showAround(node); mark(node); } });

  // ---- the legend ----------------------------------------------------------------------------------------
  function choices(box, values, { swatchOf, nameOf, countOf, hidden }) {
    box.replaceChildren(...values.filter((value) => countOf(value)).map((value) => {
      const tick = make("input", { type: "checkbox", value });
      tick.checked = !hidden.has(value);
      tick.addEventListener("change", () => {
        if (tick.checked) hidden.delete(value); else hidden.add(value);
        filter();
        if (state.selected !== null) mark(state.selected);
      });
      const count = make("span", { className: "count", text: countOf(value).toLocaleString("en") });
      return make("label", {}, [tick, swatchOf(value), make("span", { text: nameOf(value) }), count]);
    }));
  }
  function legend() {
    const kinds = new Map();
    all.forEach((n) => kinds.set(n.type, (kinds.get(n.type) || 0) + 1));
    const roles = new Map([["isVersionOf", all.filter((n) => n.family !== undefined).length]]);
    data.assertions.forEach((a) => roles.set(data.roles[a[1]], (roles.get(data.roles[a[1]]) || 0) + 1));
    choices($("types"), KINDS, { swatchOf: typeSwatch, nameOf: (t) => t, countOf: (t) => kinds.get(t) || 0, hidden: off.types });
    choices($("roles"), data.roles, { swatchOf: roleSwatch, nameOf: (r) => ROLES[r].name, countOf: (r) => roles.get(r) || 0, hidden: off.roles });
  }
  $("reset").addEventListener("click", () => {
    off.types.clear();
    off.roles.clear();
    off.roles.add("mentions");
    legend();
    select(null);
    showWhole();
  });

  // ---- search --------------------------------------------------------------------------------------------
  const search = KgSearch({ input: $("search"), list: $("hits"), all, choose: (id) => {
    select(id);
    if (state.near) fit([...state.near].filter((n) => nodes.get(n) && !nodes.get(n).hidden));
    else fit();
    $("panel").focus();
  } });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== $("search")) { $("search").focus(); event.preventDefault(); }
    if (event.key === "Escape") { if (search.open()) search.close(); else select(null); }
  });

  // ---- the rest ------------------------------------------------------------------------------------------
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor, animation: false });
  $("closer").addEventListener("click", () => zoom(1.4));
  $("farther").addEventListener("click", () => zoom(1 / 1.4));
  $("fit").addEventListener("click", () => fit());
  $("back").addEventListener("click", () => { select(null); showWhole(); });
  dark.addEventListener("change", () => { legend(); repaint(); if (state.selected !== null) openPanel(state.selected); });
  if (window.matchMedia("(max-width: 860px)").matches) $("legend").open = false;
  legend();
  showWhole();
  // What the page shows, for scripts and tests: a canvas cannot be asked.
  window.kgView = {
    network,
    shown: () => nodes.get({ filter: (n) => !n.hidden }).map((n) => n.id),
    edgesShown: () => edges.get({ filter: (e) => !e.hidden && nodes.get(e.from) && !nodes.get(e.from).hidden && !nodes.get(e.to).hidden }).map((e) => e.id),
    labelled: () => state.labelled,
    name: (id) => all[id].name,
    spot: (id) => network.canvasToDOM(network.getPosition(id)),
  };
})();
