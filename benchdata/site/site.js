// Narrows the list of reports by words and values; without it the whole list stays.
// What is asked for stands in the address after the #, so that a view can be passed on.
"use strict";
(() => {
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const words = JSON.parse(document.getElementById("words").textContent);
  const entries = [...document.querySelectorAll("#list .entry")].map((item, at) => ({
    item,
    text: fold(`${item.textContent} ${words[at]}`),
  }));
  const months = [...document.querySelectorAll("#list .month")];
  const total = count.textContent;
  const selects = [...form.querySelectorAll("select")];

  function fits({ item, text }, asked) {
    const { date } = item.dataset;
    return (
      fold(asked.q).split(/\s+/).every((word) => text.includes(word)) &&
      selects.every(({ name }) => !asked[name] || item.dataset[name] === asked[name]) &&
      (!asked.from || date >= asked.from) &&
      (!asked.to || date <= asked.to)
    );
  }

  const asking = () => Object.fromEntries(new FormData(form));

  function narrow() {
    const asked = asking();
    let shown = 0;
    for (const entry of entries) {
      const fit = fits(entry, asked);
      entry.item.hidden = !fit;
      shown += fit;
    }
    for (const month of months) month.hidden = !month.querySelector(".entry:not([hidden])");
    const said = shown === entries.length ? total : `${shown.toLocaleString("en")} of ${total}`;
    count.textContent = shown ? said : `None of ${total}; ask for less, or clear the filters`;
  }

  function keep() {
    const asked = new URLSearchParams(Object.entries(asking()).filter(([, value]) => value));
    history.replaceState(null, "", asked.size ? `#${asked}` : location.pathname + location.search);
  }

  let timer = 0;
  function changed() {
    narrow();
    clearTimeout(timer); // a browser refuses many new addresses at once
    timer = setTimeout(keep, 300);
  }

  // An address of a heading holds no "=", and asks for nothing.
  function recall() {
    if (location.hash && !location.hash.includes("=")) return;
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const field of form.elements) {
      if (field.name) field.value = asked.get(field.name) ?? "";
      if (field.selectedIndex === -1) field.selectedIndex = 0; // a value that is not there
    }
    narrow();
  }

  form.addEventListener("input", changed);
  form.addEventListener("reset", () => setTimeout(changed)); // the fields are empty after it
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", recall);
  recall();
  form.hidden = false;
})();
