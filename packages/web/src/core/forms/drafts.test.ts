import { describe, expect, it, vi, type Mock } from "vitest";
import { Problem } from "#core/problem.ts";
import { memoryValues, settle, testClock } from "#core/testkit.ts";
import { createDraftKeeper, openingOf, type KeptDraft, type RemoteDrafts } from "./drafts.ts";

const stored = { version: 3, values: { title: "Radio check" } };
const typed = { title: "Radio check at 20:00" };

function keeper(overrides: Partial<RemoteDrafts> & { write?: Mock<RemoteDrafts["write"]> } = {}) {
  const clock = testClock();
  const kept = memoryValues();
  const remote = {
    read: async () => null,
    write: vi.fn<RemoteDrafts["write"]>(async () => undefined),
    remove: async () => undefined,
    ...overrides,
  };
  const options = { kept, clock, now: clock.now, remote, device: "desk", name: "7.notice.12" };
  return { clock, kept, remote, drafts: createDraftKeeper(options), again: () => createDraftKeeper(options) };
}

describe("a draft", () => {
  it("is on the device at once and on the server within two seconds, once for many changes", async () => {
    const { clock, remote, drafts, again } = keeper();
    drafts.write(stored, { title: "R" });
    drafts.write(stored, typed);
    expect(again().local()).toEqual({ at: clock.now(), base: stored, mine: typed });
    expect(remote.write).not.toHaveBeenCalled();
    await clock.advance(2_000);
    const value = { base: stored.values, mine: typed };
    expect(remote.write.mock.calls).toEqual([[{ baseVersion: 3, value, device: "desk" }]]);
  });

  it("is sent at once when the page is left, and only if something waits", async () => {
    const { clock, remote, drafts } = keeper();
    drafts.flush();
    drafts.write(stored, typed);
    drafts.flush();
    await settle();
    expect(remote.write).toHaveBeenCalledTimes(1);
    await clock.advance(10_000);
    expect(remote.write).toHaveBeenCalledTimes(1);
  });

  it("that was saved is removed in both places, after a write that is still on its way", async () => {
    const order: string[] = [];
    let arrive = () => {};
    const { clock, drafts } = keeper({
      write: vi.fn(async () => {
        await new Promise<void>((done) => (arrive = done));
        order.push("write");
      }),
      remove: async () => order.push("remove"),
    });
    drafts.write(stored, typed);
    await clock.advance(2_000);
    drafts.drop();
    expect(drafts.local()).toBeNull();
    arrive();
    await settle();
    expect(order).toEqual(["write", "remove"]);
    await clock.advance(60_000);
    expect(order).toHaveLength(2);
  });

  it("is tried again when the server was away, unless it was dropped", async () => {
    const write = vi.fn(async () => await Promise.reject(new Error("offline")));
    const { clock, drafts } = keeper({ write });
    drafts.write(stored, typed);
    await clock.advance(2_000);
    await clock.advance(10_000);
    expect(write).toHaveBeenCalledTimes(2);
    drafts.drop();
    await clock.advance(60_000);
    expect(write).toHaveBeenCalledTimes(2);
  });

  it("is not tried again when the server refused it, until it changes", async () => {
    const write = vi.fn(async () => await Promise.reject(new Problem("drafts.tooLarge", 413)));
    const { clock, drafts } = keeper({ write });
    drafts.write(stored, typed);
    await clock.advance(60_000);
    expect(write).toHaveBeenCalledTimes(1);
    drafts.write(stored, { title: "R" });
    await clock.advance(2_000);
    expect(write).toHaveBeenCalledTimes(2);
  });

  it("expires after a month, and an unreadable one is ignored", async () => {
    const { clock, kept, drafts } = keeper();
    drafts.write(stored, typed);
    await clock.advance(30 * 86_400_000);
    expect(drafts.local()).not.toBeNull();
    await clock.advance(1);
    expect(drafts.local()).toBeNull();
    expect(kept.all.size).toBe(0);
    kept.write("draft.7.notice.12", { at: clock.now(), mine: typed });
    expect(drafts.local()).toBeNull();
  });
});

describe("a draft of another device", () => {
  const elsewhere = (at: number, mine: unknown = { title: "From the phone" }, device = "phone") => {
    const found = { baseVersion: 3, value: { base: stored.values, mine }, device, savedAt: at };
    return keeper({ read: async () => found });
  };

  it("is found if it is newer than the one here, and differs", async () => {
    const newer = elsewhere(1_790_000_001_000);
    newer.drafts.write(stored, typed);
    expect(await newer.drafts.fromElsewhere()).toMatchObject({ mine: { title: "From the phone" }, base: stored });
    const older = elsewhere(1_789_999_999_000);
    expect(await older.drafts.fromElsewhere()).not.toBeNull();
    older.drafts.write(stored, typed);
    expect(await older.drafts.fromElsewhere()).toBeNull();
    const same = elsewhere(1_790_000_001_000, typed);
    same.drafts.write(stored, typed);
    expect(await same.drafts.fromElsewhere()).toBeNull();
  });

  it("is not one's own, an unreadable one, or one that cannot be asked for", async () => {
    expect(await elsewhere(1, { title: "x" }, "desk").drafts.fromElsewhere()).toBeNull();
    expect(await elsewhere(1, "text").drafts.fromElsewhere()).toBeNull();
    expect(await keeper({ read: async () => await Promise.reject(new Error("offline")) }).drafts.fromElsewhere()).toBeNull();
  });
});

describe("a form that opens", () => {
  const draft: KeptDraft = { at: 1, base: stored, mine: typed };
  it.each<[string, KeptDraft | null, number, boolean, string]>([
    ["without a draft", null, 3, true, "nothing"],
    ["with a draft of what is stored by now", { ...draft, mine: stored.values }, 3, true, "nothing"],
    ["with a draft of this device and of the stored version", draft, 3, true, "restore"],
    ["with a draft that somebody's change has overtaken", draft, 4, true, "offer"],
    ["with a draft of another device", draft, 3, false, "offer"],
  ])("%s", (_when, found, version, isHere, does) => {
    expect(openingOf(found, { ...stored, version }, isHere)).toBe(does);
  });
});
