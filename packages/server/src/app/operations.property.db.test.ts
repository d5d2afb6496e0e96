import fc from "fast-check";
import { Compile, type Validator } from "typebox/compile";
import { expect, test } from "vitest";
import { guardErrors, type OperationDefinition } from "#core/contract/index.ts";
import { createNotice } from "#features/notices/notices.contract.ts";
import { type Answer, testSecrets } from "#testkit/app.ts";
import { inputs, type Known } from "#testkit/drawn.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { tablesOfRefusals } from "#testkit/writes.ts";
import { features } from "./features.ts";

/** All, or those whose ids begin with the given text. */
const operations = features
  .flatMap(({ contract }) => contract.operations ?? [])
  .filter(({ id }) => id.startsWith(process.env["ROLLCALL_TEST_OPERATIONS"] ?? ""));
const casesEach = 3 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = 20_261_122;
/** No response takes longer, even on a busy machine. */
const longestMs = 20_000;

const kinds = ["anonymous", "account", "character", "jobAdmin", "configAdmin", "sync"] as const;
type Kind = (typeof kinds)[number] | "link";

/** A caller whom the guard of an operation lets pass. */
const passing: Readonly<Record<OperationDefinition["access"]["kind"], Kind>> = {
  public: "anonymous",
  account: "account",
  configAdmin: "configAdmin",
  character: "character",
  permission: "character",
  jobAdmin: "jobAdmin",
  sync: "sync",
  link: "link",
};

interface Case {
  readonly kind: Kind;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly method: string;
}

const nothing = fc.constant(undefined);

function casesOf(operation: OperationDefinition, known: Known): readonly Case[] {
  const { input, example } = operation;
  const own = passing[operation.access.kind];
  const part = (schema: typeof input.body, given: unknown) => (schema === undefined ? nothing : inputs(schema, given, known));
  const drawn = fc.record({
    kind: fc.oneof({ weight: 5, arbitrary: fc.constant(own) }, { weight: 2, arbitrary: fc.constantFrom(...kinds) }),
    params: part(input.params, example.params),
    query: part(input.query, example.query ?? {}),
    body: part(input.body, example.body),
    method: operation.method === "GET" ? fc.constantFrom("GET", "GET", "GET", "HEAD") : fc.constant(operation.method),
  });
  return fc.sample(drawn, { seed, numRuns: casesEach });
}

/** Input that `encodeURIComponent` refuses: half a surrogate pair, as clients in other languages may send. */
const encoded = (value: unknown) => {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
};

const members = (value: unknown) => (typeof value === "object" && value !== null ? Object.entries(value) : []);

function addressOf(operation: OperationDefinition, { params, query }: Case): string {
  const given = new Map(members(params));
  const path = operation.path.replaceAll(/:(\w+)/g, (_part, name: string) => encoded(given.get(name)));
  const pairs = members(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encoded(name)}=${encoded(one)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

const everyRight = Object.fromEntries(
  features
    .flatMap(({ contract }) => contract.permissions ?? [])
    .map(({ id, attributes }) => [
      id,
      Object.fromEntries(
        Object.entries(attributes).flatMap(([name, one]) => (one.type === "strings" ? [[name, one.values]] : [])),
      ),
    ]),
);

/** Signs in as the wanted kind; again when an earlier call ended the session. */
function createCast({ world }: AppUnderTest, job: string) {
  const actors = new Map<Kind, TestActor>();
  /** Secrets by operation. */
  const links = new Map<string, string>();
  const groups: Partial<Record<Kind, string>> = { configAdmin: "admin", jobAdmin: "lead" };
  const renew = async (kind: Kind, { id }: OperationDefinition) => {
    if (kind === "link") {
      const definition = features.flatMap(({ contract }) => contract.links ?? []).find((one) => one.operations.includes(id))!;
      return void links.set(id, await world.link(definition));
    }
    const group = groups[kind];
    const own = kind === "jobAdmin" || kind === "character" ? { job, rights: everyRight, grade: 2 } : {};
    actors.set(kind, await world.actor({ ...own, jobAdmin: kind === "jobAdmin", groups: group === undefined ? [] : [group] }));
  };
  return {
    renew,
    async enter(kind: Kind, operation: OperationDefinition): Promise<void> {
      const known = kind === "link" ? links.has(operation.id) : actors.has(kind);
      if (kind !== "anonymous" && kind !== "sync" && !known) await renew(kind, operation);
    },
    credentials(kind: Kind, { id }: OperationDefinition): { token?: string; link?: string; cookie?: string } {
      if (kind === "anonymous") return {};
      if (kind === "link") return { link: links.get(id)! };
      if (kind === "sync") return { token: testSecrets.sync };
      const { token, cookie } = actors.get(kind)!;
      return kind === "account" || kind === "configAdmin" ? { cookie } : { token };
    },
  };
}

const validators = new Map<OperationDefinition, Validator>();

function outputFault(operation: OperationDefinition, { status, text, body, headers }: Answer): string | null {
  if (status === 204 || status === 304 || text === "") return null;
  if (operation.answer !== undefined || operation.output === null) return null;
  const validator = validators.get(operation) ?? Compile(operation.output);
  validators.set(operation, validator);
  if (!String(headers["content-type"]).startsWith("application/json")) return `is ${String(headers["content-type"])}`;
  return validator.Check(body) ? null : `breaks its schema: ${JSON.stringify(validator.Errors(body).slice(0, 2))}`;
}

const doorCodes = new Map(Object.values(guardErrors).map(({ code, status }) => [code as string, status]));
/** The feature that a file belongs to answers uploads with its own errors. */
const ownerCodes = new Map(
  features.flatMap(({ contract }) => Object.values(contract.errors ?? {}).map(({ code, status }) => [code, status] as const)),
);
const rare = new Set(["system.conflict", "system.unavailable", "system.internal"]);

function refusalFault(operation: OperationDefinition, { status, body, headers, text }: Answer, head: boolean): string | null {
  if (!String(headers["content-type"]).startsWith("application/problem+json")) return `is ${String(headers["content-type"])}`;
  if (head) return null;
  const declared =
    operation.errors.find(({ code }) => code === body.code)?.status ??
    (operation.upload === true ? ownerCodes : doorCodes).get(body.code);
  if (declared !== status || rare.has(body.code)) return `answers ${body.code}, which it does not declare as ${status}`;
  const [feature, name] = String(body.code).split(".", 2);
  if (body.key !== `${feature}.errors.${name}` || /\{\{|^$/.test(body.title)) return `has no text: ${text}`;
  return typeof body.traceId === "string" ? null : "names no trace";
}

/** Only responses that everyone may see may be stored in shared caches. */
function exposureOf({ access }: OperationDefinition, { headers }: Answer): string | null {
  const kept = String(headers["cache-control"]);
  if (!/no-store|private/.test(kept) && access.kind !== "public") return `may be kept by caches of others: ${kept}`;
  return headers["x-content-type-options"] === "nosniff" ? null : "lets its type be guessed";
}

function faultOf(operation: OperationDefinition, answer: Answer, head: boolean): string | null {
  const { status } = answer;
  if (status >= 500)
    return `${status} ${answer.body?.detail ?? ""} ${answer.body?.statement ?? ""} ${String(answer.body?.stack).split("\n").slice(1, 8).join(" ")}`;
  const exposed = exposureOf(operation, answer);
  if (exposed !== null) return exposed;
  if (status === 416) return null;
  return status >= 400 ? refusalFault(operation, answer, head) : outputFault(operation, answer);
}

/** Records for the generated inputs to refer to; no caller acts as one of these people. */
async function furnish({ app, world }: AppUnderTest, job: string): Promise<Known> {
  const [victim, other] = [await world.actor({ job, grade: 0 }), await world.actor({ groups: ["admin"] })];
  const vehicle = await world.vehicle();
  const writer = await world.actor({ job, grade: 1, rights: { "notices.create": { fields: ["public"] } } });
  const notice = await app.call(
    createNotice,
    { body: { ...(createNotice.example.body as object), access: { public: true, entries: [] } } as never },
    { token: writer.token },
  );
  const ids = [victim.characterId, other.characterId, vehicle, notice.output.id];
  return {
    id: ids,
    citizenId: ids,
    file: [null],
    accountId: [1, 2, 3, 4],
    job: [job],
    grade: [0, 1, 2],
    version: [0, 1, 2],
    keys: [...Object.keys(everyRight), "fields"],
    fields: ["phone", "public"],
    name: ["forum", job],
    username: [victim.username],
    licence: [victim.licence],
    identifier: [`char1:${victim.licence}`],
    owner: [String(victim.characterId), job],
  };
}

describeApps(
  "every operation, whatever it is given",
  (get) => {
    test(`answers within its contract (${casesEach} inputs each)`, { timeout: 60_000 * Math.max(2, casesEach) }, async () => {
      const { app, writes, world } = get();
      const job = "drawnjob";
      await world.job(job);
      const known = await furnish(get(), job);
      const cast = createCast(get(), job);
      const faults: string[] = [];
      const written = writes(tablesOfRefusals);

      async function send(operation: OperationDefinition, one: Case): Promise<Answer> {
        const upload = operation.upload === true;
        const payload = upload
          ? Buffer.from(String(JSON.stringify(one.query)))
          : one.body === undefined
            ? undefined
            : JSON.stringify(one.body);
        const answer = app.request(one.method, addressOf(operation, one), {
          ...cast.credentials(one.kind, operation),
          ...(payload === undefined
            ? {}
            : { body: payload, headers: { "content-type": upload ? "image/png" : "application/json" } }),
        });
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_resolve, reject) => {
          timer = setTimeout(() => reject(new Error(`no answer in ${longestMs} ms`)), longestMs);
        });
        return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
      }

      async function tryOne(operation: OperationDefinition, one: Case): Promise<string | null> {
        await cast.enter(one.kind, operation);
        written.reset();
        let answer = await send(operation, one);
        const admitted = one.kind === passing[operation.access.kind] && one.kind !== "anonymous" && one.kind !== "sync";
        if (answer.status === 401 && admitted) {
          await cast.renew(one.kind, operation);
          written.reset();
          answer = await send(operation, one);
        }
        const refused = answer.status >= 400;
        const fault = faultOf(operation, answer, one.method === "HEAD");
        if (fault !== null) return fault;
        if (operation.method === "GET") return null;
        if (!refused) {
          const again = await Promise.all([send(operation, one), send(operation, one), send(operation, one)]);
          return again.map((each) => faultOf(operation, each, false)).find((each) => each !== null) ?? null;
        }
        const tables = written.tables();
        return tables.length === 0 ? null : `was refused with ${answer.body?.code} and wrote ${tables.join(", ")}`;
      }

      for (const operation of operations) {
        for (const one of casesOf(operation, known)) {
          const fault = await tryOne(operation, one).catch((error: unknown) => String(error));
          if (fault !== null) faults.push(`${operation.id} as ${one.kind}: ${fault}; given ${JSON.stringify(one).slice(0, 600)}`);
        }
      }
      expect(faults, faults.join("\n")).toEqual([]);
    });
  },
  { ROLLCALL_MODE: "debug" },
);
