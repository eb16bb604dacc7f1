"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const table = document.querySelector("table.code");
  const lazy = data.lines !== undefined; // the module is large: rows are made when they come into view
  const standing = lazy ? [] : Array.from(table.tBodies[0].rows);
  const count = lazy ? data.lines.length : standing.length;
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

  // --------------------------------------------------------------------------------------------- rows

  const CHUNK = 100; // rows that are made together
  const chunks = []; // of a large module: [body of the table, its rows by number or null]
  const near = lazy ? new Uint8Array(count) : null; // rows that stay when only changes are shown
  let chosen = []; // numbers of rows, in order

  const kindAt = (i) => (lazy ? data.kinds[data.lines[i][0]] : standing[i].classList[0]);
  const textAt = (i) => (lazy ? data.lines[i][3] : standing[i].cells[3].textContent).trim();
  const reasonAt = (i) => (lazy ? data.lines[i][4] || "" : standing[i].title);
  const idAt = (i) => (lazy ? (data.lines[i][1] ? `L${data.lines[i][1]}` : `S${data.lines[i][2]}`) : standing[i].id);

  function rowAt(i) {
    if (!lazy) return standing[i];
    const chunk = Math.floor(i / CHUNK);
    fillChunk(chunk);
    if (!chunks[chunk][1].has(i)) fillChunk(chunk, true);
    return chunks[chunk][1].get(i);
  }

  let addresses = null;

  /** The row that an address such as L12 or S3 leads to; -1 where there is none. */
  function rowOf(address) {
    if (!lazy) {
      const at = byId(address);
      const row = at && at.closest("tr");
      return row ? Number(row.dataset.r) : -1;
    }
    if (!addresses) {
      addresses = new Map();
      data.lines.forEach(([, number, source], i) => {
        if (number) addresses.set(`L${number}`, i);
        if (source && !addresses.has(`S${source}`)) addresses.set(`S${source}`, i);
      });
    }
    return addresses.has(address) ? addresses.get(address) : -1;
  }

  const pieces = lazy ? new RegExp(data.pieces[0], "g") : null;

  function coloured(line) {
    const cell = document.createElement("td");
    cell.className = "t";
    let at = 0;
    for (const match of line.matchAll(pieces)) {
      if (match.index > at) cell.append(line.slice(at, match.index));
      const piece = document.createElement("i");
      piece.className = data.pieces[1][Object.keys(match.groups).find((name) => match.groups[name] !== undefined)];
      piece.textContent = match[0];
      cell.append(piece);
      at = match.index + match[0].length;
    }
    cell.append(line.slice(at));
    return cell;
  }

  function makeRow(i) {
    const [, number, source, line, reason] = data.lines[i];
    const row = make("tr", { id: idAt(i), "data-r": i, title: reason, class: kindAt(i) + (i in data.rows ? " decided" : "") });
    row.append(make("td", { class: "n" }, number ? make("a", { href: `#L${number}` }, number) : ""));
    const from = make("td", { class: "s" });
    if (source) from.append(number ? String(source) : make("a", { href: `#S${source}` }, source));
    row.append(from, make("td", { class: "m" }), coloured(line));
    if (near[i]) row.classList.add("near");
    if (chosen.includes(i)) row.classList.add("chosen");
    return row;
  }

  const isShown = (i) => !table.classList.contains("only-changes") || data.lines[i][0] > 0 || near[i] > 0;

  /** Make the rows of a chunk that are shown, or all. */
  function fillChunk(number, all) {
    const chunk = chunks[number];
    if (chunk[1] && !all) return;
    chunk[1] = new Map();
    for (let i = number * CHUNK; i < Math.min(count, (number + 1) * CHUNK); i++) {
      if (all || isShown(i)) chunk[1].set(i, makeRow(i));
    }
    chunk[0].replaceChildren(...chunk[1].values());
  }

  let height = 20; // of a row, until one is measured

  /** Leave as much room as the rows that are not there yet would take. */
  function leaveRoom() {
    chunks.forEach(([body, made], number) => {
      if (made) return;
      const first = number * CHUNK;
      let shown = 0;
      for (let i = first; i < Math.min(count, first + CHUNK); i++) shown += isShown(i);
      const gap = make("td", { colspan: 4 });
      gap.style.height = `${shown * height}px`;
      gap.style.padding = "0";
      body.replaceChildren(make("tr", { class: shown ? "gap" : "same" }, gap));
    });
  }

  /** Rows within three of a change, and the first of each such stretch. */
  function findNear() {
    let last = -1;
    for (let i = 0; i < count; i++) {
      if (!data.lines[i][0]) continue;
      for (let k = Math.max(last + 1, i - 3); k <= Math.min(count - 1, i + 3); k++) near[k] = 1;
      last = i;
    }
  }

  function layTable() {
    table.tBodies[0].remove();
    findNear();
    for (let at = 0; at < count; at += CHUNK) {
      const body = make("tbody", { "data-chunk": chunks.length });
      chunks.push([body, null]);
      table.append(body);
    }
    // what has changed is shown first; the rest comes with a click
    byId("only-changes").checked = data.lines.some((line) => line[0]);
    table.classList.toggle("only-changes", byId("only-changes").checked);
    leaveRoom();
    fillChunk(0);
    const shown = [...chunks[0][1].values()].find((row) => row.offsetHeight);
    if (shown) height = shown.getBoundingClientRect().height;
    leaveRoom();
    watched = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        fillChunk(Number(entry.target.dataset.chunk));
        watched.unobserve(entry.target);
      }
    }, { root: document.querySelector(".code-frame"), rootMargin: "600px" });
    watchChunks();
    window.addEventListener("beforeprint", () => chunks.forEach((_, number) => fillChunk(number)));
  }

  let watched = null;

  function watchChunks() {
    watched.disconnect(); // what is observed anew is reported at once where it is in view
    for (const [body, made] of chunks) if (!made) watched.observe(body);
  }

  let bodies = null;

  /** What there is to see of a function. It was written with the page, every text in it escaped. */
  function fillFunction(place) {
    if (place.dataset.filled) return;
    place.dataset.filled = "1";
    bodies ??= JSON.parse(byId("bodies").textContent);
    const made = new DOMParser().parseFromString(bodies[Number(place.dataset.f)], "text/html");
    place.replaceChildren(...Array.from(made.body.childNodes));
    place.style.minHeight = "";
  }

  function layFunctions() {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        fillFunction(entry.target);
        seen.unobserve(entry.target);
      }
    }, { rootMargin: "600px" });
    for (const place of document.querySelectorAll(".function .body")) {
      place.hidden = false;
      place.style.minHeight = "24rem";
      seen.observe(place);
    }
    window.addEventListener("beforeprint", () => document.querySelectorAll(".function .body").forEach(fillFunction));
  }

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
    const row = rowOf(`S${line}`);
    return row >= 0 ? textAt(row) : null;
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

  /** A step with all below it. What was shown in the same proof is not shown again; what is closed is made when it
   * is opened. */
  function stepItem(step, depth, shown) {
    const premises = data.steps[step][5];
    const item = make("li", { "data-step": step });
    if (!premises || !premises.length || shown.has(step)) {
      item.append(make("div", { class: "leaf" }, says(step), whence(step, premises && premises.length && shown.has(step))));
      return item;
    }
    shown.add(step);
    const summary = make("summary", null, says(step), whence(step));
    const details = make("details", null, summary);
    const fill = () => {
      if (details.dataset.filled) return;
      details.dataset.filled = "1";
      details.append(premiseList(premises, depth + 1, shown));
    };
    if (depth < OPEN) {
      details.open = true;
      fill();
    } else details.addEventListener("toggle", fill, { once: true });
    item.append(details);
    return item;
  }

  function premiseList(premises, depth, shown) {
    const list = make("ul", { class: "steps" });
    for (const premise of premises) {
      if (typeof premise === "number") {
        list.append(stepItem(premise, depth, shown));
        continue;
      }
      const [what, ...steps] = premise;
      const item = make("li", null, make("div", { class: "leaf not" }, text(what)));
      if (steps.length) item.append(premiseList(steps, depth + 1, shown));
      list.append(item);
    }
    return list;
  }

  function decisionPart(number, open) {
    const step = data.decisions[number][1];
    const part = make("div", { class: "decision", id: open ? null : `decision-${number}` });
    part.append(make("ul", { class: "steps" }, stepItem(step, open ? 0 : OPEN, new Set())));
    return part;
  }

  // ----------------------------------------------------------------------------------------- inspector

  let rowsByDecision = null;
  const decisionsOf = (row) => (row in data.rows ? data.lists[data.rows[row]] : []);

  function rowsOf(decision) {
    if (!rowsByDecision) {
      rowsByDecision = new Map();
      for (const row of Object.keys(data.rows)) {
        for (const each of decisionsOf(row)) {
          if (!rowsByDecision.has(each)) rowsByDecision.set(each, []);
          rowsByDecision.get(each).push(Number(row));
        }
      }
    }
    return rowsByDecision.get(decision) || [];
  }

  function choose(numbers) {
    for (const row of table.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
    chosen = [...numbers].sort((a, b) => a - b);
    for (const number of chosen) {
      if (!lazy || chosen.length <= CHUNK) rowAt(number).classList.add("chosen");
    }
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
    const id = idAt(row);
    return id.startsWith("L") ? `Line ${id.slice(1)}` : `Line ${id.slice(1)} of the source`;
  }

  function showRow(number) {
    const reason = reasonAt(number);
    const decisions = decisionsOf(number);
    choose([number]);
    const parts = [make("h2", null, rowName(number)), make("pre", null, textAt(number))];
    if (reason) parts.push(make("p", { class: "reason" }, `${reason[0].toUpperCase()}${reason.slice(1)}.`));
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
    const found = rowsOf(number);
    choose(found);
    const links = make("p", null);
    if (found.length) {
      links.append("About ");
      found.slice(0, 12).forEach((row, i) => {
        links.append(i ? ", " : "", make("a", { href: `#${idAt(row)}` }, rowName(row).toLowerCase()));
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
      const row = rowOf(hash);
      if (row >= 0) {
        if (lazy && kindAt(row) === "same" && !near[row] && table.classList.contains("only-changes")) byId("only-changes").click();
        showRow(row);
        rowAt(row).scrollIntoView({ block: "center" });
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
    table.classList.toggle("only-changes", event.target.checked);
    if (lazy) {
      for (const chunk of chunks) chunk[1] = null;
      leaveRoom();
      watchChunks();
      return;
    }
    const reach = 3;
    let last = -1;
    standing.forEach((row, i) => {
      if (row.classList.contains("same")) return;
      for (let k = Math.max(last + 1, i - reach); k <= Math.min(count - 1, i + reach); k++) standing[k].classList.add("near");
      last = i;
    });
    standing.forEach((row, i) => {
      row.classList.toggle("first", i > 0 && row.matches(".near") && standing[i - 1].matches(".same:not(.near)"));
    });
  });

  // the numbers of the summary lead to what they count, one after the other
  for (const link of document.querySelectorAll(".counts a[data-rows]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const targets = link.dataset.rows.split(" ").map(Number);
      const at = chosen.length ? chosen[0] : -1;
      visit(`#${idAt(targets.find((row) => row > at) ?? targets[0])}`);
    });
  }

  function change(step) {
    let at = chosen.length ? chosen[0] : step > 0 ? -1 : count;
    for (at += step; at >= 0 && at < count; at += step) {
      if (kindAt(at) !== "same" && at in data.rows) {
        visit(`#${idAt(at)}`);
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
    data.values.forEach(([name, of, row]) => index.push(["value", name, `in ${data.functions[of]}`, `#${idAt(row)}`]));
    data.relations.forEach(([name, doc], i) => index.push(["relation", name, doc.slice(doc.indexOf(":") + 1).trim(), `#r${i}`]));
    for (let i = 0; i < count; i++) index.push([rowName(i).replace(" of the source", " (old)"), textAt(i), "", `#${idAt(i)}`]);
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

  if (lazy) {
    layTable();
    layFunctions();
  }
  follow();
})();
