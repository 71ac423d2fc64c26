/** Routes by method and path, one form for every error, an orderly stop. */

import { internal, notFound, Refused } from "./errors.ts";
import { kv } from "./store.ts";

type Parts = Record<string, string>;
type Handler = (request: Request, parts: Parts) => Response | Promise<Response>;

/** Handlers by method and path, such as `GET /api/products/:id`. */
export type Routes = Record<string, Handler>;

export function serve(routes: Routes): void {
  const health: Routes = { "GET /health": () => Response.json({ status: "ok" }) };
  const table = Object.entries({ ...health, ...routes }).map(([route, handler]) => {
    const [method, pathname] = route.split(" ");
    return { method, pattern: new URLPattern({ pathname }), handler };
  });

  const underway = new Set<Promise<Response>>();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: Number(Deno.env.get("PORT")),
    onError: refuse,
    handler: (request) => {
      const response = answer(request);
      underway.add(response);
      return response.finally(() => underway.delete(response));
    },
  });

  async function answer(request: Request): Promise<Response> {
    for (const { method, pattern, handler } of table) {
      const found = request.method === method && pattern.exec(request.url);
      if (found) return await handler(request, decoded(found.pathname.groups));
    }
    throw notFound("route");
  }

  Deno.addSignalListener("SIGTERM", async () => {
    await Promise.allSettled(underway); // a shutdown ends uploads that are under way
    await server.shutdown();
    kv.close();
    Deno.exit();
  });
}

function decoded(groups: Record<string, string | undefined>): Parts {
  return Object.fromEntries(
    Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part ?? "")]),
  );
}

function refuse(error: unknown): Response {
  if (error instanceof Refused) return error.response();
  console.error(error);
  return internal().response();
}
