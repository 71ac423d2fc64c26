"""What a reader with a screen reader, a keyboard or weak eyes would miss on an opened page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Rules of WCAG 2.2 that a program can check, each a line in the answer where it is broken.
FAULTS = r"""
() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (element) => element.textContent.trim();
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const told = (ids) => ids.split(" ").map((id) => document.getElementById(id));

  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title) faults.push("no title");
  for (const [name, count] of Object.entries({ main: 1, header: 1, footer: 1, h1: 1 })) {
    if (all(name).length !== count) faults.push(`${all(name).length} ${name}`);
  }
  for (const part of all("nav, section, [role=region], [role=search]")) {
    const names = part.getAttribute("aria-labelledby");
    const named = names ? told(names).every((one) => one && text(one)) : part.ariaLabel;
    if (!named) faults.push(`unnamed ${part.outerHTML.slice(0, 60)}`);
  }
  const outside = all("body > *").filter(
    (one) => !one.matches("header, footer, script, .skip, .columns, main")
  );
  if (outside.length) faults.push("content outside of landmarks");

  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`heading ${text(heading)} skips a level`);
    if (!text(heading)) faults.push("an empty heading");
    level = next;
  }
  const ids = all("[id]").map((element) => element.id);
  if (new Set(ids).size !== ids.length) faults.push("an id stands twice");
  for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
    for (const element of all(`[${name}]`)) {
      if (!told(element.getAttribute(name)).every(Boolean)) faults.push(`${name} leads nowhere`);
    }
  }
  for (const field of all("input, select, textarea")) {
    if (![...field.labels].some(text)) faults.push(`no label: ${field.name}`);
  }
  for (const one of all("a, button")) {
    if (!(one.ariaLabel || text(one))) faults.push(`no words: ${one.outerHTML.slice(0, 60)}`);
  }
  for (const one of all("[tabindex]")) {
    if (one.tabIndex > 0) faults.push("the order of focus is changed");
  }
  for (const table of all("table")) {
    if (!table.querySelector("th[scope=col]")) faults.push("a table without heads");
  }
  for (const image of all("img, svg")) {
    const quiet = image.ariaHidden === "true" || image.hasAttribute("alt") || image.ariaLabel;
    if (!quiet) faults.push("a picture without words");
  }

  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, alpha = 1] = channels(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return [red, green, blue];
      if (alpha > 0) faults.push(`see-through paper: ${at.tagName}`);
    }
    return [255, 255, 255];
  };
  const light = (colour) => {
    const [red, green, blue] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const written = all("body *").filter(
    (element) =>
      seen(element) &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  );
  for (const element of written) {
    const ink = light(channels(getComputedStyle(element).color).slice(0, 3));
    const back = light(paper(element));
    const ratio = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${text(element).slice(0, 40)}`);
  }
  return faults;
}
"""

FOCUS = """
() => {
  const focused = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const box = focused.getBoundingClientRect();
  return {
    name: focused.name || focused.textContent.trim(),
    marked: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    inSight: box.width > 0 && box.top >= 0 && box.bottom <= innerHeight + 1,
  };
}
"""


def faults(page: Page) -> list[str]:
    """Return what is wrong with an opened page, a line each."""
    found: list[str] = page.evaluate(FAULTS)
    return found


def tabbed(page: Page, until: str) -> list[str]:
    """Press Tab until the thing of a name has the focus; return the names passed on the way.

    Assert that each can be seen to have the focus.
    """
    names: list[str] = []
    while until not in names:
        assert len(names) < 200, names
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUS)
        assert found["marked"], found
        assert found["inSight"], found
        names.append(found["name"])
    return names
