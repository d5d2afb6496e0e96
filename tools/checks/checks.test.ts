import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { asyncApiFaults } from "./asyncapi.ts";
import { openApiFaults } from "./openapi.ts";
import { readRepositoryFile } from "./repository.ts";
import { sdkFaults } from "./sdk.ts";
import { hasShellcheck, shellFaults, shellScripts } from "./shell.ts";

type Json = Record<string, unknown>;

describe("the OpenAPI linter", () => {
  const problem = { type: "object", properties: { type: { type: "string" }, title: { type: "string" } } };
  const get = (...params: string[]): Json => ({
    get: {
      operationId: params.join("-"),
      summary: "Read",
      description: "Anyone.",
      security: [],
      parameters: params.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      responses: {
        "200": { description: "Done", content: { "application/json": { schema: { type: "integer" }, example: 1 } } },
        "400": { description: "Wrong", content: { "application/problem+json": { schema: problem } } },
      },
    },
  });
  const sound = {
    openapi: "3.1.0",
    info: { title: "T", version: "1", license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: "https://rollcall.example.org" }],
    paths: { "/a/{b}": get("b") } as Json,
  };
  const exampleOf = (example: unknown) => {
    const paths = structuredClone(sound.paths) as { "/a/{b}": { get: { responses: { 200: { content: Json } } } } };
    paths["/a/{b}"].get.responses[200].content["application/json"] = { schema: { type: "integer" }, example };
    return { ...sound, paths };
  };
  const rulesBroken = async (document: object) =>
    (await openApiFaults(JSON.stringify(document), [])).map((fault) => /^\S+ ([\w.-]+):/.exec(fault)?.[1]);

  it("accepts a sound document", async () => expect(await rulesBroken(sound)).toEqual([]));

  it.each<[string, object, string]>([
    ["no servers", { ...sound, servers: undefined }, "no-empty-servers"],
    [
      "two paths that differ only by the name of a parameter",
      { ...sound, paths: { ...sound.paths, "/a/{c}": get("c") } },
      "no-identical-paths",
    ],
    ["a path whose parameter is not declared", { ...sound, paths: { "/a/{d}": get() } }, "path-parameters-defined"],
    [
      "an id that two operations share",
      { ...sound, paths: { "/a/{b}": get("b"), "/e/{b}": get("b") } },
      "operation-operationId-unique",
    ],
    ["an example of another type", exampleOf("one"), "no-invalid-media-type-examples"],
    ["a field that OpenAPI does not know", { ...sound, pathes: {} }, "struct"],
  ])("reports %s", async (_what, document, rule) => expect(await rulesBroken(document)).toContain(rule));

  it("lets a listed fault pass, and reports an exception that nothing needs", async () => {
    const source = JSON.stringify({ ...sound, servers: undefined });
    const exception = { rule: "no-empty-servers", at: "#/openapi", why: "" };
    expect(await openApiFaults(source, [exception])).toEqual([]);
    expect(await openApiFaults(JSON.stringify(sound), [exception])).toEqual([expect.stringContaining("delete the exception")]);
  });
});

describe("the AsyncAPI parser", () => {
  const message = { name: "m", payload: { type: "object" } };
  const sound = {
    asyncapi: "3.1.0",
    info: { title: "T", version: "1" },
    channels: { live: { address: "/live", messages: { m: { $ref: "#/components/messages/m" } } } },
    operations: {
      send: { action: "send", channel: { $ref: "#/channels/live" }, messages: [{ $ref: "#/channels/live/messages/m" }] },
    },
    components: { messages: { m: message } },
  };

  it("accepts a sound document", async () => expect(await asyncApiFaults(stringify(sound))).toEqual([]));

  it.each<[string, object]>([
    ["an action that does not exist", { ...sound, operations: { send: { ...sound.operations.send, action: "shout" } } }],
    ["a message that does not exist", { ...sound, components: { messages: {} } }],
    [
      "a message that its channel does not carry",
      { ...sound, operations: { send: { ...sound.operations.send, messages: [{ $ref: "#/components/messages/m" }] } } },
    ],
    ["a payload that is no JSON Schema", { ...sound, components: { messages: { m: { name: "m", payload: { type: "text" } } } } }],
    ["an old version", { ...sound, asyncapi: "3.0.0" }],
  ])("reports %s", async (_what, document) => expect(await asyncApiFaults(stringify(document))).not.toEqual([]));
});

describe("the types of the SDK", () => {
  // All in one document, because each comparison starts the compiler.
  const faults = [
    ["a field of another type", '"plate":{"type":"string"', '"plate":{"type":"integer"', "body of vehicles.sync"],
    ["a field that the SDK lacks", '"groups":{', '"teams":{"type":"string"},"groups":{', "body of accounts.sync"],
    ["a field that the document lacks", '"accountId":{"type":"integer"},', "", "answer of accounts.syncToken"],
    ["a field that is optional now", '"required":["removed",', '"required":[', "answer of sync.manifest"],
    ["a kind that is gone", '["jobs","licences","users","vehicles"]', '["jobs","licences","users"]', "kinds of a manifest"],
  ] as const;

  const reported = async () => {
    const document = JSON.stringify(JSON.parse(await readRepositoryFile("docs/operate/openapi.json")));
    const planted = faults.reduce((text, [, from, to]) => text.replaceAll(from, to), document);
    return (await sdkFaults(planted)).map((fault) => fault.split(":", 1)[0]);
  };

  it("differ from each planted fault, and nowhere else", async () => {
    expect([...new Set(await reported())].toSorted()).toEqual(faults.map(([, , , label]) => label).toSorted());
  });
});

describe("shellcheck", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-checks-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const script = (text: string) => {
    const file = path.join(folder, "script");
    writeFileSync(file, text);
    return file;
  };

  it("reads every shell script, also those without an ending", () =>
    expect(shellScripts()).toEqual(expect.arrayContaining([".ci/run", "deploy/image/build.sh", "deploy/image/try.sh"])));

  it.skipIf(!hasShellcheck && process.env["ROLLCALL_TEST_REQUIRE"] !== "all")(
    "reports what breaks on a blank, and no more",
    () => {
      expect(shellFaults([script('#!/bin/sh\nrm -r "$1"\n')])).toEqual([]);
      expect(shellFaults([script("#!/bin/sh\nrm -r $1\n")])).toEqual([expect.stringContaining("SC2086")]);
      expect(shellFaults([script("#!/bin/sh\nif then\n")])).not.toEqual([]);
      expect(shellFaults([path.join(folder, "missing")])).toEqual([expect.stringContaining("missing")]);
    },
  );
});
