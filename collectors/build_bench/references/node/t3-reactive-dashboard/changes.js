/**
 * The log of changes: every change of an order is one entry, stored together with the order itself.
 *
 * An entry has the totals as they are after it, so the last one is the present state of them.
 */

import { EventEmitter } from "node:events";
import { collection, commit } from "./store.js";

const KEPT = 1000;
const SOLD = ["paid", "shipped"];
const NONE = {
  orders: 0,
  unitsSold: 0,
  revenueCents: 0,
  byStatus: { pending: 0, paid: 0, shipped: 0, cancelled: 0 },
};

const changes = collection("changes"); // by version
let last = [...changes.values()].at(-1) ?? { version: 0, totals: NONE };

/** Says `change` when there is a new entry. */
export const news = new EventEmitter().setMaxListeners(0);

/** The version of the present state: that of the last entry, 0 before the first. */
export const version = () => last.version;

export const totals = () => last.totals;

/** The entry of a version, while it is kept. */
export const entry = (version) => changes.get(String(version));

/** Whether every change after a version is still kept. */
export const reaches = (version) =>
  version === last.version || (version < last.version && entry(version + 1) !== undefined);

/** Store an order and the entry that tells of it; `before` is what the order was until now. */
export function record(change, order, before) {
  const version = last.version + 1;
  const { id, productName, quantity, totalCents, status } = order;
  last = {
    version,
    change,
    order: { id, productName, quantity, totalCents, status },
    totals: counted(before ? counted(last.totals, before, -1) : last.totals, order, 1),
  };
  commit(
    ["orders", id, order],
    ["changes", String(version), last],
    ["changes", String(version - KEPT)],
  );
  news.emit("change");
}

/** Totals with an order put in, or taken out. */
function counted(totals, order, sign) {
  const sold = SOLD.includes(order.status) ? sign : 0;
  return {
    orders: totals.orders + sign,
    unitsSold: totals.unitsSold + sold * order.quantity,
    revenueCents: totals.revenueCents + sold * order.totalCents,
    byStatus: { ...totals.byStatus, [order.status]: totals.byStatus[order.status] + sign },
  };
}
