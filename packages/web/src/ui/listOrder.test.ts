import { describe, expect, it } from "vitest";
import { directionOf, nextOrder, orderInEffect, type ListOrders } from "./listOrder.ts";

const byName: ListOrders = { names: ["name", "updatedAt"], default: "name" };
const newestFirst: ListOrders = { names: ["at", "who"], default: "-at" };

/** The orders that clicks on one header lead through, from the list's own. */
function clicks(name: string, orders: ListOrders, ranked = false): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let chosen: string | undefined;
  do {
    chosen = nextOrder(chosen, name, orders, ranked);
    found.push(chosen);
  } while (chosen !== undefined && found.length < 9);
  return found;
}

describe("a click on a header", () => {
  it("leads from ascending over descending back to the list's own order", () => {
    expect(clicks("updatedAt", byName)).toEqual(["updatedAt", "-updatedAt", undefined]);
  });

  it("turns the list's own order round, and back", () => {
    expect(clicks("name", byName)).toEqual(["-name", undefined]);
    expect(clicks("at", newestFirst)).toEqual(["at", undefined]);
  });

  it("leads through both directions while a search puts the best matches first", () => {
    expect(clicks("name", byName, true)).toEqual(["name", "-name", undefined]);
    expect(clicks("at", newestFirst, true)).toEqual(["at", "-at", undefined]);
  });

  it("begins with ascending when another column is sorted", () => {
    expect(nextOrder("-updatedAt", "name", byName)).toBeUndefined();
    expect(nextOrder("-who", "at", newestFirst)).toBe("at");
  });
});

it("a header says how its column is sorted", () => {
  const own = orderInEffect(undefined, newestFirst, false);
  expect([directionOf("at", own), directionOf("who", own)]).toEqual(["descending", "none"]);
  expect(directionOf("at", orderInEffect(undefined, newestFirst, true))).toBe("none");
  expect(directionOf("who", orderInEffect("who", newestFirst, true))).toBe("ascending");
});
