import { describe, expect, it, vi } from "vitest";
import { oneByOne, refusalsByReason, together } from "./listBulk.ts";

const rows = [1, 2, 3, 4, 5];

describe("an action on several rows", () => {
  it("goes on after a refusal, and says which rows were refused", async () => {
    const refusal = new Error("no");
    const handled: number[] = [];
    const call = async (row: number) => await (row === 2 ? Promise.reject(refusal) : Promise.resolve());
    const outcome = await oneByOne(rows, call, (count) => handled.push(count));
    expect(outcome).toEqual({ done: [1, 3, 4, 5], refused: [{ row: 2, error: refusal }] });
    expect(handled).toEqual(rows);
  });

  it("is one call for as many rows as the server takes; a refused call concerns its rows", async () => {
    const refusal = new Error("no");
    const call = vi.fn(async (part: readonly number[]) => {
      if (part.includes(3)) throw refusal;
      return await Promise.resolve();
    });
    const handled: number[] = [];
    const outcome = await together(rows, 2, call, (count) => handled.push(count));
    expect(call.mock.calls).toEqual([[[1, 2]], [[3, 4]], [[5]]]);
    expect(outcome.done).toEqual([1, 2, 5]);
    expect(outcome.refused.map(({ row }) => row)).toEqual([3, 4]);
    expect(handled).toEqual([2, 4, 5]);
  });

  it("names refused rows by reason, the first five of each", () => {
    const refused = [...rows, 6, 7].map((row) => ({ row, error: row === 4 ? "gone" : "forbidden" }));
    expect(refusalsByReason(refused, (row) => `row ${row}`, String)).toEqual([
      { reason: "forbidden", names: ["row 1", "row 2", "row 3", "row 5", "row 6"], others: 1 },
      { reason: "gone", names: ["row 4"], others: 0 },
    ]);
  });
});
