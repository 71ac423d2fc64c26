import { type Fields, text, whole } from "../shapes.js";

export const NewOrder = { productId: text, quantity: whole(1) };

export interface Order extends Fields<typeof NewOrder> {
  id: string;
}
