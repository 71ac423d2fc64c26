import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { invalid, notFound } from "../errors.js";
import { ProductsService } from "../products/products.service.js";
import type { Fields } from "../shapes.js";
import { Store } from "../store.js";
import type { NewOrder, Order } from "./order.js";

@Injectable()
export class OrdersService {
  private readonly orders: ReadonlyMap<string, Order>;

  constructor(
    private readonly store: Store,
    private readonly products: ProductsService,
  ) {
    this.orders = store.collection("orders");
  }

  get(id: string): Order {
    const order = this.orders.get(id);
    if (!order) throw notFound("order");
    return order;
  }

  /** Store an order of a product that is there. */
  create(fields: Fields<typeof NewOrder>): Order {
    if (!this.products.has(fields.productId)) throw invalid("productId: there is no such product");
    const order = { id: randomUUID(), ...fields };
    this.store.commit("orders", order.id, order);
    return order;
  }
}
