import { describe, expect, it } from "vitest";
import type { Translate } from "./i18n.ts";
import { permissionName, problemMessage } from "./messages.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";

describe("an answer that reports a failure", () => {
  it("is read as a problem", () => {
    const body = { code: "citizens.notFound", params: { id: 7 }, traceId: "t1", current: { version: 3 } };
    expect(problemOf(404, body, null)).toMatchObject({
      code: "citizens.notFound",
      status: 404,
      params: { id: 7 },
      traceId: "t1",
    });
    expect(problemOf(404, body, null).document).toHaveProperty("current.version", 3);
  });

  it.each([null, "<html>", [], 7, {}, { code: 5 }])("is unreadable when it is %j, as of a proxy in between", (body) => {
    expect(problemOf(502, body, "t2")).toMatchObject({ code: "web.unreadable", status: 502, traceId: "t2", params: {} });
  });

  it("keeps the trace id of the document before that of the header", () => {
    expect(problemOf(500, { code: "x.y", traceId: "document" }, "header").traceId).toBe("document");
  });

  it("has no parameters when they are of another shape", () => {
    expect(problemOf(400, { code: "x.y", params: ["a"] }, null).params).toEqual({});
  });
});

it("anything that is thrown becomes a problem, and a problem stays itself", () => {
  const known = new Problem("a.b", 400);
  expect(asProblem(known)).toBe(known);
  expect(asProblem(new TypeError("x"))).toMatchObject({ code: "web.unexpected", status: 0 });
  expect(asProblem(undefined)).toMatchObject({ code: "web.unexpected" });
});

describe("the message of a problem", () => {
  const texts: Record<string, string> = {
    "citizens.errors.fieldHidden": "{{field}} needs {{permission}}",
    "citizens.permissions.list": "List citizens",
    "citizens.fields.phone": "Phone",
    "web.quoted": "“{{text}}”",
    "web.errors.unknown": "Unknown: {{code}}",
  };
  const t = ((key: string, params: Record<string, unknown>) =>
    (texts[key] ?? String(params["defaultValue"] ?? key)).replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) =>
      String(params[name]),
    )) as Translate;

  it("names permission and field in the viewer's words", () => {
    const problem = new Problem("citizens.fieldHidden", 403, { params: { permission: "citizens.list", field: "phone" } });
    expect(problemMessage(t, problem)).toBe("Phone needs “List citizens”");
  });

  it("shows names that have no text as they are", () => {
    const problem = new Problem("citizens.fieldHidden", 403, { params: { permission: "citizens.fly", field: "wings" } });
    expect(problemMessage(t, problem)).toBe("wings needs “citizens.fly”");
  });

  it("shows the code of a failure that this version does not know", () => {
    expect(problemMessage(t, new Problem("future.error", 418))).toBe("Unknown: future.error");
  });

  it("names a permission without the fields behind it", () => {
    expect(permissionName(t, "citizens.list (phone, job)")).toBe("List citizens");
  });
});
