/** Values as markup, for server and browser: all text from outside is escaped here. */

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escaped = (value) => String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);

export const amount = (cents) => (cents / 100).toFixed(2);

/** The rows of some orders; with a status, those of any other are hidden. */
export const rows = (orders, only = "") =>
  orders
    .map(
      ({ id, productName, quantity, totalCents, status }) =>
        `<tr data-testid="order-row" data-order-id="${escaped(id)}" data-status="${escaped(status)}"` +
        `${only && only !== status ? " hidden" : ""}><td>${escaped(productName)}<td>${quantity}` +
        `<td>${amount(totalCents)}<td>${escaped(status)}</tr>`,
    )
    .join("\n");
