// A search box by name, alias or title, with a list that is worked by keyboard too.
"use strict";
const KgSearch = ({ input, list, all, choose }) => {
  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }
  const fold = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const index = all.map((n) => [n.name, ...(n.aliases || [])].map(fold));
  function found(text) {
    const wanted = fold(text);
    if (!wanted) return [];
    const score = (name) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 9);
    return all.map((n) => [Math.min(...index[n.id].map(score)), n]).filter(([s]) => s < 9)
      .sort((a, b) => a[0] - b[0] || (a[1].type === "Paper") - (b[1].type === "Paper") || b[1].degree - a[1].degree || a[1].id - b[1].id).slice(0, 12).map(([, n]) => n);
  }
  const hits = { list: [], active: -1 };
  function offer() {
    hits.list = found(input.value);
    hits.active = hits.list.length ? 0 : -1;
    list.replaceChildren(...hits.list.map((n, i) => {
      const parts = [KgPalette.typeSwatch(n.type), element("span", "name", n.name), element("span", "more", `${n.degree} joined`)];
      const item = element("li", "", "");
      item.setAttribute("role", "option");
      item.id = `hit-${i}`;
      item.addEventListener("click", () => take(i));
      item.append(...parts);
      return item;
    }));
    if (input.value.trim() && !hits.list.length) list.append(element("li", "", "Nothing of that name"));
    list.hidden = !list.childElementCount;
    input.setAttribute("aria-expanded", String(!list.hidden));
    point();
  }
  function point() {
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === hits.active)));
    if (hits.active >= 0) {
      input.setAttribute("aria-activedescendant", `hit-${hits.active}`);
      list.children[hits.active].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }
  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function take(i) {
    const { id } = hits.list[i];
    close();
    choose(id);
  }
  input.addEventListener("input", offer);
  input.addEventListener("focus", offer);
  input.addEventListener("blur", () => setTimeout(close, 200));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.list.length) {
      hits.active = (hits.active + step + hits.list.length) % hits.list.length;
      point();
      event.preventDefault();
    } else if (event.key === "Enter" && hits.active >= 0 && !list.hidden) take(hits.active);
  });
  return { close, open: () => !list.hidden };
};
