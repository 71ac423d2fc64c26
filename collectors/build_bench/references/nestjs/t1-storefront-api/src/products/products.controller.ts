import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from "@nestjs/common";
import { type Fields, ShapePipe } from "../shapes.js";
import { NewProduct, ProductChange } from "./product.js";
import { ProductsService } from "./products.service.js";

@Controller("api/products")
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  list() {
    return { items: this.products.all() };
  }

  @Post()
  create(@Body(new ShapePipe(NewProduct)) fields: Fields<typeof NewProduct>) {
    return this.products.create(fields);
  }

  @Get(":id")
  read(@Param("id") id: string) {
    return this.products.get(id);
  }

  @Patch(":id")
  change(
    @Param("id") id: string,
    @Body(new ShapePipe(ProductChange)) fields: Fields<typeof ProductChange>,
  ) {
    return this.products.change(id, fields);
  }

  @Delete(":id")
  @HttpCode(204)
  delete(@Param("id") id: string) {
    this.products.delete(id);
  }
}
