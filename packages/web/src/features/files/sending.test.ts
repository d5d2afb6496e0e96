import { describe, expect, it } from "vitest";
import { asProblem, Problem } from "#core/problem.ts";
import { sendEach } from "./sending.ts";

const file = (name: string, size = 10) => ({ name, size });

async function sent(names: readonly { name: string; size: number }[], change: { room?: number; refused?: string } = {}) {
  const done: string[] = [];
  const unsent = await sendEach(names, {
    maxBytes: 100,
    room: change.room ?? 5,
    signal: new AbortController().signal,
    send: async ({ name }) => {
      if (name === change.refused) throw new Problem("files.notAPicture", 400);
      done.push(name);
    },
  });
  return { done, unsent: unsent.map(({ name, error }) => [name, error === null ? "full" : asProblem(error).code]) };
}

describe("several files", () => {
  it("are all sent but the one that the server refuses, which is named", async () => {
    expect(await sent([file("a"), file("b"), file("c")], { refused: "b" })).toEqual({
      done: ["a", "c"],
      unsent: [["b", "files.notAPicture"]],
    });
  });

  it("are all sent but one that is too large", async () => {
    expect(await sent([file("a", 101), file("b")])).toEqual({ done: ["b"], unsent: [["a", "files.tooLarge"]] });
  });

  it("are sent while there is room; those that failed take none, and those left out are named", async () => {
    expect(await sent([file("a"), file("b"), file("c"), file("d")], { refused: "a", room: 2 })).toEqual({
      done: ["b", "c"],
      unsent: [
        ["a", "files.notAPicture"],
        ["d", "full"],
      ],
    });
  });

  it("are no longer sent once the page was left, which is no failure", async () => {
    const leaving = new AbortController();
    const done: string[] = [];
    const unsent = await sendEach([file("a"), file("b")], {
      maxBytes: undefined,
      room: 5,
      signal: leaving.signal,
      send: async ({ name }) => {
        done.push(name);
        leaving.abort();
        throw new Error("aborted");
      },
    });
    expect([done, unsent]).toEqual([["a"], []]);
  });
});
