import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { notFound } from "../errors.js";
import type { Fields } from "../shapes.js";
import { Store } from "../store.js";
import type { NewProduct, Product, ProductChange } from "./product.js";

@Injectable()
export class ProductsService {
  private readonly products: ReadonlyMap<string, Product>;

  constructor(private readonly store: Store) {
    this.products = store.collection("products");
  }

  all(): Product[] {
    return [...this.products.values()];
  }

  has(id: string): boolean {
    return this.products.has(id);
  }

  get(id: string): Product {
    const product = this.products.get(id);
    if (!product) throw notFound("product");
    return product;
  }

  create(fields: Fields<typeof NewProduct>): Product {
    return this.put({ id: randomUUID(), ...fields });
  }

  change(id: string, fields: Fields<typeof ProductChange>): Product {
    return this.put({ ...this.get(id), ...(fields as Partial<Product>) });
  }

  delete(id: string): void {
    this.store.commit("products", this.get(id).id);
  }

  private put(product: Product): Product {
    this.store.commit("products", product.id, product);
    return product;
  }
}
