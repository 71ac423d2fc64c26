/** The service: its routes, served until it is told to stop. */

import { serve } from "./http.ts";
import * as orders from "./orders.ts";
import * as products from "./products.ts";

serve({ ...products.routes, ...orders.routes });
