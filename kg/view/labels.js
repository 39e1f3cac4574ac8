// Labels at a constant size on screen that never cover one another: the best connected first, others as one zooms in.
"use strict";
const KgLabels = (() => {
  const OBSTACLE = 64;
  const HUB = 14;
  const RIM = 46;
  const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  // A grid of boxes, so that a label is held against those near it only.
  function grid() {
    const cells = new Map();
    const over = (box, visit) => {
      for (let x = Math.floor(box[0] / OBSTACLE); x <= Math.floor(box[2] / OBSTACLE); x++) {
        for (let y = Math.floor(box[1] / OBSTACLE); y <= Math.floor(box[3] / OBSTACLE); y++) {
          if (visit(x + "," + y)) return true;
        }
      }
      return false;
    };
    return {
      add: (box) => over(box, (cell) => { cells.has(cell) ? cells.get(cell).push(box) : cells.set(cell, [box]); return false; }),
      hits: (box) => over(box, (cell) => (cells.get(cell) || []).some((other) => other[4] !== box[4] && overlap(other, box))),
    };
  }

  const shorten = (text, most) => {
    const letters = Array.from(text);
    return letters.length <= most ? text : letters.slice(0, most - 1).join("").trimEnd() + "…";
  };

  // What is in view reaches 40 pixels beyond the window, so that nodes at its rim are obstacles too; labels stay inside.
  // nodes: {id, x, y, size, label, paper, rank, faded}, the first in rank labelled first. Returns the ids labelled.
  function draw(context, { nodes, scale, view, ink, faint, halo }) {
    const discs = grid();
    const taken = grid();
    const done = [];
    const seen = nodes.filter((n) => n.x > view[0] && n.x < view[2] && n.y > view[1] && n.y < view[3]);
    for (const n of seen) {
      const [x, y, r] = [n.x * scale, n.y * scale, n.size * scale * 0.9];
      discs.add([x - r, y - r, x + r, y + r, n.id]);
    }
    const [left, right] = [view[0] * scale + RIM, view[2] * scale - RIM];
    context.save();
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const n of seen.filter((each) => !each.faded).sort((a, b) => a.rank - b.rank)) {
      const pixels = n.paper ? 11 : Math.max(11.5, Math.min(16, 10 + n.size * scale * 0.28));
      context.font = `${n.paper ? "italic " : n.size > HUB ? "600 " : ""}${pixels / scale}px system-ui, "Segoe UI", Roboto, Arial, sans-serif`;
      const text = shorten(n.label, n.paper ? 30 : 36);
      const width = context.measureText(text).width * scale;
      const [x, y, r, h] = [n.x * scale, n.y * scale, n.size * scale, pixels * 1.2];
      const inside = Math.max(left + width / 2, Math.min(right - width / 2, x));
      const centres = [[inside, y + r + h * 0.62], [inside, y - r - h * 0.62], [x + r + width / 2 + 5, y], [x - r - width / 2 - 5, y]];
      const box = ([cx, cy]) => [cx - width / 2 - 3, cy - h / 2, cx + width / 2 + 3, cy + h / 2, n.id];
      const free = centres.filter((centre) => !taken.hits(box(centre)));
      // A hub is named even if its name lies on small nodes, and what one points at in any case.
      const place = free.find((centre) => !discs.hits(box(centre))) || (n.size > HUB ? free[0] : null) || (n.rank < 0 ? centres[0] : null);
      if (!place) continue;
      taken.add([place[0] - width / 2 - 3, place[1] - h / 2, place[0] + width / 2 + 3, place[1] + h / 2, `${n.id} label`]);
      const [start, middle] = [(place[0] - width / 2) / scale, place[1] / scale];
      context.lineWidth = 3.5 / scale;
      context.strokeStyle = halo;
      context.strokeText(text, start, middle);
      context.fillStyle = n.paper ? faint : ink;
      context.fillText(text, start, middle);
      done.push(n.id);
    }
    context.restore();
    return done;
  }
  return { draw };
})();
