import { expect, test } from "vitest";
import type { LabelChange } from "@rollcall/server/contract/colleagues";
import { inParts, requireSome } from "./parts.ts";

const give = (id: number): LabelChange => ({ id, label: 3, given: true });
const take = ({ id, label }: LabelChange): LabelChange => ({ id, label, given: false });
const changes = [1, 2, 3, 4, 5].map(give);

test("changes are sent in parts, and what was made keeps its way back when a later part is refused", async () => {
  const problem = new Error("gone");
  const calls: number[][] = [];
  const sent = await inParts(changes, 2, async (part) => {
    calls.push(part.map(({ id }) => id));
    if (part.some(({ id }) => id === 3)) throw problem;
    return part.map(take);
  });
  expect(calls).toEqual([[1, 2], [3, 4], [5]]);
  expect(sent.undo.map(({ id }) => id)).toEqual([1, 2, 5]);
  expect(sent.refused).toEqual([
    { id: 3, error: problem },
    { id: 4, error: problem },
  ]);
  expect(requireSome(sent, changes)).toBe(sent);
});

test("where all is refused, that is thrown", async () => {
  const problem = new Error("gone");
  const sent = await inParts(changes, 50, async () => await Promise.reject(problem));
  expect(() => requireSome(sent, changes)).toThrow(problem);
  expect(requireSome({ undo: [], refused: [] }, [])).toEqual({ undo: [], refused: [] });
});
