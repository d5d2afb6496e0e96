import { useState } from "react";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import {
  acknowledgePanic,
  cancelPanic,
  getPanic,
  getPanicRules,
  getPanicStatistics,
  listPanics,
  listPresentPanics,
  type Panic,
  panicPermissions,
  panicTopic,
  pressPanic,
} from "@rollcall/server/contract/panic";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import type { PanicSearch } from "./panic.search.ts";

export type { Panic };

export const readPresentPanics = queryOf(listPresentPanics, {});

/** Active ones that alarm the viewer or that the viewer pressed, and whether the button works. */
export function usePresentPanics() {
  useFollow(panicTopic);
  return useQuery(readPresentPanics);
}

/** The history, page by page, with live changes. */
export function usePanics(search: PanicSearch) {
  const enabled = useAbilities().has(panicPermissions.view);
  return useLiveList<Panic>({ operation: listPanics, topic: panicTopic, filters: filtersOf(search), enabled });
}

export function usePanic(id: number) {
  useFollow(panicTopic);
  return useQuery(queryOf(getPanic, { params: { id } }));
}

export function usePanicStatistics(enabled: boolean) {
  useFollow(enabled ? panicTopic : null);
  return useQuery({ ...queryOf(getPanicStatistics, {}), enabled });
}

export function usePanicRules() {
  useFollow(panicTopic);
  return useQuery({ ...queryOf(getPanicRules, {}), refetchOnMount: "always" as const });
}

/** After a change by the own hand. For others the server says so. */
export async function readAgain(queries: QueryClient): Promise<void> {
  const read = [listPresentPanics, listPanics, getPanic, getPanicStatistics];
  await Promise.all(read.map(async ({ id }) => await queries.invalidateQueries({ queryKey: [id] })));
}

/** What people do about panics; a refusal is a toast. */
export function usePanicChanges() {
  const { t } = useText();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const change = async (call: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await call();
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await readAgain(queries);
    setBusy(false);
  };
  return {
    busy,
    press: async () => await change(async () => await api.call(pressPanic)),
    cancel: async ({ id }: Panic) => await change(async () => await api.call(cancelPanic, { params: { id } })),
    acknowledge: async ({ id }: Panic) => await change(async () => await api.call(acknowledgePanic, { params: { id } })),
  };
}
