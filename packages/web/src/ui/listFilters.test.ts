import { describe, expect, it } from "vitest";
import { chipsOf, enough, withFilter, withoutFilters, type Filter } from "./listFilters.ts";

const filters: readonly Filter[] = [
  { kind: "day", id: "born", label: "Born" },
  { kind: "text", id: "phone", label: "Phone", maxLength: 20, offered: false },
  { kind: "job", id: "job", label: "Job", placeholder: "Any" },
  { kind: "choice", id: "state", label: "State", placeholder: "Any", options: [{ value: "off", label: "Disabled" }] },
  {
    kind: "pick",
    id: "action",
    label: "Action",
    placeholder: "Any",
    nothingFound: "None",
    options: [{ group: "Roles", items: [{ value: "roles.put", label: "Role changed" }] }],
  },
  {
    kind: "picks",
    id: "labels",
    label: "Labels",
    most: 10,
    placeholder: "Any",
    nothingFound: "None",
    options: [
      { value: "3", label: "Boats" },
      { value: "4", label: "Divers" },
    ],
  },
  { kind: "link", id: "kind", label: "Object", and: ["object"], text: ({ kind, object = "" }) => `${kind} ${object}` },
];
const names = { language: "en", jobLabel: (name: string) => (name === "police" ? "Police Department" : name) } as const;
const texts = (values: Record<string, string>) => chipsOf(filters, values, names).map(({ text }) => text);

describe("chips", () => {
  it("say what is filtered, in the words of the fields", () => {
    expect(texts({ action: "roles.put", state: "off", job: "police", born: "1990-04-01", q: "lind", order: "-name" })).toEqual([
      "Born: 1 Apr 1990",
      "Job: Police Department",
      "State: Disabled",
      "Action: Role changed",
    ]);
  });

  it("name each of several values", () => {
    expect([texts({ labels: "3" }), texts({ labels: "4,3,9" })]).toEqual([["Labels: Boats"], ["Labels: Divers, Boats, 9"]]);
  });

  it("name what a link filters by, also without a field for it", () => {
    expect(texts({ phone: "555", kind: "citizen", object: "2" })).toEqual(["Phone: 555", "citizen 2"]);
  });

  it("show a value that is offered no more as it is", () => {
    expect(texts({ state: "gone", action: "x", job: "taxi" })).toEqual(["Job: taxi", "State: gone", "Action: x"]);
  });
});

describe("a filter", () => {
  const search = { q: "lind", job: "police", kind: "citizen", object: "2", order: "-name", hide: "phone", top: "40" };

  it("is set and removed; the list begins at its first row, in the same order and with the same columns", () => {
    expect(withFilter(search, filters, "job", "taxi")).toEqual({ ...search, job: "taxi", top: undefined });
    expect(withFilter({ job: "police", top: "4" }, filters, "job", "")).toEqual({});
  });

  it("of two parts is removed as one", () => {
    expect(withFilter(search, filters, "kind", "")).toEqual({ q: "lind", job: "police", order: "-name", hide: "phone" });
  });

  it("keeps order and columns when all are removed", () => {
    expect(withoutFilters(search)).toEqual({ order: "-name", hide: "phone" });
  });
});

it("a text is applied once it is long enough to find something", () => {
  const digits = { count: 3, of: "digits" } as const;
  expect(["55-", "55 5", "ab555"].map((text) => enough(text, digits))).toEqual([false, true, true]);
  expect(["a -", "ab"].map((text) => enough(text, { count: 2, of: "characters" }))).toEqual([false, true]);
  expect(enough("", undefined)).toBe(true);
});
