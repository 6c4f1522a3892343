// The pages work without this script. It adds "/" to search, results while typing, arrow keys in results,
// zooms pictures, highlights the lines of a node, and opens the table of contents where there is room.
"use strict";
(() => {
  const input = document.getElementById("q");
  const results = document.getElementById("results");
  const filters = document.querySelector("[data-filters]");
  const box = document.getElementById("choices");
  const status = document.getElementById("choices-status");
  let asked = null;
  let waiting = 0;
  let chosen = null;

  const editing = (element) =>
    element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);

  // The answer to the newest question only: an older one may come later.
  async function fetched(url) {
    if (asked) asked.abort();
    const mine = (asked = new AbortController());
    try {
      const response = await fetch(url, { signal: mine.signal });
      const text = await response.text();
      return mine === asked && response.ok ? text : null;
    } catch (error) {
      if (error.name === "AbortError" || error instanceof TypeError) return null; // the server has ended
      throw error;
    }
  }

  function address() {
    const url = new URL(input.form.action);
    if (filters) for (const [name, value] of new FormData(filters)) if (value) url.searchParams.set(name, value);
    url.searchParams.set("q", input.value);
    return url;
  }

  async function search() {
    const url = address();
    if (filters) filters.elements.q.value = input.value;
    history.replaceState(null, "", url);
    url.searchParams.set("part", "1");
    const text = await fetched(url);
    if (text !== null) results.innerHTML = text; // from our own templates, which escape all names
  }

  function move(step) {
    const links = [...results.querySelectorAll("li > a")];
    const next = links.indexOf(document.activeElement) + step;
    if (next < 0) input.focus();
    else if (next < links.length) links[next].focus();
  }

  // On other pages than that of the search, the results are a list below the input: a combobox (WAI-ARIA).

  async function suggest() {
    if (!input.value.trim()) return close();
    const url = address();
    url.searchParams.set("part", "choices");
    const text = await fetched(url);
    if (text === null || document.activeElement !== input) return;
    box.innerHTML = text; // from our own templates, which escape all names
    box.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(null);
    status.textContent = `${box.children.length - 1} results; the arrow keys choose one`;
  }

  function close() {
    clearTimeout(waiting);
    if (asked) asked.abort();
    box.hidden = true;
    box.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    status.textContent = "";
    choose(null);
  }

  function choose(option) {
    if (chosen) chosen.setAttribute("aria-selected", "false");
    chosen = option;
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  // Through the options and back to the text that was typed.
  function step(by) {
    const options = [null, ...box.children];
    choose(options[(options.indexOf(chosen) + by + options.length) % options.length]);
  }

  function suggestionKey(event) {
    if (event.isComposing) return;
    const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (arrow && box.hidden) {
      event.preventDefault();
      suggest();
    } else if (arrow) {
      event.preventDefault();
      step(arrow);
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      location.assign(chosen.href);
    } else if (event.key === "Escape" && !box.hidden) {
      event.preventDefault();
      close();
    }
  }

  if (input && !results) {
    const roles = { role: "combobox", "aria-controls": "choices", "aria-expanded": "false", "aria-autocomplete": "list" };
    for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
    input.addEventListener("keydown", suggestionKey);
    input.addEventListener("blur", close);
    box.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus until the click
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !editing(event.target)) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (results && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      if (event.target !== input && !results.contains(event.target)) return;
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });

  if (input) {
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(results ? search : suggest, 120);
    });
    if (filters) filters.addEventListener("change", search);
  }

  // Pictures begin as large as the window allows.
  const STEP = 1.25;
  const LARGEST = 4;
  const LEAST = 0.45;

  function zoomable(around) {
    const svg = around.querySelector("svg");
    const tools = around.parentElement.querySelector(".tools");
    const size = svg.viewBox.baseVal;
    let scale = 1;
    let fits = false;

    // All of a large graph at once would be too small to be recognized: that begins at its width.
    function begin() {
      const wide = Math.max(LEAST, Math.min(1, around.clientWidth / size.width));
      if (fitting() >= LEAST) fit();
      else {
        zoom(wide);
        center();
      }
    }

    const fitting = () => Math.min(1, around.clientWidth / size.width, (innerHeight * 0.8) / size.height);

    // Zoom and keep the point of the window in place that is ``x`` and ``y`` from the picture's corner.
    function zoom(to, x = around.clientWidth / 2, y = around.clientHeight / 2) {
      const before = scale;
      scale = Math.min(LARGEST, Math.max(Math.min(fitting(), 1), to));
      const left = ((around.scrollLeft + x) / before) * scale - x;
      const top = ((around.scrollTop + y) / before) * scale - y;
      around.classList.add("zoomed");
      svg.setAttribute("width", size.width * scale);
      svg.setAttribute("height", size.height * scale);
      around.scrollLeft = left;
      around.scrollTop = top;
      tools.querySelector("output").textContent = `${Math.round(scale * 100)} %`;
    }

    function fit() {
      fits = true;
      zoom(fitting());
    }

    function full() {
      fits = false;
      zoom(1);
      center();
    }

    function center() {
      const node = svg.querySelector(".center");
      if (!node) return;
      const place = node.getBBox();
      around.scrollTop = (place.y + place.height / 2) * scale - around.clientHeight / 2;
      around.scrollLeft = (place.x + place.width / 2) * scale - around.clientWidth / 2;
    }

    function by(factor, x, y) {
      fits = false;
      zoom(scale * factor, x, y);
    }

    const actions = { in: () => by(STEP), out: () => by(1 / STEP), fit, full };
    tools.addEventListener("click", (event) => {
      const button = event.target.closest("[data-zoom]");
      if (button) actions[button.dataset.zoom]();
    });
    around.parentElement.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = { "+": "in", "=": "in", "-": "out", 0: "fit", 1: "full" }[event.key];
      if (!action) return;
      event.preventDefault();
      actions[action]();
    });
    around.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return; // the page scrolls
        event.preventDefault();
        const place = around.getBoundingClientRect();
        by(Math.exp(-event.deltaY / 300), event.clientX - place.left, event.clientY - place.top);
      },
      { passive: false },
    );
    addEventListener("resize", () => fits && fit());
    tools.hidden = false;
    around.setAttribute("aria-keyshortcuts", "+ - 0 1");
    begin();
  }

  for (const around of document.querySelectorAll("[data-picture]")) zoomable(around);

  // With hundreds of lines, nobody can follow one line: highlight the lines of the node under the pointer.
  for (const picture of document.querySelectorAll(".picture svg")) {
    const mark = (event) => {
      const node = event.target.closest("[data-node]");
      for (const line of picture.querySelectorAll(".edges .near")) line.classList.remove("near");
      if (!node) return;
      for (const line of picture.querySelectorAll(`[data-ends~="${node.dataset.node}"]`)) line.classList.add("near");
    };
    picture.addEventListener("mouseover", mark);
    picture.addEventListener("focusin", mark);
  }

  const contents = document.querySelector("[data-contents]");
  const room = matchMedia("(min-width: 75rem)");
  const unfold = () => contents && (contents.open = room.matches);
  room.addEventListener("change", unfold);
  unfold();
})();
