import { useQueryClient } from "@tanstack/react-query";
import { getCall, linkCalls, listCalls, listPresent, mergeCalls, undoMerge, unlinkCalls } from "@rollcall/server/contract/calls";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import type { Call, CallDetail } from "./calls.queries.ts";
import { refOf } from "./ref.ts";

type Versioned = Pick<Call, "id" | "version">;

/** Changes that join calls; a refusal is a toast. */
export function useAttempt() {
  const { t } = useText();
  const queries = useQueryClient();
  const readAgain = () => {
    for (const { id } of [getCall, listCalls, listPresent]) void queries.invalidateQueries({ queryKey: [id] });
  };
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
      return null;
    } finally {
      readAgain();
    }
  };
}

/** Merging and undoing it; what was done offers the way back. */
export function useMerging() {
  const { t } = useText();
  const attempt = useAttempt();
  const undo = async ({ id, version }: Versioned): Promise<void> => {
    const done = await attempt(async () => await api.call(undoMerge, { params: { id }, body: { version } }));
    if (done !== null) showToast({ tone: "success", title: t("calls.merge.undone", { ref: refOf(id) }) });
  };
  return {
    undo,
    /** The call that stays; null where it was refused. */
    async merge(call: Versioned, other: Versioned, uniteJobs: boolean): Promise<CallDetail | null> {
      const body = { version: call.version, other: { id: other.id, version: other.version }, uniteJobs };
      const into = await attempt(async () => await api.call(mergeCalls, { params: { id: call.id }, body }));
      const part = into?.merged.find(({ id }) => id === call.id || id === other.id);
      if (into !== null && part !== undefined)
        showToast({
          tone: "success",
          title: t("calls.merge.done", { ref: refOf(part.id), into: refOf(into.id) }),
          action: { label: t("calls.merge.undo"), run: () => void undo(part) },
        });
      return into;
    },
  };
}

/** Linking and removing links; each offers the other one as the way back. */
export function useLinking() {
  const { t } = useText();
  const attempt = useAttempt();
  const link = async (id: number, otherId: number): Promise<boolean> => {
    const done = await attempt(async () => await api.call(linkCalls, { params: { id }, body: { otherId } }));
    if (done !== null) showToast({ tone: "success", title: t("calls.links.done", { ref: refOf(id), other: refOf(otherId) }) });
    return done !== null;
  };
  return {
    link,
    async unlink(id: number, otherId: number): Promise<void> {
      const done = await attempt(async () => await api.call(unlinkCalls, { params: { id, otherId } }));
      if (done === null) return;
      showToast({
        tone: "success",
        title: t("calls.links.removed", { ref: refOf(id), other: refOf(otherId) }),
        action: { label: t("calls.links.undo"), run: () => void link(id, otherId) },
      });
    },
  };
}
