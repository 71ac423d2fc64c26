/** The service: its routes, served until it is told to stop. */

import { serve } from "./http.js";
import * as orders from "./orders.js";
import * as products from "./products.js";

serve({ ...products.routes, ...orders.routes });
