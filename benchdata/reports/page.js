// Draws every chart of the page from the spec beside it, as wide as the page and in its colours.
// Where a chart cannot be drawn its image stays.
"use strict";
(() => {
  const PANEL = 240; // the least width of a panel, in pixels
  const PANEL_AXIS = 84; // what the axis before the first panel takes
  const PANEL_GAP = 20;
  const FULL_WIDTH = 640; // the width that specs are made for
  const NARROW = 560;
  const LEGENDS = {
    true: { anchor: "start", direction: "vertical", margin: 6 },
    false: { anchor: "start", direction: "horizontal", margin: 28 },
  };
  const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
  const darkTheme = JSON.parse(document.getElementById("dark-theme").textContent);
  const figures = [...document.querySelectorAll("figure.chart")];
  const views = new Map();

  const ticks = (width) => Math.max(3, Math.floor(width / 90));

  // The caption says title and notes, in the page's own type and with line breaks.
  function fitted(spec, width) {
    if (spec.facet && spec.spec) {
      const columns = Math.max(1, Math.min(spec.columns || 1, Math.floor(width / PANEL)));
      const room = width - PANEL_AXIS - PANEL_GAP * (columns - 1);
      spec.columns = columns;
      spec.spec.width = Math.floor(room / columns);
      spec.config = merged(spec.config, {
        header: { labelLimit: spec.spec.width },
        axisX: { tickCount: ticks(spec.spec.width) },
      });
    } else if (spec.width !== undefined) {
      spec.width = width;
      spec.autosize = { type: "fit-x", contains: "padding" };
    }
    delete spec.title;
    delete spec.usermeta; // it could change how the chart is embedded
    return spec;
  }

  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

  function merged(base, over) {
    const both = { ...base };
    for (const [key, value] of Object.entries(over)) {
      both[key] = isObject(value) && isObject(base[key]) ? merged(base[key], value) : value;
    }
    return both;
  }

  function theme(own, width) {
    const columns = Math.floor(((own.legend?.columns || 1) * width) / FULL_WIDTH);
    const coloured = darkScheme.matches ? merged(own, darkTheme) : own;
    return merged(coloured, {
      background: null,
      font: getComputedStyle(document.body).fontFamily,
      padding: { left: 0, right: 12, top: 4, bottom: 4 },
      legend: { columns: Math.max(1, columns), layout: { top: LEGENDS[width < NARROW] } },
      axisX: { tickCount: ticks(width) },
    });
  }

  const OPTIONS = {
    mode: "vega-lite",
    ast: true,
    actions: false,
    defaultStyle: false,
    renderer: "svg",
    tooltip: { disableDefaultStyle: true },
  };

  async function draw(figure) {
    const plot = figure.querySelector(".plot");
    figure.classList.add("drawn");
    const width = Math.floor(plot.clientWidth);
    const embed = async (room) => {
      views.get(figure)?.finalize();
      const spec = JSON.parse(figure.querySelector("script").textContent);
      spec.config = theme(spec.config || {}, width);
      views.set(figure, await vegaEmbed(plot, fitted(spec, room), OPTIONS));
    };
    try {
      let excess = 0;
      for (let room = width; room > width / 2; room -= excess) {
        await embed(room);
        excess = plot.scrollWidth - width; // axis labels may need more room than was left
        if (excess <= 0) break;
      }
    } catch (error) {
      figure.classList.remove("drawn");
      console.error(figure.id, error);
    }
  }

  let width = 0;
  let work = Promise.resolve();
  function drawAll() {
    width = document.documentElement.clientWidth;
    work = work.then(async () => {
      for (const figure of figures) await draw(figure);
      document.documentElement.dataset.charts = darkScheme.matches ? "dark" : "light";
    });
  }

  let timer = 0;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => width !== document.documentElement.clientWidth && drawAll(), 150);
  });
  darkScheme.addEventListener("change", drawAll);
  drawAll();
})();
