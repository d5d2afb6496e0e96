import { describe, expect, it } from "vitest";
import { encodeStateFrame, stateFields, type StateFrame } from "@rollcall/server/contract/core";
import { presenceTopic } from "@rollcall/server/contract/realtime";
import { colleaguesIn, nothingKnown, type StateOfTopic, withFrame } from "./state.ts";

const fields = stateFields(presenceTopic.message);
const ada = { characterId: 12, name: "Ada Berg", grade: 3, since: 1_790_000_000_000 };
const frame = (given: Partial<StateFrame>) =>
  encodeStateFrame(fields, { channel: 1, full: false, at: 1_790_000_000_000, removed: [], entries: [], ...given });

describe("the state of a topic", () => {
  const first = withFrame(
    nothingKnown,
    fields,
    frame({
      full: true,
      entries: [
        { index: 0, key: "12/a", ageMs: 0, fields: ada },
        { index: 1, key: "13/a", ageMs: 0, fields: { ...ada, characterId: 13, name: "Bo Ek" } },
      ],
    }),
  );

  it("is the full frame", () => {
    expect([...first.values()].map(({ key, values }) => [key, values["name"]])).toEqual([
      ["12/a", "Ada Berg"],
      ["13/a", "Bo Ek"],
    ]);
  });

  it("keeps fields that a later frame leaves out", () => {
    const next = withFrame(first, fields, frame({ entries: [{ index: 0, key: null, ageMs: 0, fields: { grade: 4 } }] }));
    expect(next.get(0)?.values).toEqual({ ...ada, grade: 4 });
  });

  it("removes entries that left, and ignores entries whose name it never received", () => {
    const next = withFrame(
      first,
      fields,
      frame({ removed: [0], entries: [{ index: 7, key: null, ageMs: 0, fields: { grade: 4 } }] }),
    );
    expect([...next.keys()]).toEqual([1]);
  });

  it("is replaced by another full frame", () => {
    expect([...withFrame(first, fields, frame({ full: true })).keys()]).toEqual([]);
  });
});

describe("the colleagues who are online", () => {
  const state = (...all: object[]): StateOfTopic =>
    new Map(all.map((values, index) => [index, { key: `k${index}`, values: values as Record<string, unknown> }]));
  const person = (characterId: number, name: string, grade: number) => ({ characterId, name, grade });

  it("are each named once, however many windows they have open", () => {
    expect(colleaguesIn(state(ada, ada, person(13, "Bo Ek", 1))).map(({ id }) => id)).toEqual([12, 13]);
  });

  it("have the highest grade first, and equal grades by name", () => {
    const all = state(person(1, "Zoe", 1), person(2, "Max", 5), person(3, "Änne", 1), person(4, "Bea", 1));
    expect(colleaguesIn(all).map(({ name }) => name)).toEqual(["Max", "Änne", "Bea", "Zoe"]);
  });

  it("leave out a window whose person is not known yet", () => {
    expect(colleaguesIn(state({ grade: 3 }, { characterId: 7 }))).toEqual([{ id: 7, name: "", grade: 0 }]);
    expect(colleaguesIn(nothingKnown)).toEqual([]);
  });
});
