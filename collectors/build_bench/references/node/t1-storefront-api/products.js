/** Products: created, listed, read, changed and deleted. */

import { randomUUID } from "node:crypto";
import { notFound } from "./errors.js";
import { optional, read, text, whole } from "./shapes.js";
import { collection, commit } from "./store.js";

const NewProduct = { name: text, priceCents: whole(0), sku: text };
const ProductChange = { name: optional(text), priceCents: optional(whole(0)) };

export const products = collection("products");

function stored(id) {
  const product = products.get(id);
  if (!product) throw notFound("product");
  return product;
}

export const routes = {
  "GET /api/products": () => [200, { items: [...products.values()] }],

  "POST /api/products": async ({ body }) => {
    const product = { id: randomUUID(), ...read(NewProduct, await body()) };
    commit(["products", product.id, product]);
    return [201, product];
  },

  "GET /api/products/:id": ({ id }) => [200, stored(id)],

  "PATCH /api/products/:id": async ({ id, body }) => {
    const change = read(ProductChange, await body());
    const product = { ...stored(id), ...change };
    commit(["products", id, product]);
    return [200, product];
  },

  "DELETE /api/products/:id": ({ id }) => {
    stored(id);
    commit(["products", id]);
    return [204];
  },
};
