import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { readWithNewRights } from "./newRights.ts";

it("new rights: what is on screen stays until it is read again, what is refused goes, and the rest is discarded", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  let right = "all";
  const answer = async (id: string) => {
    if (right !== "all" && id === "secret") throw new Error("403");
    return `${id} with ${right}`;
  };
  const shown = (id: string) => {
    const observer = new QueryObserver(queries, { queryKey: [id], queryFn: async () => await answer(id) });
    const seen: unknown[] = [];
    const stop = observer.subscribe(({ data }) => {
      if (seen.at(-1) !== data) seen.push(data);
    });
    return { observer, seen, stop };
  };
  const [editor, secret] = [shown("editor"), shown("secret")];
  await queries.fetchQuery({ queryKey: ["left"], queryFn: async () => await answer("left") });
  await expect.poll(() => [editor.seen.at(-1), secret.seen.at(-1)]).toEqual(["editor with all", "secret with all"]);
  right = "fewer";
  await readWithNewRights(queries);
  // Never undefined in between: that would unmount a form.
  expect(editor.seen.filter((data) => data !== undefined)).toEqual(["editor with all", "editor with fewer"]);
  expect(editor.seen.indexOf(undefined)).toBeLessThanOrEqual(0);
  const refused = secret.observer.getCurrentResult();
  expect([refused.data, refused.isError]).toEqual([undefined, true]);
  expect(queries.getQueryData(["left"])).toBeUndefined();
  editor.stop();
  secret.stop();
  queries.clear();
});
