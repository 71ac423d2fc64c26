// Shows the elements `section` of the class `slide` one at a time, each 1280 × 720 and scaled to the
// window. Load it at the end of the body, by a script element whose `src` is deck.js.
//
// Keys: ArrowRight, ArrowDown, PageDown and space go on; ArrowLeft, ArrowUp and PageUp go back;
// Home and End go to the first and the last. `#/2` in the address opens the third slide. On paper
// every slide is a page. `window.Reveal` has the few functions of reveal.js that tools look for.
(() => {
  const style = document.createElement("style");
  style.textContent = `
    @page { size: 1280px 720px; margin: 0 }
    .slide { box-sizing: border-box; width: 1280px; height: 720px; overflow: hidden }
    @media screen {
      html, body { margin: 0; height: 100%; overflow: hidden }
      .slide { position: absolute; left: 50%; top: 50%;
        transform: translate(-50%, -50%) scale(var(--deck-scale, 1)) }
      .slide:not([data-shown]) { visibility: hidden }
    }
    @media print { .slide { break-after: page } }`;
  document.head.prepend(style);

  const slides = [...document.querySelectorAll("section.slide")];
  const asked = () => Number(/^#\/(\d+)$/.exec(location.hash)?.[1] ?? 0);
  let shown = -1;

  function show(number) {
    shown = Math.max(0, Math.min(slides.length - 1, number));
    slides.forEach((slide, index) => {
      slide.toggleAttribute("data-shown", index === shown);
      slide.inert = index !== shown;
    });
    history.replaceState(null, "", `#/${shown}`);
  }

  function fit() {
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    document.documentElement.style.setProperty("--deck-scale", scale);
  }

  const moves = {
    ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1,
    ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity,
  };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in moves)) return;
    event.preventDefault();
    show(shown + moves[event.key]);
  });
  addEventListener("hashchange", () => show(asked()));
  addEventListener("resize", fit);
  fit();
  show(asked());

  window.Reveal = {
    configure() {},
    getSlides: () => slides,
    getIndices: (slide = slides[shown]) => ({ h: slides.indexOf(slide), v: 0 }),
    slide: (h) => show(h),
  };
})();
