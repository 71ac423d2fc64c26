/** Orders: each names a product that was there when it was made. */

import { randomUUID } from "node:crypto";
import { invalid, notFound } from "./errors.js";
import { products } from "./products.js";
import { read, text, whole } from "./shapes.js";
import { collection, commit } from "./store.js";

const NewOrder = { productId: text, quantity: whole(1) };

const orders = collection("orders");

export const routes = {
  "POST /api/orders": async ({ body }) => {
    const order = { id: randomUUID(), ...read(NewOrder, await body()) };
    if (!products.has(order.productId)) throw invalid("productId: there is no such product");
    commit(["orders", order.id, order]);
    return [201, order];
  },

  "GET /api/orders/:id": ({ id }) => {
    const order = orders.get(id);
    if (!order) throw notFound("order");
    return [200, order];
  },
};
