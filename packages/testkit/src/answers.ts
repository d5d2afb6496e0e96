import { guardErrors } from "../../server/src/core/contract/guard.ts";
import type { ErrorDefinition } from "../../server/src/core/contract/errors.ts";
import type { OperationDefinition } from "../../server/src/core/contract/operation.ts";
import { features } from "../../server/src/app/features.ts";

const operations = features.flatMap((feature) => feature.contract.operations ?? []);
const permissions = features.flatMap((feature) => feature.contract.permissions ?? []);

/** How the server answers the calls of a page; `silent` never does. */
export type AnswerMode = "silent" | "empty" | "failed" | "refused";

export interface Answer {
  readonly status: number;
  /** No body when null. */
  readonly body: unknown;
}

const hourMs = 60 * 60_000;

/** A token of a config admin in job admin mode, with every permission and all restricted fields. */
function session(): Readonly<Record<string, unknown>> {
  const until = Date.now() + hourMs;
  const account = { id: 1, username: "mara", configAdmin: true, mayJobAdmin: true, factorNeededForAdmin: false };
  const attributes = (all: (typeof permissions)[number]["attributes"]) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.type === "strings" ? one.values : []]));
  return {
    account,
    expiresAt: until,
    jobAdmin: { job: "police", reason: "Ticket 4711", until },
    rights: Object.fromEntries(permissions.map((one) => [one.id, attributes(one.attributes)])),
  };
}

const problem = ({ code, status }: ErrorDefinition, params: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: { type: "about:blank", title: code, status, code, key: code, params, traceId: "4f0c2a9b1e7d4c55" },
});

/** The answer with no entries in any of its lists. */
const emptied = (output: unknown): unknown =>
  typeof output === "object" && output !== null && !Array.isArray(output)
    ? Object.fromEntries(
        Object.entries(output).map(([name, value]) => [name, Array.isArray(value) ? [] : name === "total" ? 0 : value]),
      )
    : output;

/** What the request guard refuses for a caller without the right; null for operations that need none. */
export function refusalOf({
  access,
}: OperationDefinition): { definition: ErrorDefinition; params: Record<string, string> } | null {
  switch (access.kind) {
    case "permission":
      return { definition: guardErrors.permissionMissing, params: { permission: access.anyOf[0]!, job: "Police" } };
    case "configAdmin":
      return { definition: guardErrors.configAdminNeeded, params: {} };
    case "jobAdmin":
      return { definition: guardErrors.jobAdminNeeded, params: {} };
    case "account":
    case "character":
    case "link":
    case "public":
    case "sync":
      return null;
  }
}

const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
// A literal path such as `/api/citizens/avatar` wins over one with a parameter.
const routes = operations
  .toSorted((a, b) => a.path.split(":").length - b.path.split(":").length)
  .map((operation) => ({ operation, matches: pattern(operation.path) }));

export function operationOf(method: string, path: string): OperationDefinition | null {
  return routes.find(({ operation, matches }) => operation.method === method && matches.test(path))?.operation ?? null;
}

/** Operations that only serve the session, not a page. */
const ofSession = ({ id }: OperationDefinition) => id === "auth.characters" || id === "auth.token" || id === "system.client";

/** Operations that the frame calls beside every page, some of them later than the page; `files.view` is its picture of the person. */
const frameOperations: ReadonlySet<string> = new Set([
  "citizens.getAvatar",
  "drafts.get",
  "drafts.put",
  "drafts.remove",
  "duty.own",
  "files.view",
  "jobs.list",
  "notifications.unread",
  "panic.present",
  "preferences.list",
  "preferences.put",
  "setup.sync",
]);

/** Whether a page called this operation for what it shows itself. */
export const isOfPage = (operation: OperationDefinition) => !ofSession(operation) && !frameOperations.has(operation.id);

function usual(operation: OperationDefinition): Answer {
  const { output } = operation.example;
  if (output === undefined) return { status: 204, body: null };
  return { status: 200, body: ofSession(operation) ? { ...(output as object), ...sessionPart(operation) } : output };
}

const sessionPart = ({ id }: OperationDefinition): object => {
  if (id === "auth.token") return session();
  return id === "auth.characters" ? { account: session()["account"] } : {};
};

/** The answer of one operation, from the example of its contract; null when it never comes. */
export function answerOf(operation: OperationDefinition, mode: AnswerMode): Answer | null {
  if (ofSession(operation)) return usual(operation);
  switch (mode) {
    case "silent":
      return null;
    case "failed":
      return problem(guardErrors.internal);
    case "refused": {
      const refusal = refusalOf(operation);
      return refusal ? problem(refusal.definition, refusal.params) : usual(operation);
    }
    case "empty": {
      const { status, body } = usual(operation);
      return { status, body: emptied(body) };
    }
  }
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* strings(inner);
}

/** All strings of the examples: data, not texts of the interface. */
export const exampleStrings: ReadonlySet<string> = new Set(operations.flatMap(({ example }) => [...strings(example.output)]));
