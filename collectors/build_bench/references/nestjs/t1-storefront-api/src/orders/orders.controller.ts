import { Body, Controller, Get, Param, Post } from "@nestjs/common";
import { type Fields, ShapePipe } from "../shapes.js";
import { NewOrder } from "./order.js";
import { OrdersService } from "./orders.service.js";

@Controller("api/orders")
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  create(@Body(new ShapePipe(NewOrder)) fields: Fields<typeof NewOrder>) {
    return this.orders.create(fields);
  }

  @Get(":id")
  read(@Param("id") id: string) {
    return this.orders.get(id);
  }
}
