import { describe, expect, it } from "vitest";
import { colleaguesIn } from "./colleagues.ts";

const person = (characterId: number, name: string, grade: number) => ({ value: { characterId, name, grade, since: 0 } });

describe("the colleagues who are online", () => {
  it("are each named once, however many windows they have open", () => {
    expect(colleaguesIn([person(12, "Ada Berg", 3), person(12, "Ada Berg", 3), person(13, "Bo Ek", 1)])).toHaveLength(2);
  });

  it("have the highest grade first, and equal grades by name", () => {
    const all = [person(1, "Zoe", 1), person(2, "Max", 5), person(3, "Änne", 1), person(4, "Bea", 1)];
    expect(colleaguesIn(all).map(({ name }) => name)).toEqual(["Max", "Änne", "Bea", "Zoe"]);
  });
});
