import { IconArrowMerge, IconLink } from "@tabler/icons-react";
import { getCall, linkCalls, mergeCalls, undoMerge, unlinkCalls } from "@rollcall/server/contract/calls";
import type { Translate } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { type BulkOutcome, oneByOne } from "#ui/listBulk.ts";
import type { Bulk } from "#ui/selectionBar.tsx";
import type { Call } from "./calls.queries.ts";
import { olderOf } from "./merge.ts";

type Progress = (handled: number) => void;

/** The oldest one stays; each of the others is merged into it. */
async function mergeAll(rows: readonly Call[], progress: Progress): Promise<BulkOutcome<Call>> {
  const into = rows.reduce(olderOf);
  let { version } = into;
  const merge = async ({ id, version: seen }: Call) => {
    const body = { version, other: { id, version: seen } };
    ({ version } = await api.call(mergeCalls, { params: { id: into.id }, body }));
  };
  const others = rows.filter(({ id }) => id !== into.id);
  const { done, refused } = await oneByOne(others, merge, progress);
  return { done: done.length === 0 ? [] : [into, ...done], refused };
}

async function undoAll(rows: readonly Call[], progress: Progress): Promise<BulkOutcome<Call>> {
  const take = async ({ id }: Call) => {
    const { state, version } = await api.call(getCall, { params: { id } });
    if (state === "merged") await api.call(undoMerge, { params: { id }, body: { version } });
  };
  return await oneByOne(rows, take, progress);
}

/** Each of the others is linked with the oldest one. */
const linkAll =
  (isLink: boolean) =>
  async (rows: readonly Call[], progress: Progress): Promise<BulkOutcome<Call>> => {
    const first = rows.reduce(olderOf);
    const change = async ({ id: otherId }: Call) => {
      if (isLink) await api.call(linkCalls, { params: { id: first.id }, body: { otherId } });
      else await api.call(unlinkCalls, { params: { id: first.id, otherId } });
    };
    const { done, refused } = await oneByOne(
      rows.filter(({ id }) => id !== first.id),
      change,
      progress,
    );
    return { done: done.length === 0 ? [] : [first, ...done], refused };
  };

/** What can be done with several calls. */
export function bulkOf(t: Translate): Bulk<Call> {
  return {
    actions: [
      {
        id: "merge",
        label: t("calls.do.merge"),
        icon: IconArrowMerge,
        concerns: ({ may }) => may.includes("merge"),
        run: async (rows, progress) =>
          rows.length < 2 ? { done: [], refused: [], why: t("calls.merge.two") } : await mergeAll(rows, progress),
        undo: undoAll,
        said: (count) => t("calls.merge.said", { count }),
      },
      {
        id: "link",
        label: t("calls.do.link"),
        icon: IconLink,
        concerns: ({ may }) => may.includes("link"),
        run: async (rows, progress) =>
          rows.length < 2 ? { done: [], refused: [], why: t("calls.links.two") } : await linkAll(true)(rows, progress),
        undo: linkAll(false),
        said: (count) => t("calls.links.said", { count }),
      },
    ],
    nameOf: ({ id }) => `DSP-${id}`,
  };
}
