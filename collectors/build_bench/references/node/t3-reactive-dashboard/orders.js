/** Orders: each names a product that was there when it was made, and goes from status to status. */

import { randomUUID } from "node:crypto";
import { record } from "./changes.js";
import { invalid, notFound } from "./errors.js";
import { products } from "./products.js";
import { read, text, whole } from "./shapes.js";
import { collection } from "./store.js";

const NewOrder = { productId: text, quantity: whole(1) };
const StatusChange = { status: text };

/** Where an order can go from each status. */
const STEPS = {
  pending: ["paid", "cancelled"],
  paid: ["shipped", "cancelled"],
  shipped: [],
  cancelled: [],
};

const orders = collection("orders");

function stored(id) {
  const order = orders.get(id);
  if (!order) throw notFound("order");
  return order;
}

/** Name and price are those of the moment at which the order is made. */
function create(fields) {
  const product = products.get(fields.productId);
  if (!product) throw invalid("productId: there is no such product");
  const totalCents = product.priceCents * fields.quantity;
  const order = {
    id: randomUUID(),
    ...fields,
    productName: product.name,
    totalCents,
    status: "pending",
  };
  record("created", order);
  return order;
}

/** Move an order; to be told the status that it has is no change. */
function move(order, status) {
  if (!Object.hasOwn(STEPS, status)) throw invalid("status: there is no such status");
  if (order.status === status) return order;
  if (!STEPS[order.status].includes(status)) {
    throw invalid(`status: an order that is ${order.status} cannot become ${status}`);
  }
  const moved = { ...order, status };
  record("status", moved, order);
  return moved;
}

export const routes = {
  "POST /api/orders": async ({ body }) => [201, create(read(NewOrder, await body()))],

  "GET /api/orders/:id": ({ id }) => [200, stored(id)],

  "PATCH /api/orders/:id": async ({ id, body }) => {
    stored(id);
    const { status } = read(StatusChange, await body());
    return [200, move(stored(id), status)];
  },
};
