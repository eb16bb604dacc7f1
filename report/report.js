"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const table = document.querySelector("table.code");
  const rows = Array.from(table.tBodies[0].rows);
  const inspector = byId("inspector");
  const inspected = byId("inspected");

  /** An element; children that are strings become text, never markup. */
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") element.addEventListener("click", value);
      else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  document.documentElement.classList.add("script");
  for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;

  // ------------------------------------------------------------------------------------------ colours

  const themes = ["system", "light", "dark"];
  const themeButton = byId("theme");
  let theme = "system";
  try {
    theme = themes.includes(localStorage.getItem("dealog-theme")) ? localStorage.getItem("dealog-theme") : "system";
  } catch {
    // a page from a file may have no storage
  }
  function showTheme() {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = `Colours: ${theme}`;
  }
  themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    showTheme();
    try {
      localStorage.setItem("dealog-theme", theme);
    } catch {
      // then it lasts as long as the page
    }
  });
  showTheme();

  // -------------------------------------------------------------------------------------------- proofs

  const OPEN = 2; // steps of a proof that are open at first

  /** A text; one that is a list has holes, which are filled in order. */
  function text(number) {
    const entry = data.texts[number];
    if (typeof entry === "string") return entry;
    const [pattern, ...filling] = entry;
    return data.texts[pattern].split("\u0001").map((part, i) => part + (i < filling.length ? data.texts[filling[i]] : "")).join("");
  }

  const says = (step) => text(data.steps[step][1]);
  const relation = (step) => data.relations[data.steps[step][0]];

  function lineLink(line) {
    return make("a", { href: `#S${line}`, title: sourceText(line) }, `line ${line}`);
  }

  function sourceText(line) {
    const at = byId(`S${line}`);
    const row = at && at.closest("tr");
    return row ? row.cells[3].textContent.trim() : null;
  }

  /** Where a step comes from: its relation, whose documentation unfolds, and its rule or line. */
  function whence(step, again) {
    const [, , rule, line, pass] = data.steps[step];
    const [name, doc] = relation(step);
    const where = make("span", { class: "where" }, " ");
    const button = make("button", { type: "button", "aria-expanded": "false", title: doc }, name);
    button.addEventListener("click", (event) => {
      event.preventDefault();
      event.stopPropagation();
      const holder = button.closest("summary, .leaf");
      const open = holder.nextElementSibling;
      if (open && open.classList.contains("doc")) open.remove();
      else holder.after(make("p", { class: "doc" }, doc));
      button.setAttribute("aria-expanded", String(!(open && open.classList.contains("doc"))));
    });
    where.append(make("span", { class: "together" }, "[", button));
    if (again) where.append(", as shown above");
    else if (rule >= 0) where.append(`, ${text(rule)}`);
    else if (line >= 0) {
      if (pass >= 0) where.append(`, made by ${text(pass)} at `, lineLink(line));
      else where.append(", ", lineLink(line));
    } else where.append(", given");
    where.append("]");
    return where;
  }

  /** A step with all below it. What was told in the same proof is not told again; what is closed is made when it
   * is opened. */
  function stepItem(step, depth, told) {
    const premises = data.steps[step][5];
    const item = make("li", { "data-step": step });
    if (!premises || !premises.length || told.has(step)) {
      item.append(make("div", { class: "leaf" }, says(step), whence(step, premises && premises.length && told.has(step))));
      return item;
    }
    told.add(step);
    const summary = make("summary", null, says(step), whence(step));
    const details = make("details", null, summary);
    const fill = () => {
      if (details.dataset.filled) return;
      details.dataset.filled = "1";
      details.append(premiseList(premises, depth + 1, told));
    };
    if (depth < OPEN) {
      details.open = true;
      fill();
    } else details.addEventListener("toggle", fill, { once: true });
    item.append(details);
    return item;
  }

  function premiseList(premises, depth, told) {
    const list = make("ul", { class: "steps" });
    for (const premise of premises) {
      if (typeof premise === "number") {
        list.append(stepItem(premise, depth, told));
        continue;
      }
      const [what, ...steps] = premise;
      const item = make("li", null, make("div", { class: "leaf not" }, text(what)));
      if (steps.length) item.append(premiseList(steps, depth + 1, told));
      list.append(item);
    }
    return list;
  }

  function decisionPart(number, open) {
    const step = data.decisions[number][1];
    const part = make("div", { class: "decision", id: open ? null : `told-${number}` });
    part.append(make("ul", { class: "steps" }, stepItem(step, open ? 0 : OPEN, new Set())));
    return part;
  }

  // ----------------------------------------------------------------------------------------- inspector

  const rowsOf = new Map(); // decision -> rows
  const decisionsOf = (row) => (row in data.rows ? data.lists[data.rows[row]] : []);
  for (const row of Object.keys(data.rows)) {
    for (const decision of decisionsOf(row)) {
      if (!rowsOf.has(decision)) rowsOf.set(decision, []);
      rowsOf.get(decision).push(Number(row));
    }
  }

  function choose(numbers) {
    for (const row of table.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
    for (const number of numbers) rows[number].classList.add("chosen");
  }

  function show(...parts) {
    inspected.replaceChildren(...parts);
    inspected.querySelector("h2").append(make("button", { type: "button", class: "close", onclick: close }, "Close"));
    inspector.classList.add("filled");
    inspector.scrollTop = 0;
  }

  function close() {
    inspector.classList.remove("filled");
    choose([]);
  }

  function rowName(row) {
    const { id } = row;
    return id.startsWith("L") ? `Line ${id.slice(1)}` : `Line ${id.slice(1)} of the source`;
  }

  function showRow(number) {
    const row = rows[number];
    const decisions = decisionsOf(number);
    choose([number]);
    const parts = [make("h2", null, rowName(row)), make("pre", null, row.cells[3].textContent.trim())];
    if (row.title) parts.push(make("p", { class: "reason" }, `${row.title[0].toUpperCase()}${row.title.slice(1)}.`));
    if (!decisions.length) parts.push(make("p", null, "Nothing was decided about this line."));
    const main = decisions.filter((d) => !data.decisions[d][2]);
    const rest = decisions.filter((d) => data.decisions[d][2]);
    parts.push(...byStage(main, main.length <= 4));
    if (rest.length) {
      if (main.length) {
        const more = make("details", { class: "all" }, make("summary", null, `How it was carried out (${rest.length})`));
        more.append(...byStage(rest, false));
        parts.push(more);
      } else parts.push(...byStage(rest, rest.length <= 4));
    }
    show(...parts);
  }

  /** The decisions under the names of their passes; the first is open, or all. */
  function byStage(decisions, all) {
    const parts = [];
    let stage = -1;
    decisions.forEach((decision, i) => {
      if (data.decisions[decision][0] !== stage) {
        stage = data.decisions[decision][0];
        parts.push(make("h3", null, data.stages[stage]));
      }
      parts.push(decisionPart(decision, all || i === 0));
    });
    return parts;
  }

  function showDecision(number) {
    const found = rowsOf.get(number) || [];
    choose(found);
    const links = make("p", null);
    if (found.length) {
      links.append("About ");
      found.slice(0, 12).forEach((row, i) => {
        links.append(i ? ", " : "", make("a", { href: `#${rows[row].id}` }, rowName(rows[row]).toLowerCase()));
      });
      links.append(found.length > 12 ? ` and ${found.length - 12} more.` : ".");
    }
    show(make("h2", null, "Decision"), make("h3", null, data.stages[data.decisions[number][0]]), decisionPart(number, true), links);
  }

  function showRelation(number) {
    const [name, doc] = data.relations[number];
    const list = make("ul", { class: "steps" });
    data.decisions.forEach(([, step], decision) => {
      if (data.steps[step][0] === number && list.children.length < 200) {
        list.append(make("li", null, make("a", { href: `#d${decision}` }, says(step))));
      }
    });
    show(make("h2", null, name), make("p", null, doc), list.children.length ? make("h3", null, "Decided by it") : "", list);
  }

  /** Go where the address says. */
  function follow() {
    const hash = location.hash.slice(1);
    const match = /^(L|S|d|r)(\d+)$/.exec(hash);
    if (!match) return;
    const number = Number(match[2]);
    if (match[1] === "d") {
      if (number < data.decisions.length) showDecision(number);
    } else if (match[1] === "r") {
      if (number < data.relations.length) showRelation(number);
    } else {
      const at = byId(hash);
      const row = at && at.closest("tr");
      if (row) {
        showRow(Number(row.dataset.r));
        row.scrollIntoView({ block: "center" });
      }
    }
  }
  window.addEventListener("hashchange", follow);

  /** Go to an address at once, and let "back" lead back. */
  function visit(address) {
    if (location.hash !== address) history.pushState(null, "", address);
    follow();
  }

  table.addEventListener("click", (event) => {
    if (event.target.closest("a") || String(getSelection())) return;
    const row = event.target.closest("tr.decided");
    if (!row) return;
    history.replaceState(null, "", `#${row.id}`);
    showRow(Number(row.dataset.r));
  });

  // -------------------------------------------------------------------------------------------- source

  byId("wrap").addEventListener("change", (event) => table.classList.toggle("wrapped", event.target.checked));
  byId("only-changes").addEventListener("change", (event) => {
    const near = 3;
    let last = -1;
    rows.forEach((row, i) => {
      if (row.classList.contains("same")) return;
      for (let k = Math.max(last + 1, i - near); k <= Math.min(rows.length - 1, i + near); k++) rows[k].classList.add("near");
      last = i;
    });
    rows.forEach((row, i) => {
      row.classList.toggle("first", i > 0 && row.matches(".near") && rows[i - 1].matches(".same:not(.near)"));
    });
    table.classList.toggle("only-changes", event.target.checked);
  });

  // the numbers of the summary lead to what they count, one after the other
  for (const link of document.querySelectorAll(".counts a[data-rows]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const targets = link.dataset.rows.split(" ").map(Number);
      const chosen = table.querySelector("tr.chosen");
      const at = chosen ? Number(chosen.dataset.r) : -1;
      visit(`#${rows[targets.find((row) => row > at) ?? targets[0]].id}`);
    });
  }

  function change(step) {
    const chosen = table.querySelector("tr.chosen");
    let at = chosen ? Number(chosen.dataset.r) : step > 0 ? -1 : rows.length;
    for (at += step; at >= 0 && at < rows.length; at += step) {
      if (!rows[at].classList.contains("same") && at in data.rows) {
        visit(`#${rows[at].id}`);
        return;
      }
    }
  }

  // ------------------------------------------------------------------------------------------ decisions

  const all = byId("all-decisions");
  const byFunction = byId("by-function");
  data.functions.forEach((name, i) => byFunction.append(make("option", { value: i }, name)));

  /** The decisions by pass and relation; a list is made when it is opened. */
  function listDecisions() {
    const wanted = byFunction.value === "" ? null : Number(byFunction.value);
    const groups = new Map();
    data.decisions.forEach(([stage, step, carrying, of], decision) => {
      if ((carrying && !byId("carrying").checked) || (wanted !== null && of !== wanted)) return;
      const key = `${stage} ${data.steps[step][0]}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(decision);
    });
    all.replaceChildren();
    let last = -1;
    for (const decisions of groups.values()) {
      const [stage, step] = data.decisions[decisions[0]];
      if (stage !== last) {
        last = stage;
        all.append(make("h3", null, data.stages[stage]));
      }
      const [name, doc] = relation(step);
      const summary = make("summary", { title: doc }, make("code", null, name), ` (${decisions.length})`);
      const details = make("details", { class: "all" }, summary);
      details.addEventListener("toggle", () => {
        const list = make("ul");
        for (const d of decisions) {
          const [, goal, , of] = data.decisions[d];
          const tell = of >= 0 && wanted === null && data.functions.length > 1;
          const name = tell ? make("code", null, data.functions[of]) : "";
          list.append(make("li", null, name, make("a", { href: `#d${d}` }, says(goal))));
        }
        details.append(list);
      }, { once: true });
      all.append(details);
    }
    if (!groups.size) all.append(make("p", { class: "note" }, "Nothing was decided."));
  }
  byFunction.addEventListener("change", listDecisions);
  byId("carrying").addEventListener("change", listDecisions);
  listDecisions();

  // --------------------------------------------------------------------------------------------- search

  const MOST = 60;
  const box = byId("search");
  const found = byId("found");
  let index = null;
  let selected = -1;

  function entries() {
    if (index) return index;
    index = [];
    data.values.forEach(([name, of, row]) => index.push(["value", name, `in ${data.functions[of]}`, `#${rows[row].id}`]));
    data.relations.forEach(([name, doc], i) => index.push(["relation", name, doc.slice(doc.indexOf(":") + 1).trim(), `#r${i}`]));
    rows.forEach((row) => index.push([rowName(row).replace(" of the source", " (old)"), row.cells[3].textContent.trim(), "", `#${row.id}`]));
    data.decisions.forEach(([, step], d) => index.push(["decision", says(step), relation(step)[0], `#d${d}`]));
    for (const entry of index) entry.push(`${entry[1]} ${entry[2]}`.toLowerCase());
    return index;
  }

  /** Names that are what is asked for come first, then those that start so; all words have to be there. */
  function search(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const whole = words.join(" ");
    const hits = [];
    entries().forEach((entry, i) => {
      if (!words.every((word) => entry[4].includes(word))) return;
      const name = entry[1].toLowerCase();
      const bare = name.replace(/^[%@^]/, "");
      const begins = name.startsWith(whole) || bare.startsWith(whole);
      const rank = name === whole || bare === whole ? 0 : begins ? 1 : words.every((word) => name.includes(word)) ? 2 : 3;
      hits.push([rank, i, entry]);
    });
    hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return hits.map((hit) => hit[2]);
  }

  function showHits() {
    const hits = search(box.value);
    selected = -1;
    const items = hits.slice(0, MOST).map(([what, shown, beside, target], i) => {
      const code = /^line/i.test(what) || what === "value";
      return make("li", { role: "option", id: `hit-${i}`, "data-target": target, "aria-selected": "false" },
        make("span", { class: "what" }, what),
        make("span", { class: code ? "hit code" : "hit" }, shown, beside ? make("span", { class: "where" }, ` ${beside.slice(0, 90)}`) : ""));
    });
    if (hits.length > MOST) items.push(make("li", { class: "none" }, `and ${hits.length - MOST} more`));
    if (!hits.length) items.push(make("li", { class: "none" }, "Nothing found."));
    found.replaceChildren(...items);
    open(box.value.trim() !== "");
  }

  function open(shown) {
    found.hidden = !shown;
    box.setAttribute("aria-expanded", String(shown));
    if (!shown) box.removeAttribute("aria-activedescendant");
  }

  function select(step) {
    const options = found.querySelectorAll('[role="option"]');
    if (!options.length) return;
    if (selected >= 0) options[selected].setAttribute("aria-selected", "false");
    selected = (selected + step + options.length) % options.length;
    options[selected].setAttribute("aria-selected", "true");
    options[selected].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options[selected].id);
  }

  function go(option) {
    open(false);
    visit(option.dataset.target);
  }

  box.addEventListener("input", showHits);
  box.addEventListener("focus", () => box.value.trim() && showHits());
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (selected < 0 && event.key === "ArrowUp") selected = 0;
      select(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      const option = found.querySelectorAll('[role="option"]')[Math.max(selected, 0)];
      if (option) go(option);
    } else if (event.key === "Escape") {
      open(false);
      box.blur();
    }
  });
  found.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest('[role="option"]');
    if (option) go(option);
  });
  box.addEventListener("blur", () => open(false));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "/") {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "n") change(1);
    else if (event.key === "p") change(-1);
  });

  follow();
})();
