import { describe, expect, it } from "vitest";
import { Journal, type JournalFile } from "./journal.ts";

/** A journal file in memory that fails on demand. */
function memoryFile(text = "") {
  let failing = false;
  const file: JournalFile & { text: string; fail(on: boolean): void } = {
    text,
    fail: (on) => void (failing = on),
    read: async () => file.text,
    append: async (more) => {
      file.text += failing ? more.slice(0, more.length / 2) : more;
      if (failing) throw new Error("the disk is full");
    },
    replace: async (all) => {
      if (failing) throw new Error("the disk is full");
      file.text = all;
    },
    close: async () => undefined,
  };
  return file;
}

describe("the journal", () => {
  const day = 24 * 60 * 60_000;
  const done = { outcome: "done", answer: {} } as const;

  it("turns what had begun into an unknown end", async () => {
    const file = memoryFile();
    const first = await Journal.open(file, () => 0);
    await first.begin("a");
    await first.begin("b");
    await first.end("b", done);
    await first.acknowledge([{ id: "b", outcome: "done" }]);
    await first.moveTo({ epoch: "e", position: 7 });
    const second = await Journal.open(file, () => 0);
    expect(second.receipts(9)).toEqual([{ id: "a", outcome: "unknown", reason: expect.stringContaining("process stopped") }]);
    expect([second.has("a"), second.has("b"), second.has("c"), second.position]).toEqual([
      true,
      true,
      false,
      { epoch: "e", position: 7 },
    ]);
    await second.reportAgain("b");
    const third = await Journal.open(file, () => 0);
    for (const journal of [second, third]) expect(journal.receipts(9).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("reports an end again that took the place of one that was on its way", async () => {
    const file = memoryFile();
    const first = await Journal.open(file, () => 0);
    await first.begin("a");
    await first.end("a", { outcome: "unknown", reason: "late" });
    const sent = first.receipts(9);
    await first.end("a", done);
    await first.acknowledge(sent);
    const second = await Journal.open(file, () => 0);
    for (const journal of [first, second]) expect(journal.receipts(9)).toEqual([{ id: "a", ...done }]);
    await second.acknowledge(second.receipts(9));
    expect((await Journal.open(file, () => 0)).receipts(9)).toEqual([]);
  });

  it("reports an end once it is on disk: a process that is killed before reports the same", async () => {
    const file = memoryFile();
    const stored = Promise.withResolvers<void>();
    const journal = await Journal.open({ ...file, append: async () => await stored.promise }, () => 0);
    const ended = journal.end("a", done);
    await Promise.resolve();
    expect(journal.receipts(9)).toEqual([]);
    stored.resolve();
    await ended;
    expect(journal.receipts(9)).toEqual([{ id: "a", ...done }]);
  });

  it("skips torn and damaged lines, and writes whole ones behind them", async () => {
    const file = memoryFile();
    const first = await Journal.open(file, () => 0);
    await first.begin("a");
    file.fail(true);
    await expect(first.begin("b")).rejects.toThrow("disk is full");
    expect(first.has("b")).toBe(false);
    await expect(first.end("a", done)).rejects.toThrow("disk is full");
    expect(first.receipts(9)).toEqual([{ id: "a", ...done }]);
    file.fail(false);
    await first.begin("c");
    const second = await Journal.open(memoryFile(`${file.text}torn`), () => 0);
    expect(second.receipts(9).map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "done"],
      ["c", "unknown"],
    ]);
  });

  it("forgets ids a week after Rollcall had the receipt, and never one whose receipt is open", async () => {
    const file = memoryFile();
    let now = 0;
    const journal = await Journal.open(file, () => now);
    await journal.end("old", done);
    await journal.end("open", done);
    await journal.acknowledge([{ id: "old", outcome: "done" }]);
    now = 6 * day;
    await journal.end("young", done);
    await journal.acknowledge([{ id: "young", outcome: "done" }]);
    now = 7 * day + 1;
    const later = await Journal.open(file, () => now);
    expect(["old", "open", "young"].map((id) => later.has(id))).toEqual([false, true, true]);
  });

  it("stays small while requests come and go", async () => {
    const file = memoryFile();
    let now = 0;
    const journal = await Journal.open(file, () => now);
    for (let i = 0; i < 20_000; i += 1) {
      now += day / 1000;
      await journal.begin(String(i));
      await journal.end(String(i), done);
      await journal.acknowledge([{ id: String(i), outcome: "done" }]);
      await journal.moveTo({ epoch: "e", position: i });
    }
    expect(file.text.split("\n").length).toBeLessThan(7000 * 4 + 2000);
    expect([journal.has("19999"), journal.has("0")]).toEqual([true, false]);
  });
});
