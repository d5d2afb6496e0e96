import { expect, it } from "vitest";
import type { CallContext } from "#core/feature.ts";
import { describeDatabases } from "#testkit/database.ts";
import { PollService } from "./gamerequests.poll.service.ts";

describeDatabases("a poll for requests to the game server", (get) => {
  it("ends with nothing when its time is over, and not for requests to others", async () => {
    const { db, clock } = get();
    let reads = 0;
    db.observe(({ unit }) => void (reads += unit === "gamerequests.poll" ? 1 : 0));
    const polls = new PollService({
      ...{ db, clock },
      ids: { next: () => "epoch" } as never,
      sources: { notePoll: async () => undefined } as never,
      outbox: {} as never,
    });
    const call = { actor: { kind: "sync", tokenFingerprint: "a" }, signal: () => new AbortController().signal };
    let ended = false;
    const poll = polls.poll(call as unknown as CallContext, { source: "here", epoch: "epoch", wait: 20 });
    const end = poll.then(() => (ended = true));
    await expect.poll(() => clock.waiting).toBe(1);
    const before = reads;
    polls.wake("there");
    await clock.advance(19_999);
    expect([ended, reads]).toEqual([false, before]);
    polls.wake("here");
    await expect.poll(() => [reads > before, clock.waiting]).toEqual([true, 1]);
    expect(ended).toBe(false);
    await clock.advance(1);
    await end;
    expect(await poll).toMatchObject({ requests: [], reset: false });
  });
});
