import type { TSchema } from "typebox";
import type { Access } from "#core/contract/access.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import type { OperationDefinition } from "#core/contract/operation.ts";
import { idempotencyHeader, keyPattern, replayedHeader } from "./idempotency.ts";

type Json = Record<string, unknown>;

const problemSchema: Json = {
  type: "object",
  required: ["type", "title", "status", "code", "key", "params", "traceId"],
  properties: {
    type: { type: "string", const: "about:blank" },
    title: { type: "string", description: "The error message, in English" },
    status: { type: "integer" },
    code: { type: "string", description: "See docs/operate/errors.md" },
    key: { type: "string", description: "Key of the message in the texts" },
    params: { type: "object", additionalProperties: { type: ["string", "number"] } },
    traceId: { type: "string", description: "Identifies this call in the log" },
  },
};

const securityOf: Record<Access["kind"], Json[]> = {
  public: [],
  account: [{ session: [] }],
  configAdmin: [{ session: [] }],
  character: [{ userToken: [] }],
  jobAdmin: [{ userToken: [] }],
  permission: [{ userToken: [] }],
  link: [{ secretLink: [] }],
  sync: [{ syncToken: [] }],
};

/** Errors that the guard can answer before the use case runs. */
export function guardErrorsOf(operation: OperationDefinition): ErrorDefinition[] {
  const kind = operation.access.kind;
  const found: ErrorDefinition[] = [guardErrors.rateLimited, guardErrors.internal, guardErrors.unavailable, guardErrors.diskFull];
  const { params, query, body } = operation.input;
  if (params || query || body || operation.access.kind === "sync") found.push(guardErrors.invalidInput);
  if (body) found.push(guardErrors.malformedBody, guardErrors.bodyTooLarge, guardErrors.unsupportedMediaType);
  if (kind === "character" || kind === "permission" || kind === "jobAdmin")
    found.push(guardErrors.tokenInvalid, guardErrors.tokenExpired);
  if (kind === "account" || kind === "configAdmin") found.push(guardErrors.signInNeeded);
  if (kind === "permission") found.push(guardErrors.permissionMissing);
  if (kind === "configAdmin") found.push(guardErrors.configAdminNeeded);
  if (kind === "jobAdmin") found.push(guardErrors.jobAdminNeeded);
  if (kind === "sync") found.push(guardErrors.syncTokenInvalid);
  if (operation.idempotent === "key")
    found.push(
      guardErrors.idempotencyKeyRunning,
      guardErrors.idempotencyKeyReused,
      guardErrors.idempotencyKeyUnfinished,
      guardErrors.idempotencyAnswerTooLarge,
    );
  if (kind === "link") found.push(guardErrors.linkInvalid, guardErrors.linkOpensOther);
  return found;
}

function describeAccess(access: Access): string {
  switch (access.kind) {
    case "public":
      return "Anyone.";
    case "account":
      return "A signed-in account.";
    case "configAdmin":
      return "A config admin.";
    case "character":
      return "A chosen character.";
    case "jobAdmin":
      return "A chosen character while job admin is on.";
    case "permission":
      return `A character that holds ${access.anyOf.map((id) => `\`${id}\``).join(" or ")}${access.orConfigAdmin === true ? ", or a config admin" : ""}.`;
    case "link":
      return `The secret of a link: ${access.anyOf.map((id) => `\`${id}\``).join(" or ")}.`;
    case "sync":
      return "A Sync API token.";
  }
}

function parametersOf(operation: OperationDefinition): Json[] {
  const { params, query } = operation.input;
  const list = (schema: TSchema | undefined, location: "path" | "query"): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: location,
      required: location === "path" || required.includes(name),
      ...(property["description"] === undefined ? {} : { description: property["description"] }),
      schema: property,
    }));
  };
  return [...list(params, "path"), ...list(query, "query"), ...(operation.idempotent === "key" ? [keyParameter] : [])];
}

const keyParameter: Json = {
  name: idempotencyHeader,
  in: "header",
  required: false,
  description:
    "Names this call for 24 hours: repeated with the same key and input, it has no second effect and gets the answer of the first call that succeeded.",
  schema: { type: "string", pattern: keyPattern },
};

const replayedHeaders: Json = {
  [replayedHeader]: {
    description: "`true`: the answer of an earlier call with the same key; this call changed nothing",
    schema: { type: "string", const: "true" },
  },
};

function goodAnswer(operation: OperationDefinition): Json | null {
  if (operation.answer === "redirect") return { "303": { description: "To the next step, in the Location header" } };
  if (operation.answer === "file")
    return { "200": { description: "Done", content: { "*/*": { schema: { type: "string", format: "binary" } } } } };
  return null;
}

function responsesOf(operation: OperationDefinition): Json {
  const headers = operation.idempotent === "key" ? { headers: replayedHeaders } : {};
  const good: Json =
    goodAnswer(operation) ??
    (operation.output === null
      ? { "204": { description: "Done", ...headers } }
      : {
          "200": {
            description: "Done",
            ...headers,
            content: { "application/json": { schema: operation.output, example: operation.example.output } },
          },
        });
  const byStatus = new Map<number, string[]>();
  for (const error of [...operation.errors, ...guardErrorsOf(operation)]) {
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error.code]);
  }
  const bad = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\``).join(", "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  ]);
  return { ...good, ...Object.fromEntries(bad) };
}

function describe(operation: OperationDefinition): Json {
  const { body } = operation.input;
  const parameters = parametersOf(operation);
  return {
    operationId: operation.id,
    tags: [operation.id.split(".", 1)[0]],
    summary: operation.summary,
    description: describeAccess(operation.access),
    security: [
      ...securityOf[operation.access.kind],
      ...(operation.access.kind === "permission" && operation.access.orConfigAdmin === true ? securityOf.configAdmin : []),
    ],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: body, example: operation.example.body } },
          },
        }
      : {}),
    responses: responsesOf(operation),
  };
}

/** The address in the document of a release, which belongs to no instance. */
const anyInstance: Json = {
  url: "{publicURL}",
  description: "An instance",
  variables: { publicURL: { default: "https://rollcall.example.org", description: "`http.publicURL` of the instance" } },
};

/** The OpenAPI 3.1 document of these operations. */
export function openApiDocument(operations: readonly OperationDefinition[], info: { version: string; publicUrl?: string }): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Rollcall API",
      version: info.version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "The API of a Rollcall instance. Calls authorised by the session cookie carry the header `X-Rollcall: 1` when they change something.",
    },
    servers: [info.publicUrl === undefined ? anyInstance : { url: info.publicUrl }],
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "rollcall_session",
          description: "Set by `POST /api/auth/login`",
        },
        userToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "From `POST /api/auth/token`, good for ten minutes",
        },
        secretLink: { type: "http", scheme: "link", description: "`Authorization: Link <secret>`" },
        syncToken: { type: "http", scheme: "bearer", description: "One of `sync.apiTokens`" },
      },
    },
  };
}
