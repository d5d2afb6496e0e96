import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { Problem } from "#core/problem.ts";
import { createQueries, hasNothing, readUnanswered } from "./queries.ts";

afterEach(() => onlineManager.setOnline(true));

it("what is opened while the browser is offline fails with the reason, and is read when it is online again", async () => {
  onlineManager.setOnline(false);
  const queries = createQueries();
  queries.mount();
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Problem("web.offline", 0)).mockResolvedValue("read");
  const observer = new QueryObserver(queries, { queryKey: ["record"], queryFn, retry: false });
  const end = observer.subscribe(() => undefined);
  await expect.poll(() => observer.getCurrentResult().error).toMatchObject({ code: "web.offline" });
  onlineManager.setOnline(true);
  await expect.poll(() => observer.getCurrentResult().data).toBe("read");
  end();
  queries.unmount();
});

it("what is sent while the browser is offline fails at once, and is not sent later by itself", async () => {
  onlineManager.setOnline(false);
  const mutationFn = vi.fn<() => Promise<string>>().mockRejectedValue(new Problem("web.offline", 0));
  const observer = new MutationObserver(createQueries(), { mutationFn });
  observer.mutate().catch(() => undefined);
  await expect.poll(() => observer.getCurrentResult().error).toMatchObject({ code: "web.offline" });
});

it("what was not answered is read again once the server answers, and what was refused is not", async () => {
  const queries = createQueries();
  const world = (status: number) => {
    const queryFn = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Problem("web.offline", status))
      .mockResolvedValue("read");
    const observer = new QueryObserver(queries, { queryKey: ["record", status], queryFn, retry: false });
    return { observer, queryFn, end: observer.subscribe(() => undefined) };
  };
  const [unanswered, refused] = [world(0), world(403)];
  for (const { observer } of [unanswered, refused]) await expect.poll(() => observer.getCurrentResult().isError).toBe(true);
  await readUnanswered(queries);
  expect(unanswered.observer.getCurrentResult().data).toBe("read");
  expect(refused.queryFn).toHaveBeenCalledTimes(1);
  unanswered.end();
  refused.end();
});

it.each([
  ["was never answered", undefined, 0, true],
  ["is not answered when it is read again", "known", 0, false],
  ["is refused when it is read again", "known", 403, true],
  ["is gone when it is read again", "known", 404, true],
])("what %s", (_what, data, status, expected) => {
  expect(hasNothing({ isError: true, data, error: new Problem("web.offline", status) })).toBe(expected);
});
