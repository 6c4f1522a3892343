// The pages work without this script. It adds "/" to search, results while typing, arrow keys in results,
// scrolls pictures to their subject, and highlights the lines of a node.
"use strict";
(() => {
  const input = document.getElementById("q");
  const results = document.getElementById("results");
  const filters = document.querySelector("[data-filters]");
  let asked = null;
  let waiting = 0;

  const editing = (element) =>
    element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);

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
    if (asked) asked.abort();
    const mine = (asked = new AbortController());
    try {
      const response = await fetch(url, { signal: mine.signal });
      const text = await response.text();
      if (mine === asked) results.innerHTML = text; // from our own templates, which escape all names
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  function move(step) {
    const links = [...results.querySelectorAll("li > a")];
    const next = links.indexOf(document.activeElement) + step;
    if (next < 0) input.focus();
    else if (next < links.length) links[next].focus();
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

  for (const center of document.querySelectorAll(".picture .center")) {
    const box = center.getBBox();
    const around = center.closest(".scroll");
    around.scrollTop = box.y + box.height / 2 - around.clientHeight / 2;
    around.scrollLeft = box.x + box.width / 2 - around.clientWidth / 2;
  }

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

  if (results) {
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(search, 120);
    });
    filters.addEventListener("change", search);
  }
})();
