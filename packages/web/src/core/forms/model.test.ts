import { describe, expect, it, vi } from "vitest";
import { Problem } from "#core/problem.ts";
import { memoryValues, settle, testClock } from "#core/testkit.ts";
import { createDraftKeeper, type RemoteDrafts } from "./drafts.ts";
import { FormModel, type FormRules } from "./model.ts";

interface Notice {
  readonly [key: string]: unknown;
  readonly title: string;
  readonly text: string;
}

const contract = {
  at: "",
  schema: {
    type: "object",
    required: ["title", "text"],
    properties: { title: { type: "string", minLength: 1, maxLength: 20 }, text: { type: "string" } },
  },
};
const before: Notice = { title: "Radio check", text: "Channel 3" };
const stale = new Problem("notices.stale", 409);

function open(
  given: Partial<FormRules<Notice>> & {
    kept?: ReturnType<typeof memoryValues>;
    remote?: Partial<RemoteDrafts>;
    version?: number;
  } = {},
) {
  const { kept = memoryValues(), remote, version = 3, ...rules } = given;
  const clock = testClock();
  const drafts = { read: vi.fn(async () => null), write: vi.fn(async () => null), remove: vi.fn(async () => null), ...remote };
  const keeper = createDraftKeeper({ kept, clock, now: clock.now, remote: drafts, device: "desk", name: "notice.1" });
  const save = vi.fn(async (_values: Notice, _version: number): Promise<unknown> => null);
  const all = { contract, fields: ["title", "text"], save, ...rules };
  const model = new FormModel<Notice>(all, { version, values: before }, keeper);
  let shown = model.initial;
  const fail = vi.fn();
  const end = model.begin({ get: () => shown, set: (values) => (shown = values), fail });
  const type = (change: Partial<Notice>) => {
    shown = { ...shown, ...change };
    model.typed(shown);
  };
  return {
    model,
    kept,
    drafts,
    clock,
    save: all.save as typeof save,
    fail,
    type,
    end,
    shown: () => shown,
    state: () => model.state.get(),
  };
}

describe("saving", () => {
  it("sends clean values with the version they were begun with, and says nothing is unsaved", async () => {
    const form = open();
    form.type({ title: "  Radio check at 20:00 " });
    expect(form.state().changed).toEqual(["title"]);
    await form.model.submit();
    expect(form.save).toHaveBeenCalledWith({ title: "Radio check at 20:00", text: "Channel 3" }, 3);
    expect(form.state()).toMatchObject({ changed: [], busy: false });
    expect(form.kept.all.size).toBe(0);
  });

  it("is refused here by the contract, at the field", async () => {
    const form = open();
    form.type({ title: " " });
    await form.model.submit();
    expect(form.fail).toHaveBeenCalledWith({ title: { kind: "needed" } });
    expect(form.save).not.toHaveBeenCalled();
  });

  it("that the server refuses is said at the field that it names, otherwise for the whole form", async () => {
    const problem = new Problem("accounts.usernameTaken", 409);
    const form = open({ save: async () => await Promise.reject(problem), refusals: { "accounts.usernameTaken": "title" } });
    await form.model.submit();
    expect(form.fail).toHaveBeenCalledWith({ title: problem });
    const other = open({ save: async () => await Promise.reject(problem) });
    await other.model.submit();
    expect(other.state()).toMatchObject({ problem, busy: false });
  });

  it("happens once at a time", async () => {
    let done = () => {};
    const save = vi.fn(async () => await new Promise<void>((resolve) => (done = resolve)));
    const form = open({ save });
    void form.model.submit();
    await form.model.submit();
    expect(save).toHaveBeenCalledTimes(1);
    done();
  });
});

describe("a record that somebody else changed", () => {
  const theirs = { version: 4, values: { title: "Radio check", text: "Channel 5" } };

  it("is saved with the new version once the person has chosen for each field", async () => {
    const save = vi.fn(async (_values: Notice, version: number) => (version === 3 ? await Promise.reject(stale) : null));
    const form = open({ save, read: async () => theirs });
    form.type({ title: "Check", text: "Channel 4" });
    await form.model.submit();
    const { conflict } = form.state();
    expect(conflict?.found.map(({ field, changedBy }) => [field, changedBy])).toEqual([
      ["title", "mine"],
      ["text", null],
    ]);
    form.model.choose("text", "theirs");
    await form.model.settle();
    expect(save).toHaveBeenLastCalledWith({ title: "Check", text: "Channel 5" }, 4);
    expect(form.state()).toMatchObject({ conflict: null, changed: [], problem: null });
  });

  it("is also saved when the newer version is read again while the person chooses", async () => {
    const theirs = { version: 4, values: { ...before, text: "Channel 9" } };
    const save = vi.fn().mockRejectedValueOnce(stale).mockResolvedValueOnce(null);
    const form = open({ save, read: async () => theirs });
    form.type({ text: "Channel 5" });
    await form.model.submit();
    form.model.stored(theirs);
    form.model.choose("text", "mine");
    await form.model.settle();
    expect(save).toHaveBeenLastCalledWith({ ...before, text: "Channel 5" }, 4);
  });

  it("is compared again when a third version arrives while the person chooses, and saved over that one", async () => {
    const save = vi.fn().mockRejectedValueOnce(stale).mockResolvedValueOnce(null);
    const form = open({ save, read: async () => ({ version: 4, values: { ...before, text: "Channel 9" } }) });
    form.type({ text: "Channel 5" });
    await form.model.submit();
    form.model.choose("text", "mine");
    form.model.stored({ version: 5, values: { ...before, text: "Channel 10" } });
    expect(form.state().conflict?.chosen["text"]).toBeUndefined();
    expect(form.state().conflict?.found[0]?.theirs).toBe("Channel 10");
    form.model.choose("text", "mine");
    await form.model.settle();
    expect(save).toHaveBeenLastCalledWith({ ...before, text: "Channel 5" }, 5);
  });

  it("is shown at once where nothing was typed", () => {
    const form = open();
    form.model.stored(theirs);
    expect(form.shown()).toEqual(theirs.values);
    expect(form.state()).toMatchObject({ changed: [], overtaken: false });
  });

  it("that equals what was typed leaves nothing to save, and no draft", () => {
    const form = open();
    form.type({ text: theirs.values.text });
    expect(form.kept.all.size).toBe(1);
    form.model.stored(theirs);
    expect(form.state()).toMatchObject({ changed: [], overtaken: false });
    expect(form.kept.all.size).toBe(0);
    form.type({ text: "Channel 7" });
    expect(form.state().changed).toEqual(["text"]);
  });

  it("is never put over what was typed, nor the other way round", async () => {
    const form = open();
    form.type({ text: "Channel 4" });
    form.model.stored(theirs);
    expect(form.shown().text).toBe("Channel 4");
    expect(form.state().overtaken).toBe(true);
    form.model.compare();
    form.model.choose("text", "mine");
    await form.model.settle();
    expect(form.save).not.toHaveBeenCalled();
    await form.model.submit();
    expect(form.save).toHaveBeenCalledWith({ title: "Radio check", text: "Channel 4" }, 4);
  });

  it("is not confused with what was read before it was saved", async () => {
    let done = () => {};
    const save = async () => await new Promise<void>((resolve) => (done = resolve));
    const form = open({ save, saved: () => form.model.stored({ version: 3, values: before }) });
    form.type({ text: "Channel 4" });
    const saving = form.model.submit();
    form.model.stored({ version: 3, values: before });
    done();
    await saving;
    expect(form.shown().text).toBe("Channel 4");
    form.model.stored({ version: 4, values: { ...before, text: "Channel 4" } });
    expect(form.state()).toMatchObject({ changed: [], overtaken: false });
  });

  it("is not confused with what was saved here a moment ago", async () => {
    const form = open();
    form.type({ text: "Channel 4" });
    await form.model.submit();
    form.type({ title: "More" });
    form.model.stored({ version: 4, values: { title: "Radio check", text: "Channel 4" } });
    expect(form.state()).toMatchObject({ overtaken: false, changed: ["title"] });
    await form.model.submit();
    expect(form.save).toHaveBeenLastCalledWith({ title: "More", text: "Channel 4" }, 4);
  });
});

describe("a draft", () => {
  const kept = () => {
    const form = open();
    form.type({ text: "Channel 4" });
    form.end();
    return form.kept;
  };

  it("is back when the form opens again, and can be discarded", () => {
    const form = open({ kept: kept() });
    expect(form.shown().text).toBe("Channel 4");
    expect(form.state()).toMatchObject({ changed: ["text"], draft: { kind: "restored" } });
    form.model.dropDraft();
    expect(form.shown()).toEqual(before);
    expect(form.kept.all.size).toBe(0);
  });

  it("of something new changes only what was typed, where what a new one begins with depends on the time", () => {
    const start = open({ kept: kept() });
    const later = { ...before, title: "Another title" };
    const model = new FormModel<Notice>(
      { contract, fields: ["title", "text"], save: start.save },
      { version: 3, values: later },
      createDraftKeeper({
        kept: start.kept,
        clock: start.clock,
        now: start.clock.now,
        remote: start.drafts,
        device: "desk",
        name: "notice.1",
      }),
    );
    expect(model.state.get()).toMatchObject({ changed: ["text"], draft: { kind: "restored" } });
    expect(model.initial).toEqual({ title: "Another title", text: "Channel 4" });
  });

  it("does not overwrite a newer version: it is offered, and compared when it is used", async () => {
    const form = open({ kept: kept(), version: 4 });
    expect(form.shown()).toEqual(before);
    expect(form.state()).toMatchObject({ changed: [], draft: { kind: "here" } });
    form.model.takeDraft();
    expect(form.state().conflict?.found).toMatchObject([{ field: "text", mine: "Channel 4", changedBy: "mine" }]);
    await form.model.settle();
    await form.model.submit();
    expect(form.save).toHaveBeenCalledWith({ title: "Radio check", text: "Channel 4" }, 4);
  });

  it("of another device is offered, and not overwritten there before the person has decided", async () => {
    const found = { baseVersion: 3, device: "phone", savedAt: 1, value: { base: before, mine: { ...before, text: "Phone" } } };
    const form = open({ remote: { read: async () => found } });
    await settle();
    expect(form.state().draft).toMatchObject({ kind: "elsewhere" });
    form.type({ text: "Desk" });
    await form.clock.advance(5_000);
    expect(form.drafts.write).not.toHaveBeenCalled();
    form.model.takeDraft();
    expect(form.shown().text).toBe("Phone");
    await form.clock.advance(5_000);
    expect(form.drafts.write).toHaveBeenCalledTimes(1);
  });

  const phone = { baseVersion: 3, device: "phone", savedAt: 1, value: { base: before, mine: { ...before, text: "Phone" } } };

  it("that is used takes no text away: what was typed instead is offered in its place", async () => {
    const form = open({ remote: { read: async () => phone } });
    await settle();
    form.type({ text: "Desk" });
    form.model.takeDraft();
    expect(form.shown().text).toBe("Phone");
    expect(form.state().draft).toMatchObject({ kind: "replaced" });
    form.model.takeDraft();
    expect(form.shown().text).toBe("Desk");
  });

  it("on an older version that is used takes no text away either", async () => {
    const form = open({ kept: kept(), version: 4 });
    form.type({ text: "Desk" });
    form.model.takeDraft();
    await form.model.settle();
    expect(form.shown().text).toBe("Channel 4");
    form.model.takeDraft();
    expect(form.shown().text).toBe("Desk");
  });

  it("that is discarded leaves what was typed instead, also for the next time", async () => {
    const form = open({ remote: { read: async () => phone } });
    await settle();
    form.type({ text: "Desk" });
    form.model.dropDraft();
    form.end();
    expect(open({ kept: form.kept }).shown().text).toBe("Desk");
  });

  it("that is only offered is not what a conflict of the typed text is about", async () => {
    const theirs = { version: 4, values: { ...before, text: "Theirs" } };
    const save = vi.fn(async () => await Promise.reject(stale));
    const form = open({ save, read: async () => theirs, remote: { read: async () => phone } });
    await settle();
    form.type({ text: "Desk" });
    await form.model.submit();
    form.model.stored({ version: 5, values: theirs.values });
    expect(form.state().conflict?.found).toMatchObject([{ field: "text", mine: "Desk" }]);
    form.model.closeConflict();
    expect(form.state()).toMatchObject({ overtaken: true, draft: { kind: "elsewhere" } });
  });

  it("goes when everything is as it was", () => {
    const form = open();
    form.type({ text: "Channel 4" });
    form.type({ text: "Channel 3" });
    expect(form.kept.all.size).toBe(0);
  });

  it("stays or goes as the person says who leaves", () => {
    for (const answer of ["stay", "keep", "drop"] as const) {
      const form = open();
      const go = vi.fn();
      form.type({ text: "Channel 4" });
      form.model.leave(go);
      expect(go).not.toHaveBeenCalled();
      form.model.answerLeaving(answer);
      expect(go).toHaveBeenCalledTimes(answer === "stay" ? 0 : 1);
      expect(form.kept.all.size).toBe(answer === "drop" ? 0 : 1);
    }
  });
});
