/** The service: its routes, served until it is told to stop. */

import * as dashboard from "./dashboard.js";
import { serve } from "./http.js";
import * as orders from "./orders.js";
import * as page from "./page.js";
import * as products from "./products.js";

serve({ ...products.routes, ...orders.routes, ...dashboard.routes, ...page.routes });
