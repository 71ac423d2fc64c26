import { type Fields, optional, text, whole } from "../shapes.js";

export const NewProduct = { name: text, priceCents: whole(0), sku: text };
export const ProductChange = { name: optional(text), priceCents: optional(whole(0)) };

export interface Product extends Fields<typeof NewProduct> {
  id: string;
}
