import { Module } from "@nestjs/common";
import { HealthController } from "./health.controller.js";
import { OrdersModule } from "./orders/orders.module.js";
import { ProductsModule } from "./products/products.module.js";
import { StoreModule } from "./store.js";

@Module({
  imports: [StoreModule, ProductsModule, OrdersModule],
  controllers: [HealthController],
})
export class AppModule {}
