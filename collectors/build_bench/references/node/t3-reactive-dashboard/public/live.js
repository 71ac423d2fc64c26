/** Keeps the page as the service is, and sends its form. */

import { amount, rows } from "./view.js";

const RECENT = 20;
const part = (name) => document.querySelector(`[data-testid="${name}"]`);
const form = part("order-form");
const filter = part("status-filter");
let state;

function draw() {
  part("total-orders").textContent = state.totals.orders;
  part("revenue").textContent = amount(state.totals.revenueCents);
  part("orders").innerHTML = rows(state.recent, filter.value);
}

/** A new order comes first; one that was shown stays where it is. */
function changed({ change, order, totals }) {
  const recent =
    change === "created"
      ? [order, ...state.recent].slice(0, RECENT)
      : state.recent.map((shown) => (shown.id === order.id ? order : shown));
  return { totals, recent };
}

const stream = new EventSource("/api/dashboard/events");
const heard = (name, next) =>
  stream.addEventListener(name, ({ data }) => {
    state = next(JSON.parse(data));
    draw();
  });
heard("snapshot", (dashboard) => dashboard);
heard("order", changed);
stream.addEventListener("open", () => (part("connection-status").textContent = "live"));
stream.addEventListener("error", () => (part("connection-status").textContent = "reconnecting"));

filter.addEventListener("change", draw);

function refuse(field, words) {
  part("form-error").textContent = words;
  field.focus();
}

async function order() {
  const { productId, quantity } = form.elements;
  const answer = await fetch("/api/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ productId: productId.value, quantity: quantity.valueAsNumber }),
  });
  if (!answer.ok) refuse(productId, (await answer.json()).message);
}

let sending = false;
form.noValidate = true; // what is wrong is said in the page
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wrong = form.querySelector("select:invalid, input:invalid");
  if (wrong) return refuse(wrong, wrong.validationMessage);
  if (sending) return;
  sending = true;
  part("form-error").textContent = "";
  await order().catch(() => refuse(form.elements.productId, "The service cannot be reached."));
  sending = false;
});
// the second click of a double click orders nothing
form.addEventListener("click", (event) => event.detail > 1 && event.preventDefault());
