/** Orders: each names a product that was there when it was made. */

import { invalid } from "./errors.ts";
import type { Routes } from "./http.ts";
import type { Product } from "./products.ts";
import { read, text, whole } from "./shapes.ts";
import { kv, settle, stored } from "./store.ts";

export interface Order {
  id: string;
  productId: string;
  quantity: number;
}

const NewOrder = { productId: text, quantity: whole(1) };

export const routes: Routes = {
  "POST /api/orders": async (request) => {
    const order: Order = { id: crypto.randomUUID(), ...await read(NewOrder, request) };
    await settle(async () => {
      const product = await kv.get<Product>(["products", order.productId]);
      if (product.versionstamp === null) throw invalid("productId: there is no such product");
      const { ok } = await kv.atomic().check(product).set(["orders", order.id], order).commit();
      return ok || null;
    });
    return Response.json(order, { status: 201 });
  },

  "GET /api/orders/:id": async (_, { id }) =>
    Response.json((await stored<Order>("orders", id)).value),
};
