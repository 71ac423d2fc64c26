import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module.js";
import { ErrorFilter } from "./errors.js";

const app = await NestFactory.create(AppModule, { logger: ["error", "warn"] });
app.useGlobalFilters(new ErrorFilter());
app.enableShutdownHooks([], { useProcessExit: true });
await app.listen(Number(process.env.PORT), "127.0.0.1");
