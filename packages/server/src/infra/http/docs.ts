import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { OperationDefinition } from "#core/contract/operation.ts";
import { openApiDocument } from "./openapi.ts";
import { type PageOptions, sendPage } from "./web.ts";

interface DocsOptions extends PageOptions {
  readonly operations: readonly OperationDefinition[];
  readonly version: string;
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rollcall API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: "/api/openapi.json", domNode: document.getElementById("api"), deepLinking: true,
  requestInterceptor: function (request) { request.headers["X-Rollcall"] = "1"; return request; } });
`;

const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** Serves `/api/openapi.json` and a page to browse and try the API, all from the same origin. */
export function mountDocs(app: FastifyInstance, options: DocsOptions): void {
  let document: string | undefined;
  app.get("/api/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(options.operations, options));
    return reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(document);
  });
  app.get("/api/docs", (_request, reply) => sendPage(reply, page, options));
  app.get("/api/docs/start.js", (_request, reply) => reply.type("text/javascript; charset=utf-8").send(start));
  const folder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/api/docs/${name}`, async (_request, reply) =>
      reply
        .type(type)
        .header("cache-control", "public, max-age=86400")
        .send(await readFile(path.join(folder, name))),
    );
  }
}
