import { expect, test } from "vitest";
import { openApiDocument } from "#infra/http/openapi.ts";
import { features } from "./features.ts";

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly description: string } | undefined>>;
}

const operations = features.flatMap(({ contract }) => contract.operations ?? []);
const { paths } = openApiDocument(operations, { version: "1" }) as unknown as {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

test("calls with a body name what is answered to one that is too large, of another type, or no JSON", () => {
  const bodies = Object.values(paths).flatMap((path) =>
    Object.values(path).filter(({ requestBody }) => requestBody !== undefined),
  );
  expect(bodies.length).toBeGreaterThan(20);
  for (const { responses } of bodies) {
    expect(responses["413"]?.description).toContain("`system.bodyTooLarge`");
    expect(responses["415"]?.description).toContain("`system.unsupportedMediaType`");
    expect(responses["400"]?.description).toContain("`system.malformedBody`");
  }
});

test("the manifest says what `confirm` is for", () => {
  const { requestBody } = paths["/api/sync/v1/manifest/{kind}"]!["post"]!;
  const { schema } = requestBody!.content["application/json"] as {
    schema: { properties: Readonly<Record<string, { readonly description?: string }>> };
  };
  expect(schema.properties["confirm"]?.description).toContain("more than a tenth");
});

test("every pattern says in words what it asks for: refusals name it, and nobody has to read a regular expression", () => {
  const wordless: string[] = [];
  const look = (part: unknown, at: string): void => {
    if (part === null || typeof part !== "object") return;
    const { pattern, "x-problem": words } = part as { readonly [name: string]: unknown };
    if (typeof pattern === "string" && typeof words !== "string") wordless.push(at);
    for (const [name, member] of Object.entries(part)) look(member, `${at}.${name}`);
  };
  for (const { id, input } of operations) look(input, id);
  expect(wordless).toEqual([]);
});
