/** The service: its routes, served until it is told to stop. */

import { serve } from "./http.js";
import * as jobs from "./jobs.js";
import * as orders from "./orders.js";
import * as products from "./products.js";
import * as schedules from "./schedules.js";
import * as workflows from "./workflows.js";

serve(
  Object.assign({}, ...[products, orders, workflows, jobs, schedules].map(({ routes }) => routes)),
);
