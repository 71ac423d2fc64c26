/** Products: created, listed, read, changed and deleted. */

import type { Routes } from "./http.ts";
import { optional, read, text, whole } from "./shapes.ts";
import { all, kv, settle, stored } from "./store.ts";

export interface Product {
  id: string;
  name: string;
  priceCents: number;
  sku: string;
}

const NewProduct = { name: text, priceCents: whole(0), sku: text };
const ProductChange = {
  name: optional(text, undefined),
  priceCents: optional(whole(0), undefined),
};

export const routes: Routes = {
  "GET /api/products": async () => Response.json({ items: await all<Product>("products") }),

  "POST /api/products": async (request) => {
    const product = { id: crypto.randomUUID(), ...await read(NewProduct, request) };
    await kv.set(["products", product.id], product);
    return Response.json(product, { status: 201 });
  },

  "GET /api/products/:id": async (_, { id }) =>
    Response.json((await stored<Product>("products", id)).value),

  "PATCH /api/products/:id": async (request, { id }) => {
    const change = await read(ProductChange, request);
    const product = await settle(async () => {
      const found = await stored<Product>("products", id);
      const changed = { ...found.value, ...change };
      const { ok } = await kv.atomic().check(found).set(found.key, changed).commit();
      return ok ? changed : null;
    });
    return Response.json(product);
  },

  "DELETE /api/products/:id": async (_, { id }) => {
    await settle(async () => {
      const found = await stored<Product>("products", id);
      const { ok } = await kv.atomic().check(found).delete(found.key).commit();
      return ok || null;
    });
    return new Response(null, { status: 204 });
  },
};
