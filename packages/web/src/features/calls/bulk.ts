import { IconArrowMerge, IconLink } from "@tabler/icons-react";
import { getCall, linkCalls, mergeCalls, undoMerge, unlinkCalls } from "@rollcall/server/contract/calls";
import type { Translate } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { type BulkOutcome, oneByOne } from "#ui/listBulk.ts";
import type { Bulk } from "#ui/selectionBar.tsx";
import type { Call } from "./calls.queries.ts";
import { withOldest } from "./linkEach.ts";
import { olderOf } from "./merge.ts";
import { refOf } from "./ref.ts";

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

const linkedWith = async (id: number) =>
  new Set((await api.call(getCall, { params: { id } })).links.map(({ id: other }) => other));
const link = async (id: number, otherId: number) => await api.call(linkCalls, { params: { id }, body: { otherId } });
const unlink = async (id: number, otherId: number) => await api.call(unlinkCalls, { params: { id, otherId } });

async function linkAll(t: Translate, rows: readonly Call[], progress: Progress): Promise<BulkOutcome<Call>> {
  if (rows.length < 2) return { done: [], refused: [], why: t("calls.links.two") };
  const { done, refused, skipped } = await withOldest(rows, { linkedWith, change: link }, true, progress);
  return skipped === rows.length - 1 ? { done, refused, why: t("calls.links.already") } : { done, refused };
}

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
        run: async (rows, progress) => await linkAll(t, rows, progress),
        undo: async (rows, progress) => await withOldest(rows, { linkedWith, change: unlink }, false, progress),
        said: (count, same) => t("calls.links.said", { count: count + same }),
      },
    ],
    nameOf: ({ id }) => refOf(id),
  };
}
