/** The page: the present state as markup, and the few files that keep it up to date. */

import { readFileSync } from "node:fs";
import { dashboard } from "./dashboard.js";
import { products } from "./products.js";
import { escaped, amount, rows } from "./public/view.js";

const STATUSES = ["pending", "paid", "shipped", "cancelled"];
const TYPES = { css: "text/css", html: "text/html", js: "text/javascript" };

function file(name) {
  const text = readFileSync(new URL(`./public/${name}`, import.meta.url), "utf8");
  return () => sent(name.split(".").at(-1), text);
}

function sent(type, text) {
  return (response) => {
    response.writeHead(200, {
      "content-type": `${TYPES[type]}; charset=utf-8`,
      "content-security-policy": "default-src 'self'; img-src data:",
      "cache-control": "no-cache",
    });
    response.end(text);
  };
}

const head = (text) => `<th scope="col">${text}</th>`;
const option = (value, text) => `<option value="${escaped(value)}">${escaped(text)}</option>`;

function page({ totals, recent }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orders</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/live.js"></script>
</head>
<body>
<header>
<h1>Orders</h1>
<p role="status" data-testid="connection-status">reconnecting</p>
</header>
<main>
<dl>
<div><dt>Orders</dt><dd data-testid="total-orders">${totals.orders}</dd></div>
<div><dt>Revenue</dt><dd data-testid="revenue">${amount(totals.revenueCents)}</dd></div>
</dl>
<form data-testid="order-form">
<label>Product <select name="productId" required>
${[...products.values()].map(({ id, name }) => option(id, name)).join("\n")}
</select></label>
<label>Quantity <input name="quantity" type="number" min="1" step="1" value="1" required></label>
<button>Order</button>
<p role="alert" data-testid="form-error"></p>
</form>
<label>Status <select data-testid="status-filter">
<option value="">all</option>
${STATUSES.map((status) => option(status, status)).join("\n")}
</select></label>
<table>
<caption>The last orders</caption>
<thead><tr>${["Product", "Quantity", "Total", "Status"].map(head).join("")}</tr></thead>
<tbody data-testid="orders">
${rows(recent)}
</tbody>
</table>
</main>
</body>
</html>
`;
}

export const routes = {
  "GET /": () => sent("html", page(dashboard())),
  ...Object.fromEntries(
    ["live.js", "view.js", "page.css"].map((name) => [`GET /${name}`, file(name)]),
  ),
};
