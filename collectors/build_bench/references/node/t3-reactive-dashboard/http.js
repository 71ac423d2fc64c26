/** Routes by method and path, one form for every answer and error, an orderly stop. */

import { createServer } from "node:http";
import { internal, invalid, notFound, Refused } from "./errors.js";

/**
 * Serve routes such as `{"GET /api/products/:id": ({ id, body }) => [200, product]}`.
 *
 * A handler gets the named parts of the path, the headers and the parsed body. It returns a status
 * and a body for JSON, or a function that writes another answer itself.
 */
export function serve(routes) {
  const table = Object.entries({ ...routes, "GET /health": () => [200, { status: "ok" }] }).map(
    compile,
  );
  const server = createServer(async (request, response) => {
    const reply = await answer(table, request);
    const write = typeof reply === "function" ? reply : json(...reply);
    write(response);
  });
  server.listen(Number(process.env.PORT), "127.0.0.1");
  process.on("SIGTERM", () => {
    server.close();
    server.closeIdleConnections();
  });
}

function json(status, body) {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
}

function compile([route, handler]) {
  const [method, path] = route.split(" ");
  const pattern = new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
  return { method, pattern, handler };
}

async function answer(table, request) {
  try {
    const { handler, parts } = find(table, request.method, request.url.split("?")[0]);
    return await handler({ ...parts, headers: request.headers, body: () => parsed(request) });
  } catch (error) {
    if (!(error instanceof Refused)) console.error(error);
    const refused = error instanceof Refused ? error : internal();
    return [refused.status, refused.body];
  }
}

function find(table, method, path) {
  for (const route of table) {
    const found = route.method === method && route.pattern.exec(path);
    if (found) return { handler: route.handler, parts: decoded(found.groups) };
  }
  throw notFound("route");
}

function decoded(groups = {}) {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]),
    );
  } catch {
    throw notFound("route");
  }
}

async function parsed(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw invalid("the body must be JSON");
  }
}
