import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { downloadExport, listExports, removeExport, requestExport } from "@rollcall/server/contract/exports";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api, useSession } from "#core/services.ts";

export type Export = OutputOf<typeof listExports>["items"][number];

/** Interval of the progress while an export is open. Milliseconds. */
const EVERY = 1000;

export const isOpen = ({ state }: Pick<Export, "state">) => state === "waiting" || state === "running";

/** The address of the file of an export, which the browser saves. */
export const fileOf = ({ id }: Pick<Export, "id">) => downloadExport.path.replace(":id", String(id));

/** The own exports of one kind, and what can be done with them. */
export function useExports(kind: string) {
  const { language } = useText();
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const query = useQuery({
    ...queryOf(listExports, { query: { kind } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? EVERY : false),
  });

  /** Whether the call succeeded. */
  const act = async (call: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    let succeeded = true;
    await call().catch((problem: unknown) => {
      succeeded = false;
      setError(problem);
    });
    await query.refetch();
    setBusy(false);
    return succeeded;
  };
  const characterId = session.phase === "active" ? session.character.id : null;
  return {
    query,
    busy,
    error,
    request: async (filter: Record<string, unknown>) =>
      await act(async () => await api.call(requestExport, { body: { kind, filter, characterId, language } })),
    cancel: async (id: number) => await act(async () => await api.call(removeExport, { params: { id } })),
    /** Throws. Does not wait for the list, so that a question closes before the button that opened it is gone. */
    async remove(id: number) {
      try {
        await api.call(removeExport, { params: { id } });
      } finally {
        void query.refetch();
      }
    },
  };
}
