/** The service: its routes, served until it is told to stop. */

import { serve } from "./http.ts";
import * as jobs from "./jobs.ts";
import * as orders from "./orders.ts";
import * as products from "./products.ts";
import * as schedules from "./schedules.ts";
import * as workflows from "./workflows.ts";

serve({
  ...products.routes,
  ...orders.routes,
  ...workflows.routes,
  ...jobs.routes,
  ...schedules.routes,
});
