/** The dashboard, as it is and as it changes: a reader of the stream is a place in the log. */

import { entry, news, reaches, totals, version } from "./changes.js";
import { collection } from "./store.js";

const RECENT = 20;
const HEARTBEAT_MS = 2000;
const RETRY_MS = 500;

const orders = collection("orders");
const open = new Set();

/** The state as of its version. */
export function dashboard() {
  const recent = [...orders.values()].slice(-RECENT).reverse().map(shown);
  return { version: version(), totals: totals(), recent };
}

const shown = ({ id, productName, quantity, totalCents, status }) => ({
  id,
  productName,
  quantity,
  totalCents,
  status,
});

/**
 * Write the changes after a version, and go on with each new one.
 *
 * Nothing is written ahead of what the reader takes: one that is slow falls back in the log, and
 * one that falls out of it gets the state again.
 */
function follow(response, since) {
  let at = since;

  function proceed() {
    while (!response.writableNeedDrain && !response.destroyed && at !== version()) {
      const next = reaches(at)
        ? { event: "order", data: entry(at + 1) }
        : { event: "snapshot", data: dashboard() };
      at = next.data.version;
      response.write(`id: ${at}\nevent: ${next.event}\ndata: ${JSON.stringify(next.data)}\n\n`);
    }
  }

  const beat = () => response.writableNeedDrain || response.write(":\n\n");
  const beating = setInterval(beat, HEARTBEAT_MS);
  news.on("change", proceed);
  response.on("drain", proceed);
  response.on("close", () => {
    clearInterval(beating);
    news.off("change", proceed);
    open.delete(response);
  });
  open.add(response);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(`retry: ${RETRY_MS}\n\n`);
  proceed();
}

/** The version that a reader has seen; of one that has seen none, or one that is not ours, -1. */
function seen(header = "") {
  return /^\d{1,15}$/.test(header) && reaches(Number(header)) ? Number(header) : -1;
}

/** A stream has no end of its own; its reader goes on where it was. */
process.on("SIGTERM", () => open.forEach((response) => response.destroy()));

export const routes = {
  "GET /api/dashboard": () => [200, dashboard()],

  "GET /api/dashboard/events":
    ({ headers }) =>
    (response) =>
      follow(response, seen(headers["last-event-id"])),
};
